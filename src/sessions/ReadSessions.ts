/** Lists sessions from storage, and shows one with a new look at its wallet and guard. */
import { Effect } from "effect"
import { type Actor, Principal } from "../accounts/Principal.ts"
import { decodeListCursor, encodeListCursor } from "../plans/ListCursor.ts"
import { observeSession } from "./ObserveSession.ts"
import type { StoredSession } from "./SessionRow.ts"
import { SessionStore } from "./SessionStore.ts"
import { SessionWatchStore } from "./SessionWatchStore.ts"
import { shownQuota, shownSession } from "./ShownSession.ts"

export interface SessionListQuery {
  readonly bindingId?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

export const pageOfSessions = Effect.fn("ReadSessions.list")(function* ({
  bindingId,
  limit,
  cursor
}: SessionListQuery) {
  const actor = yield* Principal
  const listed = { list: "sessions", filter: bindingId } as const
  const after = cursor === undefined ? undefined : yield* decodeListCursor(actor, listed, cursor)
  const { sessions, more } = yield* (yield* SessionStore).page(actor, { bindingId, limit, after })
  const last = sessions.at(-1)
  const nextCursor = more && last !== undefined ? yield* encodeListCursor(actor, listed, last) : null
  return { items: sessions.map(shownSession), nextCursor }
})

const found = Effect.fnUntraced(function* (id: string) {
  const actor = yield* Principal
  return yield* (yield* SessionStore).find(id, actor)
})

const mayBeReleased = ({ activation, observation, releasedAt, now }: StoredSession): boolean =>
  releasedAt === undefined &&
  observation?.status === "none" &&
  activation !== undefined &&
  activation.expiresAt <= now

/** Each look puts the sweep off, so whoever looks often gives its wallet free in the sweep's place. */
const seenNow = Effect.fnUntraced(function* (stored: StoredSession) {
  const watched = yield* SessionWatchStore
  const seen = yield* observeSession(stored)
  if (!mayBeReleased(seen) || (yield* watched.release([seen.id])) === 0) return seen
  return yield* watched.byId(seen.id)
})

export const sessionOf = Effect.fn("ReadSessions.show")(function* (id: string, refresh: boolean) {
  const stored = yield* found(id)
  return shownSession(refresh ? yield* seenNow(stored) : stored)
})

export const quotaOf = Effect.fn("ReadSessions.quota")(function* (id: string) {
  const stored = yield* found(id)
  return shownQuota(yield* seenNow(stored), stored.now)
})

/** What a key leads to is stored with it, and for good. */
export const storedSession = Effect.fnUntraced(
  function* (actor: Actor, id: string, replayed: boolean) {
    const stored = yield* (yield* SessionStore).find(id, actor)
    return { session: shownSession(stored), replayed }
  },
  Effect.catchTag("SESSION_NOT_FOUND", Effect.die)
)
