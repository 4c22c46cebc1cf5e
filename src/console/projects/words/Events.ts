/** What an indexed event says, as one sentence of whoever caused it. */

import type { EntityRow } from "../../../indexer/Entities.ts"
import { exact, type Piece, quoted, words } from "../../../review/Words.ts"
import { type Asset, assetOf, assetPieces, tokenCount } from "./Assets.ts"

export type EventRow = EntityRow<"activityEvent">

/** What is asked of each event. */
const DETAILS = {
  payEvent: ["amount", "newlyIssuedTokenCount", "beneficiary", "memo"],
  cashOutTokensEvent: ["cashOutCount", "reclaimAmount", "beneficiary"],
  sendPayoutsEvent: ["amountPaidOut", "fee"],
  sendPayoutToSplitEvent: ["netAmount", "beneficiary", "splitProjectId"],
  addToBalanceEvent: ["amount", "memo"],
  useAllowanceEvent: ["amount", "beneficiary", "memo"],
  manualMintTokensEvent: ["beneficiaryTokenCount", "beneficiary", "memo"]
} as const

const HEAD = ["id", "chainId", "projectId", "timestamp", "txHash", "from", "type"]
const PROJECT = ["name", "token", "tokenSymbol", "decimals", "tokens"]

export const EVENT_FIELDS: ReadonlyArray<string> = [
  ...HEAD,
  ...PROJECT.map(field => `project.${field}`),
  ...Object.entries(DETAILS).flatMap(([name, fields]) => fields.map(field => `${name}.${field}`))
]

const LONGEST_MEMO = 140

const memoPieces = (memo: string | null | undefined): ReadonlyArray<Piece> =>
  memo === null || memo === undefined || memo === "" ? [] : [words(", saying "), quoted(memo, LONGEST_MEMO)]

/** Where no details are known or shown, in the order of the kinds. */
const PLAIN: Readonly<Record<string, string>> = {
  accountingSyncEvent: "Told another chain of the project's account",
  addNftTierEvent: "Added an item to the shop",
  addToBalanceEvent: "Added to the balance",
  autoIssueEvent: "Issued tokens that the revnet had promised",
  borrowLoanEvent: "Borrowed against tokens",
  bridgeClaimEvent: "Claimed tokens that came over a bridge",
  bridgeToOutboxEvent: "Prepared tokens for a bridge",
  bridgeToRemoteEvent: "Sent what was prepared over a bridge",
  burnEvent: "Burned tokens",
  buybackPoolEvent: "Set a pool to buy tokens back from",
  cashOutTokensEvent: "Cashed out tokens",
  decorateAvatarEvent: "Decorated an avatar",
  deployErc20Event: "Deployed the project's token",
  inboxRootReceivedEvent: "Received news over a bridge",
  liquidateLoanEvent: "Liquidated a loan",
  manualBurnEvent: "Burned tokens by hand",
  manualMintTokensEvent: "Minted tokens by hand",
  mintNftEvent: "Minted an item of the shop",
  mintTokensEvent: "Minted tokens",
  operatorPermissionsSetEvent: "Set what an operator may do",
  payEvent: "Paid the project",
  projectCreateEvent: "Created the project",
  projectTransferEvent: "Handed the project to another owner",
  reallocateLoanEvent: "Moved a loan's collateral",
  removeNftTierEvent: "Removed an item from the shop",
  repayLoanEvent: "Repaid a loan",
  rulesetQueuedEvent: "Queued a ruleset",
  sendPayoutsEvent: "Sent payouts",
  sendPayoutToSplitEvent: "Paid out to one of the receivers",
  sendReservedTokensToSplitEvent: "Sent reserved tokens to one of their receivers",
  sendReservedTokensToSplitsEvent: "Sent the reserved tokens",
  setUriEvent: "Set the project's metadata",
  swapEvent: "Swapped tokens in a pool",
  useAllowanceEvent: "Took of the allowance"
}

type Teller = (event: EventRow, asset: Asset | undefined) => ReadonlyArray<Piece> | null | undefined

const value = (digits: string | undefined, asset: Asset | undefined): ReadonlyArray<Piece> =>
  digits === undefined ? [words("an amount that is not known")] : assetPieces(digits, asset)

const count = (digits: string | undefined): ReadonlyArray<Piece> =>
  digits === undefined ? [words("a number of tokens that is not known")] : tokenCount(digits)

const to = (address: string | undefined): ReadonlyArray<Piece> =>
  address === undefined ? [] : [words(" to "), exact(address)]

const TELLERS: Readonly<Record<keyof typeof DETAILS, Teller>> = {
  payEvent: ({ payEvent }, asset) =>
    payEvent && [
      words("Paid "),
      ...value(payEvent.amount, asset),
      words(", which issued "),
      ...count(payEvent.newlyIssuedTokenCount),
      ...to(payEvent.beneficiary),
      ...memoPieces(payEvent.memo)
    ],
  cashOutTokensEvent: ({ cashOutTokensEvent: cashOut }, asset) =>
    cashOut && [
      words("Cashed out "),
      ...count(cashOut.cashOutCount),
      words(" for "),
      ...value(cashOut.reclaimAmount, asset),
      ...to(cashOut.beneficiary)
    ],
  sendPayoutsEvent: ({ sendPayoutsEvent: payouts }, asset) =>
    payouts && [
      words("Sent payouts of "),
      ...value(payouts.amountPaidOut, asset),
      words(", with a fee of "),
      ...value(payouts.fee, asset)
    ],
  sendPayoutToSplitEvent: ({ sendPayoutToSplitEvent: payout }, asset) =>
    payout && [
      words("Paid out "),
      ...value(payout.netAmount, asset),
      ...(payout.splitProjectId ? [words(` to project ${payout.splitProjectId}`)] : to(payout.beneficiary))
    ],
  addToBalanceEvent: ({ addToBalanceEvent: added }, asset) =>
    added && [
      words("Added "),
      ...value(added.amount, asset),
      words(" to the balance"),
      ...memoPieces(added.memo)
    ],
  useAllowanceEvent: ({ useAllowanceEvent: used }, asset) =>
    used && [
      words("Took "),
      ...value(used.amount, asset),
      words(" of the allowance"),
      ...to(used.beneficiary),
      ...memoPieces(used.memo)
    ],
  manualMintTokensEvent: ({ manualMintTokensEvent: minted }) =>
    minted && [
      words("Minted "),
      ...count(minted.beneficiaryTokenCount),
      ...to(minted.beneficiary),
      ...memoPieces(minted.memo)
    ]
}

const isTold = (type: string): type is keyof typeof DETAILS => Object.hasOwn(TELLERS, type)

/** An event of which the source gives less than its type promises is told by its type alone. */
export const eventPieces = (event: EventRow, asset: Asset | undefined): ReadonlyArray<Piece> => {
  const type = event.type ?? ""
  const told = isTold(type) ? TELLERS[type](event, asset) : undefined
  if (told !== undefined && told !== null) return told
  const plain = Object.hasOwn(PLAIN, type) ? PLAIN[type] : undefined
  if (plain !== undefined) return [words(plain)]
  return type === ""
    ? [words("Something of which the index tells no kind")]
    : [words("An event of the kind "), exact(type)]
}

/** Of a project that accounts in one token alone. */
export const soleAsset = (project: EntityRow<"project">): Asset | undefined => {
  const { token, decimals, tokens, tokenSymbol } = project
  if (typeof token !== "string" || typeof decimals !== "number" || tokens?.length !== 1) return undefined
  return assetOf(token, decimals, tokenSymbol)
}
