/** A project's group as the indexed source has it: membership is a claim of the index that no chain has proved. */
import { Effect } from "effect"
import { telling } from "../indexer/Degrading.ts"
import { Indexer } from "../indexer/Indexer.ts"
import type { Degraded, IndexerStatus, Network } from "../indexer/IndexerSchemas.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { known, type Observed, observed, unknown } from "../values/Observed.ts"
import { findGroup, findProject, membersOf, networkOf } from "./IndexedProjects.ts"
import { degradedOf, type IndexedPage, type IndexedRow } from "./IndexedRows.ts"
import { type GroupRow, PROJECT_SEMANTICS, type ProjectRow } from "./IndexedSchemas.ts"
import { andThenObserved, coverageOf, mapObserved, SIDE_BY_SIDE } from "./Observations.ts"
import type { IndexedMember, Membership, OmnichainAnswer } from "./OmnichainSchemas.ts"
import type { GroupQuery } from "./OmnichainView.ts"
import { BridgePairNotVerified, ProjectNotFound } from "./refusals.ts"

const NOTES = [
  "Membership is what the source says; choose the source onchain to have it proved.",
  "Chains are indexed each at its own pace, and no row is pinned to a block."
]

type Indexed = Extract<OmnichainAnswer, { readonly source: "indexer" }>

const unproved = unknown(
  new BridgePairNotVerified({ detail: "The index says so; neither chain was asked about it." })
)

const membershipOf = (isOrigin: boolean): Membership =>
  isOrigin ? { status: "origin" } : { status: "unverified", bridges: [], verified: unproved }

const progressOf = (status: Observed<IndexerStatus>, chainId: number): IndexedMember["indexedUpTo"] =>
  andThenObserved(status, ({ chains }) => {
    const found = chains.find(chain => chain.chainId === chainId)
    return known({ block: found?.block ?? null, timestamp: found?.timestamp ?? null })
  })

const groupOf = Effect.fnUntraced(function* (network: Network, origin: ProjectRow, most: number) {
  return yield* Effect.all(
    {
      group: observed(findGroup(network, origin.suckerGroupId)),
      members: observed(membersOf(network, origin.suckerGroupId, most)),
      status: observed(Effect.flatMap(Indexer, indexer => indexer.status(network)))
    },
    SIDE_BY_SIDE
  )
})

interface Group {
  readonly group: Observed<IndexedRow<GroupRow>>
  readonly members: Observed<IndexedPage<ProjectRow>>
}

const cutOf = (members: Observed<IndexedPage<ProjectRow>>): ReadonlyArray<Degraded> =>
  members.status === "known" ? members.value.coverage.degraded : []

/** The origin is read by itself and among the members, and told of once. */
const degradedIn = (origin: Observed<IndexedRow<ProjectRow>>, found: Group | undefined) => {
  const all = [
    ...(degradedOf(origin).degraded ?? []),
    ...(found === undefined ? [] : [...(degradedOf(found.group).degraded ?? []), ...cutOf(found.members)])
  ]
  const byPlace = new Map(all.map(one => [canonicalJson([one.key, one.field ?? null]), one]))
  return telling([...byPlace.values()])
}

/** As the source counts, which may be more than one page holds. */
const countOf = ({ items, totalCount }: IndexedPage<ProjectRow>): number =>
  Math.max(totalCount ?? 0, items.length)

/** The origin first, so that no limit cuts it off. */
const originFirst = (items: ReadonlyArray<ProjectRow>, origin: ProjectRow): ReadonlyArray<ProjectRow> => [
  origin,
  ...items.filter(row => row.chainId !== origin.chainId || row.projectId !== origin.projectId)
]

export const showIndexedOmnichain = Effect.fn("IndexedOmnichain.show")(function* (query: GroupQuery) {
  const { chainId, projectId, maxMembers } = query
  const network = yield* networkOf(chainId)
  const origin = yield* observed(findProject(network, chainId, projectId))
  if (origin.status === "known" && origin.value.row === null)
    return yield* new ProjectNotFound({
      detail: "The indexed source has no such project.",
      context: { chainId, projectId }
    })
  const row = origin.status === "known" ? origin.value.row : null
  const found = row === null ? undefined : yield* groupOf(network, row, maxMembers)
  const rows: Observed<ReadonlyArray<ProjectRow>> =
    found === undefined || row === null
      ? andThenObserved(origin, () => known([]))
      : mapObserved(found.members, ({ items }) => originFirst(items, row).slice(0, maxMembers))
  const total =
    found === undefined ? mapObserved(rows, items => items.length) : mapObserved(found.members, countOf)
  const view: Omit<Indexed, "coverage"> = {
    source: "indexer",
    project: { chainId, projectId, version: 6 },
    group: {
      atomicAcrossChains: false,
      membersFound: total,
      truncated: total.status === "known" && rows.status === "known" && total.value > rows.value.length,
      maxMembers
    },
    indexedGroup:
      found === undefined
        ? andThenObserved(origin, () => known(null))
        : mapObserved(found.group, ({ row }) => row),
    members: mapObserved(rows, items =>
      items.map((item, index) => ({
        chainId: item.chainId,
        projectId: item.projectId,
        membership: membershipOf(index === 0),
        indexed: item,
        indexedUpTo: found === undefined ? unknown(undefined) : progressOf(found.status, item.chainId)
      }))
    ),
    ...degradedIn(origin, found),
    indexedSemantics: PROJECT_SEMANTICS
  }
  const answer: Indexed = { ...view, coverage: coverageOf(view, NOTES) }
  return answer
})
