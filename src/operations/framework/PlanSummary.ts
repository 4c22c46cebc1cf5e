/** What the summary of every prepared plan tells beside the operation's own members: information, never an approval. */
import { Schema } from "effect"
import { StepIndex } from "../../plans/Plan.ts"
import { ObservedOf } from "../../values/Observed.ts"
import { Address, Hex, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"

const checksummed = Schema.typeSchema(Address)

const WalletView = strict({
  native: strict({ balance: ObservedOf(Uint256), needed: Uint256 }),
  token: Schema.optionalWith(
    strict({
      token: checksummed,
      spender: checksummed,
      balance: ObservedOf(Uint256),
      allowance: Uint256,
      needed: Uint256
    }),
    { exact: true }
  )
}).annotations({
  identifier: "PlannedWallet",
  description:
    "What the wallet had at the plan's block and what the calls take, in base units; gas is not counted."
})
export type WalletView = typeof WalletView.Type

const StepSimulation = strict({
  stepIndex: StepIndex,
  returned: ObservedOf(Hex),
  estimatedGas: ObservedOf(Uint256)
}).annotations({
  identifier: "StepSimulation",
  description: "The exact call as the planned wallet at the plan's block, without any state override."
})
export type StepSimulation = typeof StepSimulation.Type

const Fees = strict({
  baseFeePerGas: Schema.NullOr(Uint256),
  gasPrice: Uint256,
  maximumFeePerGas: Uint256,
  maximumPriorityFeePerGas: Uint256
})

const GasView = strict({
  limits: Schema.Array(strict({ stepIndex: StepIndex, gas: ObservedOf(Uint256) })),
  fees: ObservedOf(Fees)
}).annotations({
  identifier: "GasSuggestion",
  description:
    "A suggestion for whoever signs: limits a fifth above the estimates, within the most of EIP-7825; fee caps for twice the block's base fee. It approves nothing."
})
export type GasView = typeof GasView.Type

export const PlanBasis = strict({
  wallet: WalletView,
  simulation: Schema.Array(StepSimulation).annotations({
    description: "of the calls that depend on no other"
  }),
  gas: GasView
})
export type PlanBasis = typeof PlanBasis.Type
