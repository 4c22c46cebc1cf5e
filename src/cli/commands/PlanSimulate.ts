import type { AssetChange, AssetChanges } from "../../plans/Simulation.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { facts } from "../Table.ts"
import { nativeAmount } from "../Values.ts"

const changeText = (change: AssetChange): string => {
  const ends = `from ${change.from} to ${change.to}`
  if (change.kind === "native") return `${nativeAmount(change.amount)} ${ends}`
  return change.kind === "erc20"
    ? `${change.amount} of token ${change.token} ${ends}`
    : `item ${change.tokenId} of ${change.token} ${ends}`
}

const changeRows = (assets: AssetChanges): ReadonlyArray<readonly [string, string]> =>
  assets.status === "known"
    ? assets.changes.map(change => ["moves", changeText(change)])
    : [["moves", `unknown: ${assets.reason}`]]

export const planSimulate: Command = {
  name: "plan simulate",
  takes: "<plan id> <step>",
  least: 2,
  most: 2,
  summary: "Run a step's exact call as the planned wallet at one block, without sending it.",
  flags: signedFlags,
  run: async (input, terminal) => {
    const index = input.step(1)
    const { client } = await connect(input, terminal)
    const simulation = await client.plans.simulate(input.needed(0), index)
    const text = facts([
      ["succeeds at", `chain ${simulation.chainId} block ${simulation.blockNumber} ${simulation.blockHash}`],
      ["returns", simulation.result],
      ["estimated gas", simulation.estimatedGas],
      ...changeRows(simulation.assetChanges),
      ...simulation.limitations.map(limitation => ["limitation", limitation] as const)
    ])
    return { json: simulation, text }
  }
}
