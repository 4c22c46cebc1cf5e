/** Queues the work of one account in memory, first come first served; the row lock decides, this only waits outside the pool. */
import { Context, Deferred, Effect, FiberSet, Layer } from "effect"
import { ServiceBusy } from "./refusals.ts"

const MAILBOX_BOUND = 256

type Job = Effect.Effect<void>

export class AccountActors extends Context.Tag("accounts/AccountActors")<
  AccountActors,
  {
    /** Runs `work` after the account's earlier work; it ends although the caller leaves. */
    readonly run: <A, E, R>(
      accountId: string,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | ServiceBusy, R>
  }
>() {
  static readonly layer = Layer.scoped(
    AccountActors,
    Effect.gen(function* () {
      const mailboxes = new Map<string, Array<Job>>()
      const fibers = yield* FiberSet.make()
      const fork = yield* FiberSet.runtime(fibers)<never>()

      const drain = (accountId: string, mailbox: Array<Job>): Effect.Effect<void> =>
        Effect.suspend(() => {
          const job = mailbox[0]
          if (job === undefined) {
            mailboxes.delete(accountId)
            return Effect.void
          }
          return Effect.flatMap(job, () => {
            mailbox.shift()
            return drain(accountId, mailbox)
          })
        })

      const enqueue = (accountId: string, job: Job): boolean => {
        const mailbox = mailboxes.get(accountId)
        if (mailbox === undefined) {
          const opened = [job]
          mailboxes.set(accountId, opened)
          fork(drain(accountId, opened))
          return true
        }
        if (mailbox.length >= MAILBOX_BOUND) return false
        mailbox.push(job)
        return true
      }

      const run = Effect.fnUntraced(function* <A, E, R>(accountId: string, work: Effect.Effect<A, E, R>) {
        const context = yield* Effect.context<R>()
        const result = yield* Deferred.make<A, E>()
        const inContext = Effect.mapInputContext(work, (_: Context.Context<never>) => context)
        const job = Effect.asVoid(Effect.intoDeferred(inContext, result))
        return enqueue(accountId, job)
          ? yield* Deferred.await(result)
          : yield* new ServiceBusy({ detail: "this account has too much work waiting", retryAfterSeconds: 1 })
      })

      return { run }
    })
  )
}
