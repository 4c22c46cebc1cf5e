/** What the simulation of a step says: its result, its cost and the transfers it would cause. */
import { Schema } from "effect"
import { Address, Bytes32, ChainId, Hex, PlanId, Uint256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { StepIndex } from "./Plan.ts"

const checksummed = Schema.typeSchema(Address)
const ends = { from: checksummed, to: checksummed }

export const AssetChange = Schema.Union(
  strict({ kind: Schema.Literal("native"), amount: Uint256, ...ends }),
  strict({ kind: Schema.Literal("erc20"), token: checksummed, amount: Uint256, ...ends }),
  strict({ kind: Schema.Literal("erc721"), token: checksummed, tokenId: Uint256, ...ends })
).annotations({ identifier: "AssetChange" })
export type AssetChange = typeof AssetChange.Type

export const AssetChanges = Schema.Union(
  strict({ status: Schema.Literal("known"), changes: Schema.Array(AssetChange) }),
  strict({ status: Schema.Literal("unknown"), reason: Schema.String })
).annotations({
  identifier: "AssetChanges",
  description: "Transfers in the logs of eth_simulateV1; a token that logs none is not seen."
})
export type AssetChanges = typeof AssetChanges.Type

export const Simulation = strict({
  planId: PlanId,
  commitment: Bytes32,
  stepIndex: StepIndex,
  simulated: Schema.Literal(true),
  chainId: ChainId,
  blockNumber: Uint256,
  blockHash: Bytes32,
  result: Hex,
  estimatedGas: Uint256,
  assetChanges: AssetChanges,
  limitations: Schema.Array(Schema.String)
}).annotations({ identifier: "Simulation" })
export type Simulation = typeof Simulation.Type
