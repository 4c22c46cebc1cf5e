/** Which rows an event becomes. */
import { type Address, hexToBigInt, isAddressEqual, size, zeroAddress } from "viem"
import type { Row } from "../Cursors.ts"
import { onSucker, onSuckerRegistry } from "./BridgeRows.ts"
import { rulesetKey } from "./Facts.ts"
import type { EventOf, Handler, Happened } from "./Happened.ts"
import { metadataIn } from "./Metadata.ts"
import type { ProtocolEvent } from "./ProtocolEvents.ts"
import { groupId, type Origin, VERSION, type Writer } from "./Writer.ts"

/** Amounts in dollars need a price that the local chain does not have. */
const UNPRICED = "0"

const projectKey = ({ chainId }: Origin, projectId: bigint): Row => ({
  chainId,
  projectId: Number(projectId),
  version: VERSION
})

const onProjects: Handler<"JBProjects"> = async (writer, { eventName, args }, { origin }) => {
  if (eventName === "Create") {
    const { projectId, owner, caller } = args
    const group = groupId(origin.chainId, projectId)
    const createdAt = origin.timestamp
    const key = projectKey(origin, projectId)
    await writer.put("suckerGroup", { id: group, version: VERSION, createdAt, projects: [group] })
    await writer.put("project", {
      ...key,
      id: group,
      suckerGroupId: group,
      createdAt,
      owner,
      deployer: caller,
      creator: origin.from,
      isRevnet: false
    })
    await writer.event("projectCreateEvent", origin, projectId, { caller })
  } else if (args.from !== zeroAddress)
    await writer.event("projectTransferEvent", origin, args.tokenId, {
      previousOwner: args.from,
      owner: args.to
    })
}

const holderKey = (origin: Origin, projectId: bigint, address: Address): Row => ({
  ...projectKey(origin, projectId),
  address
})

/** Who pays for a project's fee or payout is the terminal itself, and the project stands in the metadata. */
const paidBy = (
  { args }: Extract<EventOf<"JBMultiTerminal">, { readonly eventName: "Pay" }>,
  happened: Happened
) => {
  const terminal = happened.addresses.JBMultiTerminal
  const inside = terminal !== undefined && isAddressEqual(args.payer, terminal) && size(args.metadata) === 32
  if (!inside) return { feeFromProject: null, distributionFromProjectId: null }
  const projectId = Number(hexToBigInt(args.metadata))
  const reason = happened.next.find(
    ({ eventName }) => eventName === "ProcessFee" || eventName === "SendPayoutToSplit"
  )
  return reason?.eventName === "ProcessFee"
    ? { feeFromProject: projectId, distributionFromProjectId: null }
    : { feeFromProject: null, distributionFromProjectId: projectId }
}

const onPay = async (
  writer: Writer,
  event: Extract<EventOf<"JBMultiTerminal">, { readonly eventName: "Pay" }>,
  happened: Happened
): Promise<void> => {
  const { origin } = happened
  const { projectId, amount, beneficiary, memo, newlyIssuedTokenCount, caller } = event.args
  await writer.event("payEvent", origin, projectId, {
    ...paidBy(event, happened),
    amount,
    amountUsd: UNPRICED,
    beneficiary,
    memo,
    newlyIssuedTokenCount,
    caller
  })
  const key = holderKey(origin, projectId, beneficiary)
  const lastPaidTimestamp = origin.timestamp
  await ensureHolder(writer, origin, projectId, beneficiary)
  const isFirst = (await writer.find("participant", key))?.paymentsCount === 0
  await writer.add("participant", key, { volume: amount, paymentsCount: 1 })
  await writer.put("participant", { ...key, lastPaidTimestamp })
  await writer.add("wallet", { address: beneficiary }, { volume: amount })
  await writer.put("wallet", { address: beneficiary, lastPaidTimestamp })
  await writer.add("project", projectKey(origin, projectId), {
    paymentsCount: 1,
    volume: amount,
    contributorsCount: isFirst ? 1 : 0
  })
}

const ensureHolder = async (
  writer: Writer,
  origin: Origin,
  projectId: bigint,
  address: Address
): Promise<void> => {
  await writer.ensure("wallet", { address })
  await writer.ensure("participant", {
    ...holderKey(origin, projectId, address),
    suckerGroupId: groupId(origin.chainId, projectId),
    createdAt: origin.timestamp,
    isRevnet: false
  })
}

const onTerminal: Handler<"JBMultiTerminal"> = async (writer, event, happened) => {
  const { origin } = happened
  switch (event.eventName) {
    case "Pay":
      return onPay(writer, event, happened)
    case "AddToBalance": {
      const { projectId, amount, returnedFees, memo, metadata, caller } = event.args
      const row = { amount, amountUsd: UNPRICED, memo, metadata, returnedFees, caller }
      return writer.event("addToBalanceEvent", origin, projectId, row)
    }
    case "CashOutTokens": {
      const { projectId, ...row } = event.args
      const { reclaimAmount } = row
      await writer.event("cashOutTokensEvent", origin, projectId, { ...row, reclaimAmountUsd: UNPRICED })
      const key = projectKey(origin, projectId)
      return writer.add("project", key, { redeemCount: 1, redeemVolume: reclaimAmount })
    }
    case "SendPayouts": {
      const { projectId, rulesetId, rulesetCycleNumber, projectOwner: _, ...row } = event.args
      return writer.event("sendPayoutsEvent", origin, projectId, {
        ...row,
        amountUsd: UNPRICED,
        amountPaidOutUsd: UNPRICED,
        feeUsd: UNPRICED,
        rulesetId: Number(rulesetId),
        rulesetCycleNumber: Number(rulesetCycleNumber)
      })
    }
    case "SendPayoutToSplit": {
      const { projectId, rulesetId, split, ...row } = event.args
      return writer.event("sendPayoutToSplitEvent", origin, projectId, {
        ...row,
        ...splitColumns(split),
        amountUsd: UNPRICED,
        rulesetId: Number(rulesetId)
      })
    }
    case "UseAllowance": {
      const { projectId, rulesetId, rulesetCycleNumber, ...row } = event.args
      return writer.event("useAllowanceEvent", origin, projectId, {
        ...row,
        rulesetId: Number(rulesetId),
        rulesetCycleNumber: Number(rulesetCycleNumber)
      })
    }
  }
}

