import { Schema } from "effect"
import { Evidence } from "../../values/Evidence.ts"
import { ObservedOf } from "../../values/Observed.ts"
import { Address, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { Project } from "../shared/inputs/Parts.ts"

export const Loan = strict({
  amount: Uint256,
  collateral: Uint256,
  createdAt: Uint256,
  prepaidFeePercent: Uint256,
  prepaidDuration: Uint256,
  sourceToken: Address
}).annotations({
  identifier: "Loan",
  description:
    "The amount in base units of the source token, the collateral with 18 decimals, times in seconds; the percent is of 1000."
})

export type Loan = typeof Loan.Type

const PermissionIds = Schema.Array(Schema.Int)

/** setPermissionsFor replaces what was granted for the project, so that a proposal keeps it. */
const PermissionProposal = strict({
  account: Address,
  operator: Address,
  projectId: Uint256,
  addedPermissionIds: PermissionIds,
  preserved: PermissionIds,
  resulting: PermissionIds
}).annotations({
  identifier: "PermissionProposal",
  description:
    "What the account would grant the operator: the permissions it has granted already and the added ones."
})

const LiquidProceeds = strict({ min: Uint256, max: Uint256 }).annotations({
  description:
    "What the beneficiary receives; the maximum is for the case that the REV and source fees are not taken."
})

export const LoanBasis = strict({
  operation: Schema.Literal("borrow"),
  project: Project,
  loans: Address,
  holder: Address,
  account: Schema.NullOr(Address),
  token: Address,
  tokenDecimals: Uint256,
  accountingCurrency: Uint256,
  collateralCount: Uint256,
  holderBalance: ObservedOf(Uint256),
  availableGrossDebt: Uint256,
  grossEconomicCapacity: Uint256,
  sourceTokenSurplus: Uint256,
  protocolFee: ObservedOf(Uint256),
  revFee: ObservedOf(Uint256),
  sourceFee: Uint256,
  liquidProceeds: ObservedOf(LiquidProceeds),
  prepaidFeePercent: Schema.Int,
  prepaidDuration: Uint256,
  liquidationDuration: Uint256,
  burnPermission: strict({
    granted: ObservedOf(Schema.Boolean),
    proposal: ObservedOf(Schema.NullOr(PermissionProposal))
  }),
  nftRecipient: Address,
  beneficiary: Address,
  evidence: Schema.Array(Evidence)
})
