import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { checkedSessionAt, namesOf } from "../Sessions.ts"
import { policyText, sessionText } from "../SessionText.ts"

export const sessionShow: Command = {
  name: "session show",
  takes: "<session id>",
  summary:
    "Show a session: what its key may do, by the bytes themselves, and where it stands at its guard now.",
  details: "Exit code 6 where its bytes or hashes are not what it tells.",
  flags: signedFlags,
  run: async (input, terminal) => {
    const connection = await connect(input, terminal)
    const session = await checkedSessionAt(connection, input.needed(0))
    const names = await namesOf(connection, session, session.chainId)
    return {
      json: session,
      text: `${policyText(session.compiled.encodedPolicy, names, session.id)}\n\n${sessionText(session)}`
    }
  }
}
