import { adviceByCause } from "../../signatures/LikelyCause.ts"
import { traceDigest } from "../../values/TypedDataHash.ts"
import type { Command, CommandOutcome } from "../Command.ts"
import { ExitCode } from "../Failure.ts"
import { findCause, type SignatureFinding } from "../SignatureCause.ts"
import { type SignedParts, signedParts } from "../SignedParts.ts"
import { facts, indented } from "../Table.ts"

type Trace = ReturnType<typeof traceDigest>

const traceText = ({ domain, message, preimage, digest }: Trace): string => {
  const part = ({ encodedType, typeHash, members, hash }: Trace["domain"]) =>
    [
      encodedType,
      `type hash  ${typeHash}`,
      ...members.map(
        ({ name, type, value, word }) => `${name} (${type}) = ${JSON.stringify(value)}\n  ${word}`
      ),
      `hash       ${hash}`
    ].join("\n")
  return [
    `domain\n${indented(part(domain))}`,
    `message\n${indented(part(message))}`,
    facts([
      ["preimage", preimage],
      ["digest", digest]
    ])
  ].join("\n")
}

const adviceOf = (
  parts: SignedParts,
  finding: SignatureFinding | undefined,
  cause: string | undefined
): string => {
  if (finding?.valid === true) return "The signature is by the claimed signer over exactly this request."
  const advice = cause === undefined ? undefined : adviceByCause[cause]
  if (advice !== undefined) return advice
  return finding === undefined
    ? "Give --signature to find out who signed, and --body-file to try other texts of the body."
    : `Compare each member above with what the wallet showed; the claimed signer is ${parts.signed.signer}.`
}

const causeOf = ({ reported }: SignedParts, finding: SignatureFinding | undefined): string | undefined =>
  finding?.likelyCause ?? (typeof reported.likelyCause === "string" ? reported.likelyCause : undefined)

const verdict = (finding: SignatureFinding | undefined, reported: unknown): string =>
  finding === undefined
    ? String(reported ?? "unknown")
    : (finding.recovered ?? "nobody: not an ECDSA signature")

const verified = async (parts: SignedParts): Promise<CommandOutcome> => {
  const { signed, chainId, signature, reported } = parts
  const trace = traceDigest("ServiceRequest", signed.audience, chainId, signed)
  const finding = signature === undefined ? undefined : await findCause(parts, trace.digest, signature)
  const cause = causeOf(parts, finding)
  const advice = adviceOf(parts, finding, cause)
  const agrees = reported.digest === undefined || reported.digest === trace.digest
  const text = [
    traceText(trace),
    facts([
      ["claimed signer", signed.signer],
      ["signed by", verdict(finding, reported.recovered)],
      ["likely cause", cause ?? "none of the classic mistakes"],
      ...(agrees ? [] : [["the service's digest", `${String(reported.digest)} differs`] as const])
    ]),
    advice
  ]
  return {
    json: { signed, trace, ...finding, likelyCause: cause, digestAgrees: agrees, advice },
    text: text.join("\n"),
    exitCode: finding?.valid === true && agrees ? ExitCode.ok : ExitCode.failedCheck
  }
}

export const verifyCommand: Command = {
  name: "verify",
  summary:
    "Explain offline why a request's signature fails: every hash on the way, who signed, and the likely mistake.",
  details:
    "Either --problem with the problem object of INVALID_SIGNATURE or AUTH_EXPIRED, or the pieces: --audience, --method, --target, a --header for each header sent, and --body-file. Nothing is sent anywhere.",
  flags: [
    {
      name: "problem",
      value: "<file>",
      help: "The problem as JSON, also as this program printed it with --json."
    },
    { name: "audience", value: "<URL>", help: "What the signature is bound to." },
    { name: "method", value: "<method>", help: "The HTTP method." },
    { name: "target", value: "<target>", help: "The exact path and query." },
    { name: "header", value: "<Name: value>", help: "A header as it was sent; repeated.", repeatable: true },
    { name: "body-file", value: "<file>", help: "The exact body; absent where there was none." },
    { name: "signature", value: "<hex>", help: "By default the X-Service-Signature header." }
  ],
  run: async input => verified(await signedParts(input))
}
