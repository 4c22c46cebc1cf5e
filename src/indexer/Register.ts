/** Written by `npm run inventory`. */
import type { EntityFacts } from "./EntityFacts.ts"
import { sucker } from "./entities/_sucker.ts"
import { accountingSyncEvent } from "./entities/accountingSyncEvent.ts"
import { activityEvent } from "./entities/activityEvent.ts"
import { addNftTierEvent } from "./entities/addNftTierEvent.ts"
import { addToBalanceEvent } from "./entities/addToBalanceEvent.ts"
import { autoIssueEvent } from "./entities/autoIssueEvent.ts"
import { borrowLoanEvent } from "./entities/borrowLoanEvent.ts"
import { bridgeClaimEvent } from "./entities/bridgeClaimEvent.ts"
import { bridgeToOutboxEvent } from "./entities/bridgeToOutboxEvent.ts"
import { bridgeToRemoteEvent } from "./entities/bridgeToRemoteEvent.ts"
import { burnEvent } from "./entities/burnEvent.ts"
import { buybackPool } from "./entities/buybackPool.ts"
import { buybackPoolEvent } from "./entities/buybackPoolEvent.ts"
import { buybackPoolLiquidityEvent } from "./entities/buybackPoolLiquidityEvent.ts"
import { buybackPoolPosition } from "./entities/buybackPoolPosition.ts"
import { buybackPoolRange } from "./entities/buybackPoolRange.ts"
import { cashOutTaxSnapshot } from "./entities/cashOutTaxSnapshot.ts"
import { cashOutTokensEvent } from "./entities/cashOutTokensEvent.ts"
import { decorateAvatarEvent } from "./entities/decorateAvatarEvent.ts"
import { deployErc20Event } from "./entities/deployErc20Event.ts"
import { inboxRootReceivedEvent } from "./entities/inboxRootReceivedEvent.ts"
import { liquidateLoanEvent } from "./entities/liquidateLoanEvent.ts"
import { loan } from "./entities/loan.ts"
import { manualBurnEvent } from "./entities/manualBurnEvent.ts"
import { manualMintTokensEvent } from "./entities/manualMintTokensEvent.ts"
import { mintNftEvent } from "./entities/mintNftEvent.ts"
import { mintTokensEvent } from "./entities/mintTokensEvent.ts"
import { nft } from "./entities/nft.ts"
import { nftHook } from "./entities/nftHook.ts"
import { nftTier } from "./entities/nftTier.ts"
import { operatorPermissionsSetEvent } from "./entities/operatorPermissionsSetEvent.ts"
import { participant } from "./entities/participant.ts"
import { participantSnapshot } from "./entities/participantSnapshot.ts"
import { payEvent } from "./entities/payEvent.ts"
import { permissionHolder } from "./entities/permissionHolder.ts"
import { project } from "./entities/project.ts"
import { projectCreateEvent } from "./entities/projectCreateEvent.ts"
import { projectMoment } from "./entities/projectMoment.ts"
import { projectPayer } from "./entities/projectPayer.ts"
import { projectTransferEvent } from "./entities/projectTransferEvent.ts"
import { reallocateLoanEvent } from "./entities/reallocateLoanEvent.ts"
import { removeNftTierEvent } from "./entities/removeNftTierEvent.ts"
import { repayLoanEvent } from "./entities/repayLoanEvent.ts"
import { rulesetQueuedEvent } from "./entities/rulesetQueuedEvent.ts"
import { sendPayoutsEvent } from "./entities/sendPayoutsEvent.ts"
import { sendPayoutToSplitEvent } from "./entities/sendPayoutToSplitEvent.ts"
import { sendReservedTokensToSplitEvent } from "./entities/sendReservedTokensToSplitEvent.ts"
import { sendReservedTokensToSplitsEvent } from "./entities/sendReservedTokensToSplitsEvent.ts"
import { setUriEvent } from "./entities/setUriEvent.ts"
import { storeAutoIssuanceAmountEvent } from "./entities/storeAutoIssuanceAmountEvent.ts"
import { suckerGroup } from "./entities/suckerGroup.ts"
import { suckerGroupMoment } from "./entities/suckerGroupMoment.ts"
import { suckerTransaction } from "./entities/suckerTransaction.ts"
import { swapEvent } from "./entities/swapEvent.ts"
import { useAllowanceEvent } from "./entities/useAllowanceEvent.ts"

