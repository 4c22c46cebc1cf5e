/** Which rows the events of suckers and of their registry become. */
import { getAddress } from "viem"
import type { Handler } from "./Happened.ts"
import { groupId, VERSION } from "./Writer.ts"

const addressesIn = (group: Readonly<Record<string, unknown>> | undefined): ReadonlyArray<unknown> =>
  Array.isArray(group?.addresses) ? group.addresses : []

export const onSuckerRegistry: Handler<"JBSuckerRegistry"> = async (writer, { args }, { origin }) => {
  const { projectId, sucker } = args
  const { chainId } = origin
  await writer.put("_sucker", { projectId: Number(projectId), chainId, version: VERSION, address: sucker })
  const id = groupId(chainId, projectId)
  const known = addressesIn(await writer.find("suckerGroup", { id }))
  await writer.put("suckerGroup", { id, addresses: [...known, sucker] })
}

/** What a contract emits under these names that the registry never told of is no sucker's. */
export const onSucker: Handler<"JBSucker"> = async (writer, event, { facts, origin }) => {
  const address = getAddress(event.log.address)
  const registered = await writer.find("_sucker", { chainId: origin.chainId, address })
  if (registered === undefined) return
  const state = facts.suckers.get(address)
  if (state === undefined) throw new Error("A sucker was not read.")
  const projectId = BigInt(String(registered.projectId))
  const { peer } = state
  const own = { sucker: address, peerChainId: Number(state.peerChainId) }
  switch (event.eventName) {
    case "InsertToOutboxTree": {
      const { metadata: _, index, ...row } = event.args
      const inserted = { ...own, ...row, peer, index: Number(index) }
      return writer.event("bridgeToOutboxEvent", origin, projectId, inserted)
    }
    case "RootToRemote": {
      const sent = { ...own, ...event.args, peer, index: Number(event.args.index) }
      return writer.event("bridgeToRemoteEvent", origin, projectId, sent)
    }
    case "NewInboxTreeRoot":
      return writer.event("inboxRootReceivedEvent", origin, projectId, { ...own, ...event.args })
    case "Claimed": {
      const claimed = { ...own, ...event.args, index: Number(event.args.index), autoAddedToBalance: true }
      return writer.event("bridgeClaimEvent", origin, projectId, claimed)
    }
    case "AccountingDataSynced": {
      const { sourceTimestamp, caller } = event.args
      const synced = { ...own, sourceTimestamp, sourceTimestampSeconds: sourceTimestamp >> 128n, caller }
      return writer.event("accountingSyncEvent", origin, projectId, synced)
    }
  }
}
