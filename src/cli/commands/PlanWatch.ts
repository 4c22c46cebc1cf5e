import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { timeoutFlag, watched } from "../Watch.ts"

export const planWatch: Command = {
  name: "plan watch",
  takes: "<plan id>",
  least: 1,
  most: 1,
  summary: "Follow a plan until it is decided or waits for a signature; exit code 5 unless it is confirmed.",
  flags: [...signedFlags, timeoutFlag, { name: "step", value: "<step>", help: "Follow this step alone." }],
  run: async (input, terminal) => {
    const { client } = await connect(input, terminal)
    return watched(client, terminal, input.needed(0), {
      step: input.integer("step"),
      seconds: input.integer("timeout")
    })
  }
}
