import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { timeoutFlag, timeoutOf, watched } from "../Watch.ts"

const LAST_STEP = 31

export const planWatch: Command = {
  name: "plan watch",
  takes: "<plan id>",
  summary: "Follow a plan until it is decided or waits for a signature; exit code 5 unless it is confirmed.",
  flags: [...signedFlags, timeoutFlag, { name: "step", value: "<step>", help: "Follow this step alone." }],
  run: async (input, terminal) => {
    const step = input.integer("step", 0, LAST_STEP)
    const seconds = timeoutOf(input)
    const { client } = await connect(input, terminal)
    return watched(client, terminal, input.needed(0), { step, seconds })
  }
}
