/** Projects and their groups in the indexed source. */
import { Effect } from "effect"
import { Indexer } from "../indexer/Indexer.ts"
import type { Json, Network } from "../indexer/IndexerSchemas.ts"
import { LIMITS } from "../indexer/Limits.ts"
import { NetworkMismatch } from "../indexer/refusals.ts"
import { type IndexedPage, listRows, oneRow } from "./IndexedRows.ts"
import { GroupRow, ParticipantRow, ProjectRow } from "./IndexedSchemas.ts"

const NEWER = ["balanceUsd"]

const projects = {
  entity: "project",
  row: ProjectRow,
  fields: Object.keys(ProjectRow.fields),
  newer: NEWER
}

const groups = { entity: "suckerGroup", row: GroupRow, fields: Object.keys(GroupRow.fields), newer: NEWER }

const participants = {
  entity: "participant",
  row: ParticipantRow,
  fields: Object.keys(ParticipantRow.fields)
}

/** The network whose source has a chain. */
export const networkOf = (chainId: number): Effect.Effect<Network, NetworkMismatch, Indexer> =>
  Effect.flatMap(Indexer, indexer =>
    Effect.mapError(
      Effect.fromNullable(indexer.networkOf(chainId)),
      () => new NetworkMismatch({ detail: "No indexed source has this chain.", context: { chainId } })
    )
  )

interface Page {
  readonly network: Network
  readonly chainId?: number | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

const DIGITS = /^(?:0|[1-9][0-9]{0,9})$/

const matching = (query: string, suffix: "_contains" | "_contains_nocase"): Json => ({
  AND: [
    {
      OR: [
        { [`name${suffix}`]: query },
        { [`handle${suffix}`]: query },
        ...(DIGITS.test(query) ? [{ projectId: Number(query) }] : [])
      ]
    }
  ]
})

const CASED =
  "The source tells upper and lower case apart: names and handles were searched as they are written."

/** Newest first; all of them where the query is blank. */
export const searchIndexedProjects = (query: string, page: Page) => {
  const text = query.trim()
  const newest = { ...page, orderBy: { field: "createdAt", direction: "desc" } }
  if (text === "") return listRows(projects, newest)
  const older = { filters: matching(text, "_contains"), note: CASED }
  return listRows(projects, { ...newest, filters: matching(text, "_contains_nocase") }, older)
}

/** Null where the source has no such project. */
export const findProject = (network: Network, chainId: number, projectId: string) =>
  oneRow(projects, { network, chainId, projectId })

const MOST_MEMBERS = 100
const MOST_PAGES = 8

const joined = <A>(before: IndexedPage<A>, next: IndexedPage<A>): IndexedPage<A> => ({
  ...next,
  items: [...before.items, ...next.items],
  coverage: { ...next.coverage, degraded: [...before.coverage.degraded, ...next.coverage.degraded] }
})

/** By chain id; a page may have fewer than were asked for before the last one. */
export const membersOf = Effect.fnUntraced(function* (
  network: Network,
  groupId: string,
  most: number = MOST_MEMBERS
) {
  const behind = (cursor: string | null, held: number) =>
    listRows(projects, {
      network,
      filters: { suckerGroupId: groupId },
      orderBy: { field: "chainId" },
      limit: Math.min(most - held, LIMITS.maxRows),
      cursor: cursor ?? undefined
    })
  let found = yield* behind(null, 0)
  for (let pages = 1; pages < MOST_PAGES; pages++) {
    const { items, pageInfo } = found
    if (!pageInfo.hasNextPage || items.length >= most) break
    found = joined(found, yield* behind(pageInfo.endCursor, items.length))
  }
  return found
})

export const findGroup = (network: Network, id: string) => oneRow(groups, { network, id })

/** Newest first. */
export const participationsOf = (address: string, page: Page) =>
  listRows(participants, {
    ...page,
    filters: { address: address.toLowerCase() },
    orderBy: { field: "createdAt", direction: "desc" }
  })
