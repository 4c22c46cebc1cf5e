import { SessionReviewInput } from "../../sessions/SessionInput.ts"
import type { Command, CommandOutcome } from "../Command.ts"
import { type Connection, connect, signedFlags } from "../Connection.ts"
import type { Input } from "../Input.ts"
import {
  chosenFor,
  exampleSession,
  filedSession,
  requestOfSession,
  sessionFileFlags
} from "../SessionFile.ts"
import { namesOf } from "../Sessions.ts"
import { policyText } from "../SessionText.ts"
import { indented } from "../Table.ts"
import { manifestFlag } from "../WalletManifest.ts"

const example = async (connection: Connection, input: Input): Promise<CommandOutcome> => {
  const file = await exampleSession(connection, input)
  return { json: file, text: JSON.stringify(file, null, 2) }
}

const reviewed = async (connection: Connection, input: Input): Promise<CommandOutcome> => {
  const asked = await filedSession(connection, input)
  const request = requestOfSession(SessionReviewInput, asked, chosenFor(connection, asked))
  const review = await connection.client.sessions.review(request)
  const { compiled, words, warnings } = review
  const binding = await connection.client.smartAccounts.show(asked.bindingId)
  const names = await namesOf(connection, request, binding.wallet.chainId)
  return {
    json: review,
    text: [
      compiled === undefined ? words.join("\n") : policyText(compiled.encodedPolicy, names, "under review"),
      ...(warnings.length === 0 ? [] : [`beware\n${indented(warnings.join("\n"))}`]),
      "Nothing is stored, and nothing is allowed by it. Next: service session prepare with the same file."
    ].join("\n\n")
  }
}

export const sessionReview: Command = {
  name: "session review",
  takes: "[<file>]",
  summary: "Say in sentences what a session of the file would let a bot do; nothing is stored.",
  details:
    "The file is JSON: {durationDays: 7 or 30, maximumCalls, gasBudget, allocations, actions}, amounts in the smallest unit as decimal strings. --example prints one for the service's own contracts, to be changed. nonce, generation and validAfter are chosen where the file has none.",
  example: "service session review policy.json --wallet 0x… --bot 0x…",
  flags: [
    ...signedFlags,
    ...sessionFileFlags,
    { name: "example", help: "Print a file that lets a bot tip a project, and ask nothing." },
    { name: "project", value: "<id>", help: "The project of the example; 1 by default." },
    manifestFlag
  ],
  run: async (input, terminal) => {
    const connection = await connect(input, terminal)
    return input.has("example") ? example(connection, input) : reviewed(connection, input)
  }
}
