/** What the index keeps of a project over time, and how much of it was asked for. */
import type { EntityName } from "../../../indexer/Entities.ts"
import type { Network } from "../../../indexer/IndexerSchemas.ts"
import { turnsOf } from "../../app/Turns.ts"
import { type Listed, leftOut, listMore, type Reader } from "./Listed.ts"

export interface IndexedPlace {
  readonly network: Network
  readonly chainId: number
  readonly projectId: string
}

export interface History {
  readonly moments: Listed<"projectMoment">
  readonly payouts: Listed<"sendPayoutsEvent">
  readonly queued: Listed<"rulesetQueuedEvent">
  readonly starts: Listed<"cashOutTaxSnapshot">
  /** Unix seconds up to which the source has followed the chain; undefined where it does not tell. */
  readonly followedTo: number | undefined
}

const newest = (field: string) => ({ field, direction: "desc" }) as const

const hasMore = ({ cursor }: { readonly cursor: string | null }): boolean => cursor !== null

export const isWhole = (history: History): boolean =>
  ![history.moments, history.payouts, history.queued, history.starts].some(hasMore)

/** The latest of each, or those behind what is there. */
export const readHistory = async (
  reader: Reader,
  place: IndexedPlace,
  before?: History
): Promise<History> => {
  const turn = turnsOf(reader)
  const more = <Name extends EntityName>(entity: Name, orderBy: string, had?: Listed<Name>) =>
    had?.cursor === null
      ? Promise.resolve(had)
      : turn(() => listMore(reader, entity, { ...place, orderBy: newest(orderBy) }, had))
  const [{ chains }, moments, payouts, queued, starts] = await Promise.all([
    turn(() => reader.client.indexer.status(place.network)),
    more("projectMoment", "block", before?.moments),
    more("sendPayoutsEvent", "timestamp", before?.payouts),
    more("rulesetQueuedEvent", "timestamp", before?.queued),
    more("cashOutTaxSnapshot", "rulesetId", before?.starts)
  ])
  const followedTo = chains.find(({ chainId }) => chainId === place.chainId)?.timestamp ?? undefined
  return { followedTo, moments, payouts, queued, starts }
}

export const lostPayouts = ({ payouts }: History): number => leftOut(payouts).length
