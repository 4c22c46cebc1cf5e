/** The projects that a project's bridges lead to, each read on its own chain at its own block. */
import { Effect, Schema } from "effect"
import { PinnedContracts, type PinnedSnapshot } from "../protocol/PinnedContracts.ts"
import { known, type Observed, observed, unknown } from "../values/Observed.ts"
import { Address } from "../values/Scalars.ts"
import {
  type End,
  leadsHome,
  type OtherEnd,
  proveEnds,
  type Remotes,
  readEnd,
  remotesOf
} from "./BridgeIdentity.ts"
import { MOST_BRIDGES } from "./BridgesView.ts"
import { coreCalls } from "./CoreReads.ts"
import { finalityOf } from "./Finality.ts"
import { andThenObserved, atMost, both, coverageOf, mapObserved, SIDE_BY_SIDE } from "./Observations.ts"
import type { GroupMember, Membership, OmnichainAnswer } from "./OmnichainSchemas.ts"
import { readProject } from "./ProjectView.ts"

const NOTES = [
  "Members are the projects that bridges of the origin lead to; bridges between other members are not walked.",
  "Each member is read at a block of its own chain; the blocks are not of one moment."
]

export interface GroupQuery {
  readonly chainId: number
  readonly projectId: string
  readonly maxMembers: number
}

interface Joined {
  readonly end: End
  readonly other: OtherEnd
}

type Onchain = Extract<OmnichainAnswer, { readonly source: "onchain" }>

const chainOf = ({ end }: Joined): Observed<number> =>
  andThenObserved(end.peerChainId, chainId =>
    Number.isSafeInteger(Number(chainId)) && chainId !== "0" ? known(Number(chainId)) : unknown(undefined)
  )

/** Several bridges may lead to one project; those that are not proved stand for themselves. */
const grouped = (joined: ReadonlyArray<Joined>): ReadonlyArray<ReadonlyArray<Joined>> => {
  const byMember = new Map<string, Array<Joined>>()
  for (const each of joined) {
    const { end, other } = each
    const proved = both(other.verified, both(end.peerChainId, other.remoteProjectId))
    const key = proved.status === "known" ? proved.value[1].join("/") : end.address
    byMember.set(key, [...(byMember.get(key) ?? []), each])
  }
  const isProved = ([first]: ReadonlyArray<Joined>) => first?.other.verified.status === "known"
  const members = [...byMember.values()]
  return [...members.filter(isProved), ...members.filter(member => !isProved(member))]
}

const membershipOf = (bridges: ReadonlyArray<Joined>): Membership => {
  const ends = bridges.map(({ end }) => ({ sucker: end.address, peer: end.peer }))
  const doubt = bridges.map(({ other }) => other.verified).find(({ status }) => status === "unknown")
  return doubt !== undefined
    ? { status: "unverified", bridges: ends, verified: doubt }
    : { status: "proved", bridges: ends }
}

const remoteMember = Effect.fnUntraced(function* (bridges: ReadonlyArray<Joined>, remotes: Remotes) {
  const [first] = bridges
  if (first === undefined) return []
  const { end, other } = first
  const remote = andThenObserved(end.peerChainId, chainId => remotes.get(chainId) ?? unknown(undefined))
  const place = both(other.verified, both(remote, other.remoteProjectId))
  const read =
    place.status === "known"
      ? yield* Effect.all(
          {
            state: observed(readProject(place.value[1][0], place.value[1][1])),
            finality: finalityOf(place.value[1][0])
          },
          SIDE_BY_SIDE
        )
      : { state: place, finality: place }
  const member: GroupMember = {
    chainId: chainOf(first),
    projectId: other.remoteProjectId,
    membership: membershipOf(bridges),
    ...read,
    evidence: remote.status === "known" ? [remote.value.evidence] : []
  }
  return [member]
})

const bridgesOf = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, projectId: string) {
  const listed = yield* observed(
    snapshot.read("JBSuckerRegistry", "suckersOf", [projectId], Schema.Array(Address))
  )
  const addresses = atMost(MOST_BRIDGES, listed)
  if (addresses.status === "unknown") return addresses
  return known(yield* Effect.forEach(addresses.value, address => readEnd(snapshot, address), SIDE_BY_SIDE))
})

/** Without bridges that are proved to lead back to the origin. */
const joinedOf = Effect.fnUntraced(function* (
  { chainId, projectId }: GroupQuery,
  ends: Observed<ReadonlyArray<End>>
) {
  if (ends.status === "unknown") return { joined: [], remotes: new Map() }
  const home = { chainId, projectId }
  const remotes = yield* remotesOf(home, ends.value)
  const others = yield* proveEnds(home, ends.value, remotes, coreCalls)
  const joined = ends.value.flatMap((end, index): ReadonlyArray<Joined> => {
    const other = others[index]
    return other === undefined || (leadsHome(home, end) && other.verified.status === "known")
      ? []
      : [{ end, other }]
  })
  return { joined, remotes }
})

export const showOmnichain = Effect.fn("OmnichainView.show")(function* (query: GroupQuery) {
  const { chainId, projectId, maxMembers } = query
  const snapshot = yield* (yield* PinnedContracts).snapshotOf(chainId)
  const { state, ends, finality } = yield* Effect.all(
    {
      state: readProject(snapshot, projectId),
      ends: bridgesOf(snapshot, projectId),
      finality: finalityOf(snapshot)
    },
    SIDE_BY_SIDE
  )
  const { joined, remotes } = yield* joinedOf(query, ends)
  const groups = grouped(joined)
  const shown = groups.slice(0, maxMembers - 1)
  const peers = yield* Effect.forEach(shown, bridges => remoteMember(bridges, remotes), SIDE_BY_SIDE)
  const origin: GroupMember = {
    chainId: known(chainId),
    projectId: known(projectId),
    membership: { status: "origin" },
    state: known(state),
    evidence: [snapshot.evidence],
    finality
  }
  const view: Omit<Onchain, "coverage"> = {
    source: "onchain",
    project: { chainId, projectId, version: 6 },
    group: {
      atomicAcrossChains: false,
      membersFound: mapObserved(ends, () => groups.length + 1),
      truncated: groups.length > shown.length,
      maxMembers
    },
    members: [origin, ...peers.flat()]
  }
  const answer: Onchain = { ...view, coverage: coverageOf(view, NOTES) }
  return answer
})