interface Split {
  readonly percent: number
  readonly projectId: bigint
  readonly beneficiary: Address
  readonly preferAddToBalance: boolean
  readonly lockedUntil: number
  readonly hook: Address
}

const splitColumns = ({ projectId, lockedUntil, ...split }: Split): Row => ({
  ...split,
  splitProjectId: Number(projectId),
  lockedUntil: String(lockedUntil)
})

const onController: Handler<"JBController"> = async (writer, event, { origin, addresses }) => {
  switch (event.eventName) {
    case "SetUri": {
      const { projectId, uri, caller } = event.args
      return writer.event("setUriEvent", origin, projectId, { uri, metadata: metadataIn(uri), caller })
    }
    case "MintTokens": {
      const { projectId, reservedPercent, ...row } = event.args
      const minted = { ...row, reservedPercent: String(reservedPercent) }
      await writer.event("mintTokensEvent", origin, projectId, minted)
      const terminal = addresses.JBMultiTerminal
      if (terminal !== undefined && isAddressEqual(row.caller, terminal)) return
      return writer.event("manualMintTokensEvent", origin, projectId, minted)
    }
    case "SendReservedTokensToSplit": {
      const { projectId, rulesetId, split, ...row } = event.args
      return writer.event("sendReservedTokensToSplitEvent", origin, projectId, {
        ...row,
        ...splitColumns(split),
        rulesetId: Number(rulesetId)
      })
    }
    case "SendReservedTokensToSplits": {
      const { projectId, rulesetId, rulesetCycleNumber, ...row } = event.args
      return writer.event("sendReservedTokensToSplitsEvent", origin, projectId, {
        ...row,
        rulesetId: Number(rulesetId),
        rulesetCycleNumber: Number(rulesetCycleNumber)
      })
    }
  }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** Credits go before tokens. A cash-out burns by the terminal; whoever else burns does so by hand. */
const onTokens: Handler<"JBTokens"> = async (writer, { eventName, args }, { origin, addresses, earlier }) => {
  if (eventName === "DeployERC20") {
    const { projectId, token, name, symbol, caller } = args
    return writer.event("deployErc20Event", origin, projectId, { token, name, symbol, caller })
  }
  if (eventName !== "Burn") return
  const { projectId, holder, count, creditBalance } = args
  const creditAmount = least(count, creditBalance)
  const burned = { from: holder, amount: count, creditAmount, erc20Amount: count - creditAmount }
  await writer.event("burnEvent", origin, projectId, burned)
  const burning = earlier.findLast(event => event.eventName === "BurnTokens")
  const terminal = addresses.JBMultiTerminal
  const byTerminal =
    burning?.eventName === "BurnTokens" &&
    terminal !== undefined &&
    isAddressEqual(burning.args.caller, terminal)
  if (!byTerminal) await writer.event("manualBurnEvent", origin, projectId, burned)
}

const onPermissions: Handler<"JBPermissions"> = async (writer, { args }, { origin }) => {
  const { projectId, permissionIds, operator, account, packed, caller } = args
  const permissions = [...permissionIds]
  const row = { operator, account, permissions, isRevnetOperator: false }
  await writer.event("operatorPermissionsSetEvent", origin, projectId, { ...row, packed, caller })
  await writer.put("permissionHolder", { ...projectKey(origin, projectId), ...row })
}

const CASH_OUT_TAX_BIT = 20n

const onRulesets: Handler<"JBRulesets"> = async (writer, { args }, { origin, facts }) => {
  const { projectId, rulesetId, metadata, duration } = args
  const state = facts.rulesets.get(rulesetKey(projectId, rulesetId))
  if (state === undefined) throw new Error("A queued ruleset was not read.")
  const cashOutTax = Number((metadata >> CASH_OUT_TAX_BIT) & 0xffffn)
  const { projectId: _, ...row } = args
  await writer.event("rulesetQueuedEvent", origin, projectId, {
    ...row,
    cashOutTax,
    cycleNumber: state.cycleNumber,
    basedOnId: state.basedOnId
  })
  await writer.put("cashOutTaxSnapshot", {
    ...projectKey(origin, projectId),
    suckerGroupId: groupId(origin.chainId, projectId),
    rulesetId,
    start: String(state.start),
    duration,
    cashOutTax
  })
}

export const writeEvent = async (writer: Writer, event: ProtocolEvent, happened: Happened): Promise<void> => {
  switch (event.contract) {
    case "JBProjects":
      return onProjects(writer, event, happened)
    case "JBMultiTerminal":
      return onTerminal(writer, event, happened)
    case "JBController":
      return onController(writer, event, happened)
    case "JBTokens":
      return onTokens(writer, event, happened)
    case "JBPermissions":
      return onPermissions(writer, event, happened)
    case "JBRulesets":
      return onRulesets(writer, event, happened)
    case "JBSuckerRegistry":
      return onSuckerRegistry(writer, event, happened)
    case "JBSucker":
      return onSucker(writer, event, happened)
  }
}
