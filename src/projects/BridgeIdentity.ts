/** Proves both ends of bridges: each names the other, and the registry of the peer's chain lists it for its project. */
import { Effect, Schema } from "effect"
import type { FunctionTaking } from "../protocol/ContractFunction.ts"
import type { DependentCall, Word } from "../protocol/DependentCalls.ts"
import { PinnedContracts, type PinnedSnapshot, type ReadFailure } from "../protocol/PinnedContracts.ts"
import type { SnapshotFailure } from "../protocol/ResolveContract.ts"
import { checksummed } from "../values/Checksum.ts"
import { known, type Observed, observed, unknown } from "../values/Observed.ts"
import { type Address, Bytes32, Uint256 } from "../values/Scalars.ts"
import { andThenObserved, both, SIDE_BY_SIDE } from "./Observations.ts"
import { BridgeIdentityMismatch, UnsupportedPeerChain, UnsupportedRemotePeer } from "./refusals.ts"

/** A bridge as its own chain tells it. */
export interface End {
  readonly address: Address
  readonly projectId: Observed<string>
  readonly peer: Observed<Bytes32>
  readonly peerChainId: Observed<string>
}

/** What the other chain tells of a bridge. */
export interface OtherEnd {
  readonly remoteProjectId: Observed<string>
  readonly peer: Observed<Address>
  readonly verified: Observed<true>
}

export const readEnd = (snapshot: PinnedSnapshot, address: Address): Effect.Effect<End> => {
  const ask = <A, I>(name: FunctionTaking<"JBSucker", []>, as: Schema.Schema<A, I>) =>
    observed(snapshot.readAt("JBSucker", address, name, [], as))
  return Effect.all(
    {
      address: Effect.succeed(address),
      projectId: ask("projectId", Uint256),
      peer: ask("peer", Bytes32),
      peerChainId: ask("peerChainId", Uint256)
    },
    SIDE_BY_SIDE
  )
}

const EVM_PEER = /^0x0{24}(?!0{40})[0-9a-f]{40}$/

const addressIn = (peer: Bytes32): Observed<Address> =>
  EVM_PEER.test(peer)
    ? known(checksummed(`0x${peer.slice(26)}`))
    : unknown(new UnsupportedRemotePeer({ context: { peer } }))

const padded = (address: Address): string => `0x${"0".repeat(24)}${address.slice(2).toLowerCase()}`

const mismatch = (member: string, told: unknown) =>
  new BridgeIdentityMismatch({ context: { member, told: String(told) } })

/** A peer that is not there, or does not answer as one, names nobody. */
const asPeer = <A>(read: Effect.Effect<A, ReadFailure>, member: string) =>
  Effect.catchTags(read, {
    CALL_REVERTED: () => mismatch(member, "a revert"),
    DEPLOYMENT_CODE_MISSING: () => mismatch(member, "no code")
  })

export interface Home {
  readonly chainId: number
  readonly projectId: string
}

const isWhat = (member: string, told: string, expected: string) =>
  told === expected ? Effect.void : Effect.fail(mismatch(member, told))

const readOther = (remote: PinnedSnapshot, peer: Address) => {
  const ask = <A, I>(name: FunctionTaking<"JBSucker", []>, as: Schema.Schema<A, I>) =>
    asPeer(remote.readAt("JBSucker", peer, name, [], as), name)
  return Effect.all(
    {
      projectId: ask("projectId", Uint256),
      peer: ask("peer", Bytes32),
      peerChainId: ask("peerChainId", Uint256)
    },
    SIDE_BY_SIDE
  )
}

const PEERS_PROJECT: Word = { call: 0, index: 0 }

/** The calls that rest on which project the peer says it is of. */
export type CallsAhead = (remote: PinnedSnapshot, projectId: Word) => ReadonlyArray<DependentCall>

const peerCalls = (remote: PinnedSnapshot, peer: Address, more: CallsAhead): ReadonlyArray<DependentCall> => {
  const registries = remote.deploymentsOf("JBSuckerRegistry").filter(({ retired }) => !retired)
  return [
    { to: peer, signature: "projectId()" },
    ...registries.map(({ address }) => ({
      to: address,
      signature: "isSuckerOf(uint256,address)",
      words: [PEERS_PROJECT, peer]
    })),
    ...more(remote, PEERS_PROJECT)
  ]
}

const nobody = (why: Observed<never>): OtherEnd => ({ remoteProjectId: why, peer: why, verified: why })

