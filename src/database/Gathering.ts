/** Lets what many requests ask at the same moment go as one statement: while one is answered the next gathers. */
import { Effect, Exit, FiberSet } from "effect"

interface Waiting<Item, Answer, E> {
  readonly item: Item
  readonly resume: (answer: Effect.Effect<Answer, E>) => void
}

/** The pool bounds how many are, and how long the others wait. */
const ALL_AT_ONCE = { concurrency: "unbounded", discard: true } as const

/** Answers in the order of the items. Items whose statement fails are asked once more, each alone, so that none fails for another, nor waits for another's silence. */
export const batching = <Item, Answer, E>(
  ask: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Answer>, E>,
  bound: number
) =>
  Effect.gen(function* () {
    const fibers = yield* FiberSet.make()
    const fork = yield* FiberSet.runtime(fibers)<never>()
    const waiting: Array<Waiting<Item, Answer, E>> = []
    let asking = false

    const settle = ({ resume }: Waiting<Item, Answer, E>, answer: Answer | undefined) =>
      resume(answer === undefined ? Effect.dieMessage("an item got no answer") : Effect.succeed(answer))

    const askAll = (batch: ReadonlyArray<Waiting<Item, Answer, E>>): Effect.Effect<void> =>
      Effect.flatMap(Effect.exit(ask(batch.map(({ item }) => item))), exit => {
        if (Exit.isSuccess(exit)) {
          for (const [index, entry] of batch.entries()) settle(entry, exit.value[index])
          return Effect.void
        }
        if (batch.length > 1) return Effect.forEach(batch, entry => askAll([entry]), ALL_AT_ONCE)
        for (const { resume } of batch) resume(Effect.failCause(exit.cause))
        return Effect.void
      })

    const flush: Effect.Effect<void> = Effect.suspend(() => {
      const batch = waiting.splice(0, bound)
      asking = batch.length > 0
      return asking ? Effect.flatMap(askAll(batch), () => flush) : Effect.void
    })

    return (item: Item): Effect.Effect<Answer, E> =>
      Effect.async(resume => {
        waiting.push({ item, resume })
        if (asking) return
        asking = true
        fork(flush)
      })
  })
