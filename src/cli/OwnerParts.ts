/** Owners' signatures of what a wallet is to do: by keys that are here, and from files that other owners wrote. */
import { hashTypedData } from "viem"
import { type Signer, signPayload, type TypedDataPayload } from "../client/Signer.ts"
import { signaturesIn } from "../review/OwnerAnswers.ts"
import { type OwnerRequest, ownerRequestText, payloadOf } from "../review/OwnerRequest.ts"
import { typedDataRows } from "../review/SigningDigests.ts"
import type { OwnerPart } from "../values/OwnerEnvelope.ts"
import type { CommandOutcome, CommandTerminal, Flag } from "./Command.ts"
import { usageFailure } from "./Failure.ts"
import type { LocalIdentity } from "./Identity.ts"
import type { Input } from "./Input.ts"
import { textFile } from "./Json.ts"
import { accountOfKey, readKeyFile } from "./KeyFile.ts"
import { requireWritable, writeOut } from "./OutFile.ts"
import { speechOn } from "./Signing.ts"
import { walletOfKey } from "./Wallet.ts"

export const ownerPartFlags: ReadonlyArray<Flag> = [
  {
    name: "out",
    value: "<file>",
    help: 'Where what is left to be signed is written, for the other owners: each signs it by "service wallet sign".'
  },
  {
    name: "add-signature",
    value: "<file>",
    help: "What another owner signed; repeat it for each.",
    repeatable: true
  }
]

export interface OwnerSigningWork {
  readonly input: Input
  readonly identity: LocalIdentity
}

export interface WhoSigns {
  readonly owners: ReadonlyArray<string>
  readonly threshold: number
}

const keysOf = async ({ input, identity }: OwnerSigningWork) => {
  const files = await Promise.all(input.all("owner-key-file").map(readKeyFile))
  return [identity.wallet, ...files.map(file => walletOfKey(accountOfKey(file)))]
}

const SIGNATURE = /0x[0-9a-f]{128}/i

/** Of a file that was written by --out its signatures alone, whatever else looks like one. */
const writtenIn = (text: string): string | undefined => {
  try {
    const { signatures } = Object(JSON.parse(text))
    return Array.isArray(signatures) ? signatures.join("\n") : undefined
  } catch {
    return undefined
  }
}

const ANEW =
  "Run the same command with --out <file> and without --add-signature, and have the other owners sign the file that it writes."

/** Of a file that was written by --out, or by who signed it; of a bare signature nothing is known. */
const digestIn = (text: string): string | undefined => {
  try {
    const { typedData, digest } = Object(JSON.parse(text))
    return typedData === undefined ? digest : hashTypedData(typedData)
  } catch {
    return undefined
  }
}

const signedIn = async (file: string, digest: string): Promise<string> => {
  const text = await textFile(file)
  if ((digestIn(text) ?? digest) !== digest)
    throw usageFailure(
      `The file ${file} is of something else than is to be signed now: that is over, or done.`,
      ANEW
    )
  const signed = writtenIn(text) ?? text
  if (signed !== "" && !SIGNATURE.test(signed))
    throw usageFailure(`The file ${file} holds no signature.`, "Add a file with an owner's signature.")
  return signed
}

/** Of the owners, over `digest`, in the one form that a wallet takes; whatever else a file holds is refused. */
export const addedParts = async (
  input: Input,
  digest: string,
  owners: ReadonlyArray<string>
): Promise<ReadonlyArray<OwnerPart>> => {
  const texts: Array<string> = []
  for (const file of input.all("add-signature")) texts.push(await signedIn(file, digest))
  const { parts, strange } = signaturesIn(texts.join("\n"), digest, owners)
  if (strange > 0) throw usageFailure("A signature that was added is no owner's, or of something else.", ANEW)
  return parts
}

/** By a key that is here, in that same form. */
export const partBy = async (key: Signer, payload: TypedDataPayload, digest: string): Promise<OwnerPart> => {
  const signature = await signPayload(key, payload)
  const [part] = signaturesIn(signature, digest, [key.address]).parts
  if (part === undefined)
    throw usageFailure(`${key.address} gave no signature of it.`, "Sign by another key.")
  return part
}

/** At most as many as are asked for; what is signed is told first. */
export const ownerParts = async (
  work: OwnerSigningWork,
  terminal: CommandTerminal,
  request: OwnerRequest,
  { owners, threshold }: WhoSigns
): Promise<ReadonlyArray<OwnerPart>> => {
  const known = new Set(owners.map(owner => owner.toLowerCase()))
  const payload = payloadOf(request)
  const parts = new Map(
    (await addedParts(work.input, request.digest, owners)).map(
      part => [part.signer.toLowerCase(), part] as const
    )
  )
  await requireWritable(work.input.value("out"))
  for (const key of await keysOf(work)) {
    const signer = key.address.toLowerCase()
    if (!known.has(signer) || parts.has(signer) || parts.size >= threshold) continue
    speechOn(terminal).foretell(`as the owner ${key.address}`, typedDataRows(payload))
    parts.set(signer, await partBy(key, payload, request.digest))
  }
  return [...parts.values()].slice(0, threshold)
}

/** Written for the other owners, or else refused. */
export const leftToOthers = async (
  { input }: OwnerSigningWork,
  request: OwnerRequest,
  parts: ReadonlyArray<OwnerPart>,
  threshold: number
): Promise<CommandOutcome> => {
  const signed = `${parts.length} of the ${threshold} owners that it takes signed.`
  const file = input.value("out")
  if (file === undefined)
    throw usageFailure(
      signed,
      "Give another owner's key with --owner-key-file, or write it to a file for that owner with --out."
    )
  const signatures = parts.map(({ signature }) => signature)
  const text = JSON.stringify({ ...Object(JSON.parse(ownerRequestText(request))), signatures }, null, 2)
  await writeOut(file, text)
  return {
    json: { digest: request.digest, signatures, threshold, file },
    text: `${signed} The rest is asked for by ${file}.\nNext: service wallet sign ${file} --out <signature> by each of them, then the same command with --add-signature ${file} --add-signature <signature>.`
  }
}
