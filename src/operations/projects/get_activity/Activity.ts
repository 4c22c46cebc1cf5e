/** What an indexed event of a project says, by its type. */
import { Schema } from "effect"
import { Unknown } from "../../../values/Observed.ts"
import { Address, Bytes32, ChainId, Uint256, UnixSeconds } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"

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

const fieldsOf = (names: ReadonlyArray<Detail>): ReadonlyArray<string> =>
  names.flatMap(name => Object.keys(details[name]).map(field => `${name}.${field}`))

/** By the type of the event. */
export const detailRows = {
  payEvent: strict({ ...identity, ...details.payEvent }),
  cashOutTokensEvent: strict({ ...identity, ...details.cashOutTokensEvent }),
  sendPayoutsEvent: strict({ ...identity, ...details.sendPayoutsEvent }),
  sendPayoutToSplitEvent: strict({ ...identity, ...details.sendPayoutToSplitEvent }),
  bridgeToOutboxEvent: strict({ ...identity, ...details.bridgeToOutboxEvent }),
  bridgeClaimEvent: strict({ ...identity, ...details.bridgeClaimEvent })
}

const detail = <A, I>(row: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(Schema.Union(row, Unknown)), { exact: true })

export const ActivityRow = strict({
  ...head,
  payEvent: detail(detailRows.payEvent),
  cashOutTokensEvent: detail(detailRows.cashOutTokensEvent),
  sendPayoutsEvent: detail(detailRows.sendPayoutsEvent),
  sendPayoutToSplitEvent: detail(detailRows.sendPayoutToSplitEvent),
  bridgeToOutboxEvent: detail(detailRows.bridgeToOutboxEvent),
  bridgeClaimEvent: detail(detailRows.bridgeClaimEvent)
}).annotations({
  identifier: "IndexedActivity",
  description:
    "One event; the member that its type names holds the details, unknown with the reason where the source holds them in another shape; the others are absent or null."
})
export type ActivityRow = typeof ActivityRow.Type

export const MONEY = ["payEvent", "cashOutTokensEvent", "sendPayoutsEvent", "sendPayoutToSplitEvent"] as const
export const BRIDGES = ["bridgeToOutboxEvent", "bridgeClaimEvent"] as const

const unread = Schema.optionalWith(Schema.Unknown, { exact: true })
const unreadOf = (names: ReadonlyArray<Detail>) => Object.fromEntries(names.map(name => [name, unread]))

/** All details at once are more fields than one query of the source takes. */
export const moneyRows = {
  entity: "activityEvent",
  row: strict({ ...head, ...unreadOf(MONEY) }),
  fields: [...Object.keys(head), ...fieldsOf(MONEY)]
}

export const bridgeRows = {
  entity: "activityEvent",
  row: strict({ ...identity, ...unreadOf(BRIDGES) }),
  fields: [...Object.keys(identity), ...fieldsOf(BRIDGES)]
}

type Bridge = (typeof BRIDGES)[number]

export const bridgeTypeOf = (type: string | null): Bridge | undefined => BRIDGES.find(name => name === type)
