/** Looks at a session's wallet and guard at one block, and keeps what that means. */
import { Effect, Metric, Option } from "effect"
import type { Block } from "../chain/ChainClient.ts"
import { batched } from "../chain/GatheredSession.ts"
import { type BlockPlace, lookAtHeads, type SearchHeads } from "../dispatch/SearchHeads.ts"
import { ConcurrentUpdate } from "../plans/refusals.ts"
import { evidenceOf } from "../protocol/BlockEvidence.ts"
import { type InspectionPlace, inspectAt } from "../smartaccounts/Inspect.ts"
import { Manifests } from "../smartaccounts/Manifests.ts"
import { stateHash } from "../smartaccounts/StateHash.ts"
import { failpoint } from "../values/Failpoint.ts"
import { type GuardPlace, guardReads } from "./GuardReads.ts"
import { type EarlierBlock, judgedSession, type SessionLook } from "./JudgeSession.ts"
import type { StoredSession } from "./SessionRow.ts"
import { sessionState } from "./SessionState.ts"
import { SessionWatchStore } from "./SessionWatchStore.ts"

const observations = Metric.counter("service_session_observations_total", {
  description: "Looks at sessions' guards, by the state that they were found in",
  incremental: true
})

/** An endpoint that is behind is not believed before what another told is so old. */
const BEHIND_MS = 60_000
const ATTEMPTS = 3

/** Of another state than the bound one, of none that is supported, or under another guard: it is not the wallet that was bound. */
const isBound = Effect.fnUntraced(
  function* (
    place: InspectionPlace,
    { wallet, compiled, boundManifestId, boundOwners, boundState, unlinkedAt }: StoredSession
  ) {
    const manifest = yield* (yield* Manifests).byId(boundManifestId)
    if (unlinkedAt !== undefined || manifest.pins.guard?.address !== compiled.guard) return false
    const { state } = yield* inspectAt(place, manifest, wallet, boundOwners)
    return stateHash(state) === boundState
  },
  Effect.catchTags({
    MANIFEST_NOT_FOUND: () => Effect.succeed(false),
    SMART_ACCOUNTS_UNAVAILABLE: () => Effect.succeed(false),
    SMART_ACCOUNT_UNSUPPORTED: () => Effect.succeed(false),
    SMART_ACCOUNT_UNDEPLOYED: () => Effect.succeed(false)
  })
)

/** As whichever manifest pins it, the bound one before others; where none does any more, as it was pinned when the session was prepared. */
const guardOf = (
  { all }: typeof Manifests.Service,
  { chainId, compiled, guardCodeHash, boundManifestId }: StoredSession
): GuardPlace => {
  const pinning = all.filter(
    manifest => manifest.chainId === chainId && manifest.pins.guard?.address === compiled.guard
  )
  const { pins } = pinning.find(({ id }) => id === boundManifestId) ?? pinning[0] ?? {}
  const { guard: address } = compiled
  return (
    pins?.guard ?? (guardCodeHash === undefined ? { address } : { address, runtimeCodeHash: guardCodeHash })
  )
}

/** One round trip, side by side with whatever else is asked of the same gathering session. */
const sessionReads = Effect.fn("ObserveSession.reads")(function* (
  place: InspectionPlace,
  stored: StoredSession
) {
  const guard = guardOf(yield* Manifests, stored)
  const { wallet, compiled } = stored
  const { permissionId } = compiled
  const [told, isWalletBound] = yield* Effect.all(
    [
      guardReads(batched(place.session), place.evidence.blockHash, guard, { wallet, permissionId }),
      isBound(place, stored)
    ],
    { concurrency: "unbounded" }
  )
  return { told: Option.getOrUndefined(told), isWalletBound }
})

/** The block that was looked at last, or the one that the session was compiled at. */
export const blockBefore = ({ observation, evidence }: StoredSession): BlockPlace => {
  const { blockNumber, blockHash } = observation?.shown.evidence ?? evidence
  return { number: BigInt(blockNumber), hash: blockHash }
}

type Head = Pick<Block, "number" | "hash"> & Partial<Pick<Block, "parentHash">>

/** Nodes of two forks may answer behind one address: one tells the newest block, another the one that was seen before. */
const stands = (seen: BlockPlace, block: Block, latest: Head): boolean => {
  if (block.hash !== seen.hash) return false
  if (latest.number === seen.number) return latest.hash === seen.hash
  return latest.number > seen.number + 1n || (latest.parentHash ?? seen.hash) === seen.hash
}

/** Undefined: the endpoint does not know yet what another told before, or has it and tells of an older block as its newest. A first look waits until its head is beyond that. */
export const earlierIn = (
  stored: StoredSession,
  { latest, places }: Pick<SearchHeads, "places"> & { readonly latest: Head }
): EarlierBlock | undefined => {
  const seen = blockBefore(stored)
  const { number } = seen
  const block = number > latest.number ? null : (places.get(Number(number)) ?? null)
  if (block !== null) return stands(seen, block, latest) ? "standing" : "gone"
  const { observedAt = number > latest.number ? stored.now : stored.createdAt } = stored
  return stored.now - observedAt < BEHIND_MS ? undefined : "gone"
}

const headsFor = (stored: StoredSession) => {
  const { number, hash } = blockBefore(stored)
  const searchedBlock = Number(number)
  return lookAtHeads(stored.chainId, [{ searchedBlock, searchedHash: hash, sinceBlock: searchedBlock }])
}

/** Two round trips: the head with the block that was looked at before, then all that is asked of it. */
const lookAt = Effect.fnUntraced(function* (stored: StoredSession) {
  const heads = yield* headsFor(stored)
  const earlier = earlierIn(stored, heads)
  if (earlier === undefined) return undefined
  const evidence = evidenceOf(heads.latest)
  const session = batched(heads.session)
  const read = yield* sessionReads({ session, evidence }, stored)
  const look: SessionLook = { ...read, evidence, final: heads.final, earlier, at: stored.now }
  return look
})

const observedOnce = Effect.fnUntraced(function* (stored: StoredSession) {
  const store = yield* SessionWatchStore
  const look = yield* lookAt(stored)
  if (look === undefined) return Option.some(stored)
  const judged = judgedSession(stored, look)
  const isRecorded = yield* store.record(stored, judged)
  yield* failpoint("session.observed")
  if (!isRecorded) return Option.none<StoredSession>()
  if (judged.retired && stored.releasedAt === undefined) yield* failpoint("session.released")
  const seen = yield* store.byId(stored.id)
  yield* Metric.increment(Metric.tagged(observations, "state", sessionState(seen)))
  return Option.some(seen)
})

/** What others recorded meanwhile is judged upon. */
export const observeSession = Effect.fn("ObserveSession.observe")(function* (stored: StoredSession) {
  const store = yield* SessionWatchStore
  let known = stored
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const seen = yield* observedOnce(known)
    if (Option.isSome(seen)) return seen.value
    known = yield* store.byId(stored.id)
    if ((known.observedAt ?? 0) > stored.now) return known
  }
  return yield* new ConcurrentUpdate()
})
