import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { lifecycled, lifecycleFlags } from "../SessionLifecycle.ts"

export const sessionActivate: Command = {
  name: "session activate",
  takes: "<session id>",
  summary: "Have a wallet's owners enable a session: as many sign as the wallet asks for.",
  details:
    "What the key may do is read from the bytes that are enabled, and said before anything is signed. The owners sign one operation that enables exactly these bytes. Owners whose keys are elsewhere sign a file, as with any command with --wallet. Run again after a crash: the same command goes on.",
  example:
    "service session activate 8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42 --bot 0x… --owner-key-file second.json",
  flags: [
    ...signedFlags,
    {
      name: "bot",
      value: "<address>",
      help: "The bot whose key it is: one of another key is refused. By default what the service tells of its grant."
    },
    ...lifecycleFlags
  ],
  keeps: true,
  run: async (input, terminal) => {
    const connection = await connect(input, terminal)
    const lifecycle = { kind: "activation", done: ["active"] } as const
    return lifecycled({ ...connection, input }, lifecycle, input.needed(0), terminal)
  }
}
