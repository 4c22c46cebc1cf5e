import { reviewAsked } from "../../review/AskedReview.ts"
import { answerText } from "../../review/OwnerAnswers.ts"
import { Misstated, type OwnerRequest, payloadOf, readOwnerRequest } from "../../review/OwnerRequest.ts"
import { typedDataRows } from "../../review/SigningDigests.ts"
import { agreedOnTerminal } from "../Agree.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { CliFailure, ExitCode, usageFailure } from "../Failure.ts"
import { textFile } from "../Json.ts"
import { requireWritable, writeOut } from "../OutFile.ts"
import { partBy } from "../OwnerParts.ts"
import { askedText } from "../PlanText.ts"
import { indented } from "../Table.ts"

const notAsSaid = (path: string, dangers: ReadonlyArray<string>): CliFailure =>
  new CliFailure(
    ExitCode.failedCheck,
    `The file ${path} is not what it says; nothing was signed:\n${indented(dangers.join("\n"))}`,
    "Sign nothing of it elsewhere either. Ask the other owner what it is for."
  )

const overAlready = (path: string): CliFailure =>
  usageFailure(`What the file ${path} asks for has ended; nothing was signed.`, "Ask for a new one.")

const read = (text: string, audience: string, path: string): OwnerRequest => {
  try {
    return readOwnerRequest(text, audience)
  } catch (failure) {
    if (failure instanceof Misstated) throw notAsSaid(path, [failure.message])
    throw usageFailure(
      `The file ${path} asks for nothing that can be signed.`,
      "Have it written anew by --out."
    )
  }
}

export const walletSign: Command = {
  name: "wallet sign",
  takes: "<file>",
  summary: "Sign, as one of a wallet's owners, what another owner wrote to a file.",
  details:
    "The file asks to bind a wallet or to have it act. All of it is computed anew, and what it does is read from its own bytes and said before it is signed. What is not what it says is refused with exit code 6.",
  example: "service wallet sign request.json --key-file mine.json --out signature.json",
  flags: [
    ...signedFlags,
    { name: "yes", help: "Agree beforehand: nobody is asked." },
    { name: "out", value: "<file>", help: "Where the signature is written; else it is printed." }
  ],
  run: async (input, terminal) => {
    const path = input.needed(0)
    const out = input.value("out")
    const { client, capabilities, identity } = await connect(input, terminal)
    const request = read(await textFile(path), capabilities.audience, path)
    const now = client.clock.seconds() * 1000
    const review = await reviewAsked(request, { client, capabilities, now })
    const payload = payloadOf(request)
    terminal.note(askedText(review, typedDataRows(payload)))
    if (review.dangers.length > 0) throw notAsSaid(path, review.dangers)
    if (review.endsAt * 1000 <= now) throw overAlready(path)
    if (!(await agreedOnTerminal(input, terminal, "Sign it?", `the file ${path}`)))
      return { json: {}, text: "Nothing was signed.", exitCode: ExitCode.usage }
    await requireWritable(out)
    const part = await partBy(identity.wallet, payload, request.digest)
    const text = answerText(request.digest, part)
    if (out !== undefined) await writeOut(out, text)
    return { json: part, text: out === undefined ? text : `Signed as ${part.signer}: ${out}` }
  }
}
