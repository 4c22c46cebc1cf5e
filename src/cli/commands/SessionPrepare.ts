import { SessionInput } from "../../sessions/SessionInput.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { keptPlaces, pendingWork } from "../Pending.ts"
import { preparedOnce } from "../PrepareOnce.ts"
import { chosenFor, filedSession, meaningOf, requestOfSession, sessionFileFlags } from "../SessionFile.ts"
import { sayPolicy } from "../Sessions.ts"
import { sessionText } from "../SessionText.ts"

export const sessionPrepare: Command = {
  name: "session prepare",
  takes: "<file>",
  summary: "Prepare a session of the file, and say what it lets its bot do; it gives no authority yet.",
  details:
    "The session that is stored is compiled anew here from the file and compared, byte by byte. Its wallet's owners then enable it. Run again after a crash: the same command finds the session that was prepared.",
  example: "service session prepare policy.json --wallet 0x… --bot 0x…",
  flags: [...signedFlags, ...sessionFileFlags],
  keeps: true,
  run: async (input, terminal) => {
    const connection = await connect(input, terminal)
    const { client } = connection
    const asked = await filedSession(connection, input)
    const { sessionKey } = asked
    const places = keptPlaces(connection, client.principalId, "session prepare", meaningOf(asked))
    const pending = pendingWork(terminal, places)
    const { session } = await preparedOnce(
      pending,
      terminal,
      (idempotencyKey, chosen) =>
        client.sessions.prepare(requestOfSession(SessionInput, asked, chosen), {
          idempotencyKey,
          sessionKey
        }),
      async () => chosenFor(connection, asked)
    )
    await sayPolicy(connection, terminal, session)
    await pending.forget()
    return { json: session, text: sessionText(session) }
  }
}
