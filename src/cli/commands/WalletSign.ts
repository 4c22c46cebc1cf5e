import { writeFile } from "node:fs/promises"
import { signPayload } from "../../client/Signer.ts"
import { operationRows } from "../../review/OperationRows.ts"
import { answerText, signaturesIn } from "../../review/OwnerAnswers.ts"
import { type OwnerRequest, payloadOf, readOwnerRequest } from "../../review/OwnerRequest.ts"
import { typedDataRows } from "../../review/SigningDigests.ts"
import { agreedOnTerminal } from "../Agree.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { ExitCode, usageFailure } from "../Failure.ts"
import { textFile } from "../Json.ts"
import { rowsText } from "../PlanText.ts"
import { isoSeconds } from "../Table.ts"

const toldOf = (request: OwnerRequest, now: number): string =>
  request.kind === "binding"
    ? `Binds the wallet ${request.state.address} on chain ${request.state.chainId} to ${request.challenge.accountId}, until ${isoSeconds(request.challenge.expiresAt)} where nobody used it by then.`
    : [
        `The wallet ${request.adapted.operation.sender} on chain ${request.adapted.chainId} calls:`,
        ...request.calls.map(({ to, value, decoded }) => `  ${decoded.function} of ${to} with ${value} wei`),
        rowsText(operationRows(request.adapted, now))
      ].join("\n")

const read = (text: string, audience: string, path: string): OwnerRequest => {
  try {
    return readOwnerRequest(text, audience)
  } catch {
    throw usageFailure(
      `The file ${path} asks for nothing that can be signed, or for something else than it says.`,
      "Have it written anew by --out."
    )
  }
}

export const walletSign: Command = {
  name: "wallet sign",
  takes: "<file>",
  summary: "Sign, as one of a wallet's owners, what another owner wrote to a file.",
  details:
    "The file asks to bind a wallet or to have it act. All of it is computed anew, and what it does is said before it is signed.",
  example: "service wallet sign request.json --key-file mine.json --out signature.json",
  flags: [
    ...signedFlags,
    { name: "yes", help: "Agree beforehand: nobody is asked." },
    { name: "out", value: "<file>", help: "Where the signature is written; else it is printed." }
  ],
  run: async (input, terminal) => {
    const path = input.needed(0)
    const { client, capabilities, identity } = await connect(input, terminal)
    const request = read(await textFile(path), capabilities.audience, path)
    terminal.note(toldOf(request, client.clock.seconds() * 1000))
    const payload = payloadOf(request)
    terminal.note(rowsText(typedDataRows(payload)))
    if (!(await agreedOnTerminal(input, terminal, "Sign it?", `the file ${path}`)))
      return { json: {}, text: "Nothing was signed.", exitCode: ExitCode.usage }
    const signature = await signPayload(identity.wallet, payload)
    const [part] = (await signaturesIn(signature, request.digest, [identity.wallet.address])).parts
    if (part === undefined) throw usageFailure("The key gave no signature of it.", "Sign by another key.")
    const text = answerText(request.digest, part)
    const out = input.value("out")
    if (out !== undefined) await writeFile(out, `${text}\n`)
    return { json: part, text: out === undefined ? text : `Signed as ${part.signer}: ${out}` }
  }
}
