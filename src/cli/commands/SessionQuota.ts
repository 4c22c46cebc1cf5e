import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { namesOf } from "../Sessions.ts"
import { quotaText } from "../SessionText.ts"

export const sessionQuota: Command = {
  name: "session quota",
  takes: "<session id>",
  summary: "Show what is left of a session, by its guard's own counters.",
  flags: signedFlags,
  run: async (input, terminal) => {
    const connection = await connect(input, terminal)
    const { sessions } = connection.client
    const id = input.needed(0)
    const quota = await sessions.quota(id)
    const session = await sessions.show(id, { refresh: false })
    return {
      json: quota,
      text: quotaText(quota, session, await namesOf(connection, session, session.chainId))
    }
  }
}
