import { simulationRows } from "../../review/SimulationRows.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { rowsText } from "../PlanText.ts"

export const planSimulate: Command = {
  name: "plan simulate",
  takes: "<plan id> <step>",
  summary: "Run a step's exact call as the planned wallet at one block, without sending it.",
  flags: signedFlags,
  run: async (input, terminal) => {
    const index = input.step(1)
    const { client } = await connect(input, terminal)
    const simulation = await client.plans.simulate(input.needed(0), index)
    return { json: simulation, text: rowsText(simulationRows(simulation)) }
  }
}
