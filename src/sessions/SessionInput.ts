/** What a session is asked to allow. */
import { Schema } from "effect"
import {
  Address,
  Bytes32,
  ChainId,
  GrantId,
  PositiveUint256,
  Uint256,
  UnixSeconds
} from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { MAXIMUM_POLICY_MEMBERS } from "./GuardState.ts"

export const SESSION_DAYS = [7, 30] as const
export const MAXIMUM_SESSION_CALLS = 100_000
export const MAXIMUM_SESSION_PAYMASTER_DATA = 1_024
const ALLOCATIONS_PER_GROUP = 8
const MAXIMUM_GENERATION = (1n << 64n) - 1n
const MAXIMUM_128 = (1n << 128n) - 1n

const within = (most: bigint, description: string) =>
  PositiveUint256.pipe(
    Schema.filter(text => BigInt(text) <= most, { message: () => description, jsonSchema: {} })
  ).annotations({ description })

const PositiveUint128 = within(MAXIMUM_128, "a canonical decimal string above zero of at most 128 bits")

const Generation = within(MAXIMUM_GENERATION, "a canonical decimal string from 1 to 2^64-1")

const SessionNonce = Bytes32.pipe(
  Schema.filter(nonce => BigInt(nonce) > 0n, { message: () => "32 bytes that are not zero", jsonSchema: {} })
).annotations({ description: "32 bytes that are not zero, which no session of the wallet had before" })

const Name = Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9._-]{1,64}$/)).annotations({
  description: "1 to 64 letters, digits, dots, underscores and dashes"
})

/** One operation at its ceilings is within the totals. */
export const GasBudget = strict({
  paymaster: Schema.NullOr(Address).annotations({
    description: "one that the wallet's manifest pins, or null where the wallet pays"
  }),
  paymasterDataLength: Schema.Int.pipe(Schema.between(0, MAXIMUM_SESSION_PAYMASTER_DATA)),
  maxGasPerOperation: PositiveUint128,
  maxFeePerGas: PositiveUint128,
  maxPriorityFeePerGas: Uint256,
  totalGasLimit: PositiveUint256,
  totalCostLimit: PositiveUint256
})
  .pipe(
    Schema.filter(budget => {
      const gas = BigInt(budget.maxGasPerOperation)
      const fee = BigInt(budget.maxFeePerGas)
      if (budget.paymaster === null && budget.paymasterDataLength > 0)
        return { path: ["paymasterDataLength"], message: "0 where no paymaster pays" }
      if (BigInt(budget.maxPriorityFeePerGas) > fee)
        return { path: ["maxPriorityFeePerGas"], message: "at most maxFeePerGas" }
      if (BigInt(budget.totalGasLimit) < gas)
        return { path: ["totalGasLimit"], message: "at least maxGasPerOperation" }
      return BigInt(budget.totalCostLimit) < gas * fee
        ? { path: ["totalCostLimit"], message: "at least maxGasPerOperation times maxFeePerGas" }
        : true
    })
  )
  .annotations({
    identifier: "SessionGasBudget",
    description:
      "What operations of the session may use and cost, in gas and in wei; what is counted is what they may use at most."
  })
export type GasBudget = typeof GasBudget.Type

const AskedAllocation = strict({
  id: Name,
  chainId: ChainId,
  asset: Address.annotations({
    description: "a reviewed asset of the chain; 0x000000000000000000000000000000000000EEEe is its native one"
  }),
  limit: PositiveUint256
})
export type AskedAllocation = typeof AskedAllocation.Type

export const AllocationGroup = strict({
  id: Name,
  total: PositiveUint256,
  allocations: Schema.Array(AskedAllocation).pipe(Schema.minItems(1), Schema.maxItems(ALLOCATIONS_PER_GROUP))
}).annotations({
  identifier: "AllocationGroup",
  description:
    "What may be spent of one asset on several chains: the limits are within the total, the assets are of one identity and have the same decimals. A session enforces those of its own chain alone."
})
export type AllocationGroup = typeof AllocationGroup.Type

const ProjectUriAction = strict({
  kind: Schema.Literal("v6-project-uri"),
  controller: Address,
  projectId: PositiveUint256
})
export type ProjectUriAction = typeof ProjectUriAction.Type

const spending = {
  allocationId: Name.annotations({ description: "the allocation of the wallet's chain that is spent" }),
  beneficiary: Address.annotations({ description: "who receives it, and nobody else; never the wallet" }),
  perCallLimit: PositiveUint256,
  totalLimit: PositiveUint256
}

const TokenTransferAction = strict({ kind: Schema.Literal("erc20-transfer"), ...spending })
export type TokenTransferAction = typeof TokenTransferAction.Type

const ProjectPayAction = strict({
  kind: Schema.Literal("v6-pay"),
  ...spending,
  terminal: Address,
  projectId: PositiveUint256,
  minReturnedTokens: Uint256
})
export type ProjectPayAction = typeof ProjectPayAction.Type

export const SessionActionInput = Schema.Union(
  ProjectUriAction,
  TokenTransferAction,
  ProjectPayAction
).annotations({
  identifier: "SessionActionInput",
  description: "A kind of call that the session key may make, and nothing beside it."
})
export type SessionActionInput = typeof SessionActionInput.Type

export const SESSION_ACTION_KINDS = ["v6-project-uri", "erc20-transfer", "v6-pay"] as const

const asked = {
  bindingId: Bytes32.annotations({ description: "the binding of the wallet to the account" }),
  grantId: GrantId.annotations({ description: "of the bot whose address is the session key" }),
  generation: Generation.annotations({
    description: "which of this key's sessions of the wallet it is; none has the same again"
  }),
  nonce: SessionNonce,
  validAfter: UnixSeconds.annotations({
    description: "from 60 seconds before the head of the wallet's chain to a day after it"
  }),
  durationDays: Schema.Literal(...SESSION_DAYS),
  maximumCalls: Schema.Int.pipe(Schema.between(1, MAXIMUM_SESSION_CALLS)),
  allocations: Schema.Array(AllocationGroup).pipe(Schema.maxItems(MAXIMUM_POLICY_MEMBERS)),
  actions: Schema.Array(SessionActionInput).pipe(Schema.minItems(1), Schema.maxItems(MAXIMUM_POLICY_MEMBERS))
}

export const SessionInput = strict({ ...asked, gasBudget: GasBudget })
export type SessionInput = typeof SessionInput.Type

export const SessionReviewInput = strict({
  ...asked,
  gasBudget: Schema.optionalWith(GasBudget, { exact: true })
})
export type SessionReviewInput = typeof SessionReviewInput.Type
