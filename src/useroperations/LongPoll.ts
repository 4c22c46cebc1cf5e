/** Holds requests for an operation's record until it changed; one look a second serves all that wait in this process, and sends nothing. */
import { Context, Deferred, Effect, Layer, Schedule } from "effect"
import { GrantStore } from "../accounts/GrantStore.ts"
import { type Actor, Principal } from "../accounts/Principal.ts"
import { Forbidden, RateLimited, ServiceBusy } from "../accounts/refusals.ts"
import { Settings } from "../settings/Settings.ts"
import { HangUp } from "../values/HangUp.ts"
import { OperationWatchStore } from "./OperationWatchStore.ts"
import { refreshOperation } from "./RefreshOperation.ts"
import { shownUserOperation } from "./ShownUserOperation.ts"
import { UserOperationStore } from "./UserOperationStore.ts"

const WAITERS_PER_ACCOUNT = 64

interface Waiter {
  readonly accountId: string
  readonly operationId: string
  /** The newest revision that it knows. */
  readonly since: number
}

interface Waiting extends Waiter {
  readonly changed: Deferred.Deferred<void>
}

const tooMany = () =>
  new RateLimited({
    detail: "So many requests of this account wait for changes already.",
    retryAfterSeconds: 1,
    context: { limit: WAITERS_PER_ACCOUNT }
  })

/** Those who wait, by rooms: none of an account's may keep out another's, and all together leave half of the process's places to who works. */
const makeRoom = (limit: number) => {
  const all = new Set<Waiting>()
  const refusalOf = ({ accountId }: Waiter) => {
    if ([...all].filter(each => each.accountId === accountId).length >= WAITERS_PER_ACCOUNT) return tooMany()
    return all.size < limit ? undefined : new ServiceBusy({ retryAfterSeconds: 1, context: { limit } })
  }
  const enter = Effect.fnUntraced(function* (waiter: Waiter) {
    const changed = yield* Deferred.make<void>()
    const refusal = refusalOf(waiter)
    if (refusal !== undefined) return yield* refusal
    const waiting: Waiting = { ...waiter, changed }
    all.add(waiting)
    return waiting
  })
  return { all, enter }
}

export class LongPoll extends Context.Tag("useroperations/LongPoll")<
  LongPoll,
  {
    /** Until a newer revision is stored, the time is over, or nobody waits any more. */
    readonly newer: (waiter: Waiter, seconds: number) => Effect.Effect<void, RateLimited | ServiceBusy>
  }
>() {
  static readonly layer = Layer.scoped(
    LongPoll,
    Effect.gen(function* () {
      const store = yield* OperationWatchStore
      const { maximumInWork } = yield* Settings
      const { all, enter } = makeRoom(Math.ceil(maximumInWork / 2))

      const look = Effect.gen(function* () {
        if (all.size === 0) return
        const revisions = yield* store.revisions([...new Set([...all].map(({ operationId }) => operationId))])
        for (const { operationId, since, changed } of all)
          if ((revisions.get(operationId) ?? since) > since) Deferred.unsafeDone(changed, Effect.void)
      })
      const lookOn = Effect.ignore(look).pipe(
        Effect.catchAllDefect(defect => Effect.logError("operations cannot be looked at", defect))
      )
      yield* Effect.forkScoped(Effect.repeat(lookOn, Schedule.spaced("1 second")))

      return {
        newer: (waiter, seconds) =>
          Effect.acquireUseRelease(
            enter(waiter),
            ({ changed }) =>
              Effect.flatMap(HangUp, gone =>
                Effect.raceFirst(Deferred.await(changed), gone).pipe(Effect.timeoutOption(seconds * 1_000))
              ),
            waiting => Effect.sync(() => all.delete(waiting))
          ).pipe(Effect.asVoid)
      }
    })
  )
}

export interface Awaited {
  /** Seconds. */
  readonly wait: number
  readonly since: number
}

/** A grant that was revoked or ran out while its bot waited shows nothing of what came after. */
const refuseEnded = Effect.fnUntraced(function* (actor: Actor) {
  if (actor.kind === "owner") return
  const grants = yield* (yield* GrantStore).list(actor.accountId)
  if (!grants.some(({ id, state }) => id === actor.grantId && state === "active"))
    return yield* new Forbidden()
})

/** Whoever waits for what was sent has its plan looked at soon, as a young one is, and what was waited for in vain is refreshed. */
export const awaitOperation = Effect.fn("LongPoll.await")(function* (id: string, { wait, since }: Awaited) {
  const actor = yield* Principal
  const store = yield* UserOperationStore
  const stored = yield* store.find(id, actor)
  if (stored.revision > since) return shownUserOperation(stored)
  if (stored.send !== undefined) yield* (yield* OperationWatchStore).hasten(stored.planId)
  yield* (yield* LongPoll).newer({ accountId: actor.accountId, operationId: id, since }, wait)
  yield* refuseEnded(actor)
  const after = yield* store.find(id, actor)
  return after.revision > since ? shownUserOperation(after) : yield* refreshOperation(id)
})
