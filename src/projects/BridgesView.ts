/** A project's bridges: three round trips to its own chain, and three to each chain that they lead to. */
import { Effect, Schema } from "effect"
import { PinnedContracts, type PinnedSnapshot } from "../protocol/PinnedContracts.ts"
import { AccountingContext } from "../protocol/ProjectRecords.ts"
import { known, type Observed, observed } from "../values/Observed.ts"
import { Address, Uint256 } from "../values/Scalars.ts"
import { type End, type Home, type OtherEnd, proveEnds, readEnd, remotesOf } from "./BridgeIdentity.ts"
import { type LogRange, readBridge } from "./BridgeReads.ts"
import type { Bridge, BridgesView as View } from "./BridgeSchemas.ts"
import { andThenObserved, atMost, coverageOf, mapObserved, SIDE_BY_SIDE } from "./Observations.ts"
import { BridgeRangeInvalid, ProjectNotFound } from "./refusals.ts"

export const MOST_BRIDGES = 32
const MOST_TOKEN_STATES = 256
export const MOST_BLOCKS = 2_000n

const NOTES = [
  "Token states are those of the tokens that the canonical terminal accounts for.",
  "Accounts of other chains are the last that a message told, and may be stale.",
  "A bridge's receipt on this chain does not prove what happened on the other."
]

export interface BridgesQuery {
  readonly project: { readonly chainId: number; readonly projectId: string }
  readonly holder?: Address | undefined
  readonly fromBlock?: string | undefined
  readonly toBlock?: string | undefined
}

const invalid = (path: "fromBlock" | "toBlock", expected: string) =>
  new BridgeRangeInvalid({ context: { path, expected } })

const rangeOf = (
  query: BridgesQuery,
  head: bigint
): Effect.Effect<LogRange | undefined, BridgeRangeInvalid> => {
  const { holder, fromBlock, toBlock } = query
  if (fromBlock === undefined && toBlock === undefined) return Effect.succeed(undefined)
  if (fromBlock === undefined) return invalid("fromBlock", "fromBlock and toBlock together")
  if (toBlock === undefined) return invalid("toBlock", "fromBlock and toBlock together")
  const [from, to] = [BigInt(fromBlock), BigInt(toBlock)]
  if (from > to || to - from >= MOST_BLOCKS)
    return invalid("fromBlock", `at most ${MOST_BLOCKS} blocks in ascending order`)
  if (to > head) return invalid("toBlock", `no block after ${head}`)
  return Effect.succeed(holder === undefined ? undefined : { holder, from, to })
}

const registered = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, projectId: string) {
  const { read } = snapshot
  const told = yield* Effect.all(
    {
      registry: snapshot.addressOf("JBSuckerRegistry"),
      terminal: observed(snapshot.addressOf("JBMultiTerminal")),
      owner: observed(read("JBProjects", "ownerOf", [projectId], Address)),
      all: observed(read("JBSuckerRegistry", "allSuckersOf", [projectId], Schema.Array(Address))),
      active: observed(read("JBSuckerRegistry", "suckersOf", [projectId], Schema.Array(Address))),
      fee: observed(read("JBSuckerRegistry", "toRemoteFee", [], Uint256)),
      terminals: observed(read("JBDirectory", "terminalsOf", [projectId], Schema.Array(Address))),
      contexts: observed(
        read("JBMultiTerminal", "accountingContextsOf", [projectId], Schema.Array(AccountingContext))
      )
    },
    SIDE_BY_SIDE
  )
  const isAbsent = told.owner.status === "unknown" && told.owner.error.code === "CALL_REVERTED"
  return isAbsent ? yield* new ProjectNotFound({ context: { chainId: snapshot.chainId, projectId } }) : told
})

type Registered = Effect.Effect.Success<ReturnType<typeof registered>>

/** Of the canonical terminal, where the project has it. */
const tokensOf = ({ contexts, terminal, terminals }: Registered): Observed<ReadonlyArray<Address>> =>
  andThenObserved(terminals, addresses =>
    terminal.status === "known" && addresses.includes(terminal.value)
      ? mapObserved(contexts, items => items.map(({ token }) => token))
      : known([])
  )

const identityOf = (end: End, other: OtherEnd): Bridge["identity"] => ({
  projectId: end.projectId,
  peer: end.peer,
  peerChainId: end.peerChainId,
  remoteProjectId: other.remoteProjectId,
  verified: other.verified
})

const bridgesAt = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  told: Registered,
  home: Home,
  range: LogRange | undefined,
  addresses: ReadonlyArray<Address>
) {
  const most = addresses.length === 0 ? MOST_TOKEN_STATES : Math.floor(MOST_TOKEN_STATES / addresses.length)
  const wanted = { tokens: atMost(most, tokensOf(told)), range }
  const local = yield* Effect.forEach(
    addresses,
    address => Effect.all([readEnd(snapshot, address), readBridge(snapshot, address, wanted)], SIDE_BY_SIDE),
    SIDE_BY_SIDE
  )
  const ends = local.map(([end]) => end)
  const remotes = yield* remotesOf(home, ends)
  const others = yield* proveEnds(home, ends, remotes)
  const bridges = local.flatMap(([end, rest], index): ReadonlyArray<Bridge> => {
    const other = others[index]
    if (other === undefined) return []
    const activeRegistryMember = mapObserved(told.active, active => active.includes(end.address))
    return [{ address: end.address, activeRegistryMember, identity: identityOf(end, other), ...rest }]
  })
  const evidence = [...remotes.values()].flatMap(remote =>
    remote.status === "known" ? [remote.value.evidence] : []
  )
  return { bridges, evidence }
})

export const showBridges = Effect.fn("BridgesView.show")(function* (query: BridgesQuery) {
  const { chainId, projectId } = query.project
  const snapshot = yield* (yield* PinnedContracts).snapshotOf(chainId)
  const range = yield* rangeOf(query, snapshot.block.number)
  const told = yield* registered(snapshot, projectId)
  const listed = atMost(MOST_BRIDGES, told.all)
  const found =
    listed.status === "known"
      ? yield* bridgesAt(snapshot, told, query.project, range, listed.value)
      : undefined
  const view: Omit<View, "coverage"> = {
    project: { chainId, projectId, version: 6 },
    registry: told.registry,
    holder: query.holder ?? null,
    registryFee: mapObserved(told.fee, amount => ({ amount, decimals: 18, token: "native" })),
    bridges: mapObserved(listed, () => found?.bridges ?? []),
    evidence: [snapshot.evidence, ...(found?.evidence ?? [])]
  }
  const answer: View = { ...view, coverage: coverageOf(view, NOTES) }
  return answer
})
