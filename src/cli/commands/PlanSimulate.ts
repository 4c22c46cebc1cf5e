import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { facts } from "../Table.ts"

export const planSimulate: Command = {
  name: "plan simulate",
  takes: "<plan id> <step>",
  least: 2,
  most: 2,
  summary: "Run a step's exact call as the planned wallet at one block, without sending it.",
  flags: signedFlags,
  run: async (input, terminal) => {
    const { client } = await connect(input, terminal)
    const simulation = await client.plans.simulate(input.needed(0), input.step(1))
    const text = facts([
      ["succeeds at", `chain ${simulation.chainId} block ${simulation.blockNumber} ${simulation.blockHash}`],
      ["returns", simulation.result],
      ["estimated gas", simulation.estimatedGas],
      ["asset changes", JSON.stringify(simulation.assetChanges)],
      ...simulation.limitations.map(limitation => ["limitation", limitation] as const)
    ])
    return { json: simulation, text }
  }
}