export const register = {
  _sucker: sucker,
  accountingSyncEvent,
  activityEvent,
  addNftTierEvent,
  addToBalanceEvent,
  autoIssueEvent,
  borrowLoanEvent,
  bridgeClaimEvent,
  bridgeToOutboxEvent,
  bridgeToRemoteEvent,
  burnEvent,
  buybackPool,
  buybackPoolEvent,
  buybackPoolLiquidityEvent,
  buybackPoolPosition,
  buybackPoolRange,
  cashOutTaxSnapshot,
  cashOutTokensEvent,
  decorateAvatarEvent,
  deployErc20Event,
  inboxRootReceivedEvent,
  liquidateLoanEvent,
  loan,
  manualBurnEvent,
  manualMintTokensEvent,
  mintNftEvent,
  mintTokensEvent,
  nft,
  nftHook,
  nftTier,
  operatorPermissionsSetEvent,
  participant,
  participantSnapshot,
  payEvent,
  permissionHolder,
  project,
  projectCreateEvent,
  projectMoment,
  projectPayer,
  projectTransferEvent,
  reallocateLoanEvent,
  removeNftTierEvent,
  repayLoanEvent,
  rulesetQueuedEvent,
  sendPayoutToSplitEvent,
  sendPayoutsEvent,
  sendReservedTokensToSplitEvent,
  sendReservedTokensToSplitsEvent,
  setUriEvent,
  storeAutoIssuanceAmountEvent,
  suckerGroup,
  suckerGroupMoment,
  suckerTransaction,
  swapEvent,
  useAllowanceEvent
} as const satisfies Readonly<Record<string, EntityFacts>>

/** Own value to the source's, by enum. */
export const enums = {
  suckerTransactionStatus: {
    pending: "pending",
    claimable: "claimable",
    claimed: "claimed"
  },
  activityEventType: {
    accountingSyncEvent: "accountingSyncEvent",
    addNftTierEvent: "addNftTierEvent",
    addToBalanceEvent: "addToBalanceEvent",
    autoIssueEvent: "autoIssueEvent",
    borrowLoanEvent: "borrowLoanEvent",
    bridgeClaimEvent: "bridgeClaimEvent",
    bridgeToOutboxEvent: "bridgeToOutboxEvent",
    bridgeToRemoteEvent: "bridgeToRemoteEvent",
    burnEvent: "burnEvent",
    buybackPoolEvent: "buybackPoolEvent",
    cashOutTokensEvent: "cashOutTokensEvent",
    decorateAvatarEvent: "decorateBannyEvent",
    deployErc20Event: "deployErc20Event",
    inboxRootReceivedEvent: "inboxRootReceivedEvent",
    liquidateLoanEvent: "liquidateLoanEvent",
    manualBurnEvent: "manualBurnEvent",
    manualMintTokensEvent: "manualMintTokensEvent",
    mintNftEvent: "mintNftEvent",
    mintTokensEvent: "mintTokensEvent",
    operatorPermissionsSetEvent: "operatorPermissionsSetEvent",
    payEvent: "payEvent",
    projectCreateEvent: "projectCreateEvent",
    projectTransferEvent: "projectTransferEvent",
    reallocateLoanEvent: "reallocateLoanEvent",
    repayLoanEvent: "repayLoanEvent",
    removeNftTierEvent: "removeNftTierEvent",
    rulesetQueuedEvent: "rulesetQueuedEvent",
    sendPayoutToSplitEvent: "sendPayoutToSplitEvent",
    sendPayoutsEvent: "sendPayoutsEvent",
    sendReservedTokensToSplitEvent: "sendReservedTokensToSplitEvent",
    sendReservedTokensToSplitsEvent: "sendReservedTokensToSplitsEvent",
    setUriEvent: "setUriEvent",
    swapEvent: "swapEvent",
    useAllowanceEvent: "useAllowanceEvent"
  }
} as const
