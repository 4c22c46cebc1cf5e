/** Proves both ends of bridges: each names the other, and the other chain's registry lists the peer for its project. */
import { Effect, Schema } from "effect"
import { PinnedContracts, type PinnedSnapshot, type ReadFailure } from "../protocol/PinnedContracts.ts"
import type { SnapshotFailure } from "../protocol/ResolveContract.ts"
import { known, type Observed, observed, unknown } from "../values/Observed.ts"
import { type Address, Bytes32, checksummed, Uint256 } from "../values/Scalars.ts"
import { andThen, both, SIDE_BY_SIDE } from "./Observations.ts"
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
  const ask = <A, I>(name: string, as: Schema.Schema<A, I>) =>
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
  const ask = <A, I>(name: string, as: Schema.Schema<A, I>) =>
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

const nobody = (why: Observed<never>): OtherEnd => ({ remoteProjectId: why, peer: why, verified: why })

/** What the peer says is told also where the proof fails. */
const proveAt = Effect.fnUntraced(function* (home: Home, end: End, remote: PinnedSnapshot, peer: Address) {
  const told = yield* observed(readOther(remote, peer))
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

const remoteOf = (home: Home, remotes: Remotes, { peerChainId }: End): Observed<PinnedSnapshot> =>
  andThen(peerChainId, chainId =>
    chainId === String(home.chainId)
      ? unknown(mismatch("peerChainId", chainId))
      : (remotes.get(chainId) ?? missing)
  )

/** Side by side, so that the peers on one chain share its round trips. */
export const proveEnds = (home: Home, ends: ReadonlyArray<End>, remotes: Remotes) =>
  Effect.forEach(
    ends,
    (end): Effect.Effect<OtherEnd> => {
      const peer = andThen(end.peer, addressIn)
      const ready = both(remoteOf(home, remotes, end), both(peer, end.projectId))
      if (ready.status === "unknown") return Effect.succeed({ ...nobody(ready), peer })
      const [remote, [address]] = ready.value
      return proveAt(home, end, remote, address)
    },
    SIDE_BY_SIDE
  )