/** What the peer says is told also where the proof fails. */
const proveAt = Effect.fnUntraced(function* (
  home: Home,
  end: End,
  remote: PinnedSnapshot,
  peer: Address,
  more: CallsAhead
) {
  const [told] = yield* Effect.all(
    [observed(readOther(remote, peer)), remote.foresee(peerCalls(remote, peer, more))],
    SIDE_BY_SIDE
  )
  if (told.status === "unknown") return { ...nobody(told), peer: known(peer) }
  const { chainId, projectId } = home
  const other = told.value
  const proof = Effect.gen(function* () {
    yield* isWhat("projectId", end.projectId.status === "known" ? end.projectId.value : "", projectId)
    yield* isWhat("peer", other.peer, padded(end.address))
    yield* isWhat("peerChainId", other.peerChainId, String(chainId))
    const isListed = yield* remote.read(
      "JBSuckerRegistry",
      "isSuckerOf",
      [other.projectId, peer],
      Schema.Boolean
    )
    yield* isWhat("isSuckerOf", String(isListed), "true")
    return true as const
  })
  return { remoteProjectId: known(other.projectId), peer: known(peer), verified: yield* observed(proof) }
})

/** Both ends are on the home chain, whose registry lists `ends` for the home project: nothing is left to read. */
const proveHere = (home: Home, end: End, ends: ReadonlyArray<End>, peer: Address): OtherEnd => {
  const twin = ends.find(({ address }) => address === peer && address !== end.address)
  if (twin === undefined) return { ...nobody(unknown(mismatch("isSuckerOf", "false"))), peer: known(peer) }
  const told = both(twin.projectId, both(twin.peer, twin.peerChainId))
  const names = andThenObserved(told, ([projectId, [named, chainId]]): Observed<true> => {
    const wrong = [
      ["projectId", end.projectId, home.projectId],
      ["projectId", known(projectId), home.projectId],
      ["peer", known(named), padded(end.address)],
      ["peerChainId", known(chainId), String(home.chainId)]
    ] as const
    const [found] = wrong.filter(([, is, expected]) => is.status === "unknown" || is.value !== expected)
    if (found === undefined) return known(true)
    const [member, is] = found
    return is.status === "unknown" ? is : unknown(mismatch(member, is.value))
  })
  return { remoteProjectId: twin.projectId, peer: known(peer), verified: names }
}

export type Remotes = ReadonlyMap<string, Observed<PinnedSnapshot>>

/** The latest block of every other chain that the ends name. */
export const remotesOf = Effect.fn("BridgeIdentity.remotes")(function* (
  home: Home,
  ends: ReadonlyArray<End>
) {
  const contracts = yield* PinnedContracts
  const told = ends.flatMap(({ peerChainId }) => (peerChainId.status === "known" ? [peerChainId.value] : []))
  const take = (chainId: string): Effect.Effect<PinnedSnapshot, SnapshotFailure | UnsupportedPeerChain> =>
    Number.isSafeInteger(Number(chainId))
      ? contracts.snapshotOf(Number(chainId))
      : new UnsupportedPeerChain({ context: { chainId } })
  const found = yield* Effect.forEach(
    new Set(told.filter(chainId => chainId !== String(home.chainId))),
    chainId => Effect.map(observed(take(chainId)), remote => [chainId, remote] as const),
    SIDE_BY_SIDE
  )
  const remotes: Remotes = new Map(found)
  return remotes
})

const missing = unknown(new UnsupportedPeerChain())

const remoteOf = (remotes: Remotes, { peerChainId }: End): Observed<PinnedSnapshot> =>
  andThenObserved(peerChainId, chainId => remotes.get(chainId) ?? missing)

export const leadsHome = ({ chainId }: Home, { peerChainId }: End): boolean =>
  peerChainId.status === "known" && peerChainId.value === String(chainId)

/**
 * Side by side, so that the peers on one chain share its round trips. `ends` are what the home registry lists for
 * the home project.
 */
export const proveEnds = (
  home: Home,
  ends: ReadonlyArray<End>,
  remotes: Remotes,
  more: CallsAhead = () => []
) =>
  Effect.forEach(
    ends,
    (end): Effect.Effect<OtherEnd> => {
      const peer = andThenObserved(end.peer, addressIn)
      if (leadsHome(home, end) && peer.status === "known")
        return Effect.succeed(proveHere(home, end, ends, peer.value))
      const ready = both(remoteOf(remotes, end), both(peer, end.projectId))
      if (ready.status === "unknown") return Effect.succeed({ ...nobody(ready), peer })
      const [remote, [address]] = ready.value
      return proveAt(home, end, remote, address, more)
    },
    SIDE_BY_SIDE
  )
