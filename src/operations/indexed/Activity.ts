/** What an indexed event of a project says, by its type. */
import { Schema } from "effect"
import { Address, Bytes32, ChainId, Uint256, UnixSeconds } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"

const int = Schema.NullOr(Schema.Int)
const amount = Schema.String.pipe(Schema.pattern(/^(?:0|-?[1-9][0-9]*)$/)).annotations({
  description: "a decimal string in the units of the source"
})

/** Every related row tells whose it is. */
const identity = { id: Schema.String, chainId: ChainId, projectId: Uint256, version: Schema.Literal(6) }

const bridged = {
  sucker: Address,
  peerChainId: ChainId,
  token: Address,
  beneficiary: Schema.String,
  projectTokenCount: amount,
  terminalTokenAmount: amount,
  index: Schema.Int
}

const details = {
  payEvent: {
    beneficiary: Address,
    amount,
    amountUsd: amount,
    newlyIssuedTokenCount: amount,
    memo: Schema.NullOr(Schema.String),
    distributionFromProjectId: int,
    feeFromProject: int
  },
  cashOutTokensEvent: {
    beneficiary: Address,
    holder: Address,
    cashOutCount: amount,
    reclaimAmount: amount,
    reclaimAmountUsd: amount,
    cashOutTaxRate: amount,
    rulesetId: amount
  },
  sendPayoutsEvent: {
    amount,
    amountUsd: amount,
    amountPaidOut: amount,
    amountPaidOutUsd: amount,
    netLeftoverPayoutAmount: amount,
    fee: amount,
    feeUsd: amount,
    rulesetId: Schema.Int
  },
  sendPayoutToSplitEvent: {
    amount,
    netAmount: amount,
    amountUsd: amount,
    beneficiary: Address,
    percent: Schema.Int,
    splitProjectId: Schema.Int,
    hook: Address,
    group: amount,
    rulesetId: Schema.Int
  },
  bridgeToOutboxEvent: { ...bridged, root: Bytes32 },
  bridgeClaimEvent: { ...bridged, autoAddedToBalance: Schema.NullOr(Schema.Boolean) }
} as const

type Detail = keyof typeof details

const head = {
  ...identity,
  suckerGroupId: Schema.String,
  timestamp: UnixSeconds,
  txHash: Bytes32,
  from: Address,
  type: Schema.NullOr(Schema.String)
}

const fieldsOf = (name: Detail): ReadonlyArray<string> =>
  Object.keys(details[name]).map(field => `${name}.${field}`)

const detail = <A, I>(row: Schema.Schema<A, I>) => Schema.optionalWith(Schema.NullOr(row), { exact: true })

const moneyDetails = {
  payEvent: detail(strict({ ...identity, ...details.payEvent })),
  cashOutTokensEvent: detail(strict({ ...identity, ...details.cashOutTokensEvent })),
  sendPayoutsEvent: detail(strict({ ...identity, ...details.sendPayoutsEvent })),
  sendPayoutToSplitEvent: detail(strict({ ...identity, ...details.sendPayoutToSplitEvent }))
}

const bridgeDetails = {
  bridgeToOutboxEvent: detail(strict({ ...identity, ...details.bridgeToOutboxEvent })),
  bridgeClaimEvent: detail(strict({ ...identity, ...details.bridgeClaimEvent }))
}

const MoneyRow = strict({ ...head, ...moneyDetails })
const BridgeRow = strict({ ...identity, ...bridgeDetails })

/** All details at once are more fields than one query of the source takes. */
export const moneyRows = {
  entity: "activityEvent",
  row: MoneyRow,
  fields: [
    ...Object.keys(head),
    ...fieldsOf("payEvent"),
    ...fieldsOf("cashOutTokensEvent"),
    ...fieldsOf("sendPayoutsEvent"),
    ...fieldsOf("sendPayoutToSplitEvent")
  ]
}

export const bridgeRows = {
  entity: "activityEvent",
  row: BridgeRow,
  fields: [...Object.keys(identity), ...fieldsOf("bridgeToOutboxEvent"), ...fieldsOf("bridgeClaimEvent")]
}

export const BRIDGE_TYPES = new Set(Object.keys(bridgeDetails))

export const ActivityRow = strict({ ...head, ...moneyDetails, ...bridgeDetails }).annotations({
  identifier: "IndexedActivity",
  description: "One event; the member that its type names holds the details, the others are absent or null."
})
export type ActivityRow = typeof ActivityRow.Type
