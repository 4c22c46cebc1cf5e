import { assert, it } from "@effect/vitest"
import { Effect, Either, Fiber } from "effect"
import type { Answers, ChainSession, Read } from "../../src/chain/ChainClient.ts"
import { batched } from "../../src/chain/GatheredSession.ts"
import { OversizedAnswer } from "../../src/chain/HttpExchange.ts"
import { type RpcFailure, RpcTimeout } from "../../src/chain/refusals.ts"

const numberRead = (value: number): Read<number> => ({
  method: "number",
  params: [value],
  decode: () => Either.right(value)
})

/** Answers each read with its parameter and counts the round trips. */
const countingSession = (failing = false, first: Effect.Effect<void> = Effect.void) => {
  const trips: Array<number> = []
  function all<const R extends ReadonlyArray<Read<unknown>>>(reads: R): Effect.Effect<Answers<R>, RpcFailure>
  function all(reads: ReadonlyArray<Read<unknown>>): Effect.Effect<ReadonlyArray<unknown>, RpcFailure> {
    return Effect.suspend(() => {
      trips.push(reads.length)
      if (failing) return Effect.fail(new RpcTimeout())
      return Effect.zipRight(
        trips.length === 1 ? first : Effect.void,
        Effect.forEach(reads, read => read.decode(undefined))
      )
    })
  }
  const session: ChainSession = {
    chainId: 1,
    endpoint: "1/0",
    all,
    sendRaw: () => Effect.dieMessage("nothing is sent")
  }
  return { trips, session: batched(session) }
}

const asked = (session: ChainSession) =>
  Effect.forEach([1, 2, 3], base => session.all([numberRead(base), numberRead(base * 10)]), {
    concurrency: "unbounded"
  })

it.effect("sends the reads of fibers side by side in one round trip, each getting its own answers", () =>
  Effect.gen(function* () {
    const { session, trips } = countingSession()
    assert.deepStrictEqual(yield* asked(session), [
      [1, 10],
      [2, 20],
      [3, 30]
    ])
    assert.deepStrictEqual(trips, [6])
    yield* asked(session)
    assert.deepStrictEqual(trips, [6, 6])
  })
)

it.effect("gathers what fibers ask for however deeply they are nested, layer by layer", () =>
  Effect.gen(function* () {
    const { session, trips } = countingSession()
    const together = { concurrency: "unbounded" } as const
    const one = (value: number) => session.all([numberRead(value)])
    const nested = Effect.all(
      [one(2), Effect.all([one(3), Effect.all([one(4)], together)], together)],
      together
    )
    const twice = Effect.flatMap(nested, () => one(5))
    yield* Effect.all([one(1), twice, Effect.flatMap(one(6), () => one(7))], together)
    assert.deepStrictEqual(trips, [5, 2])
  })
)

it.effect("fails every one of them when the round trip fails, and works again afterwards", () =>
  Effect.gen(function* () {
    const { session, trips } = countingSession(true)
    const results = yield* Effect.forEach([1, 2], value => Effect.either(session.all([numberRead(value)])), {
      concurrency: "unbounded"
    })
    assert.isTrue(results.every(result => result._tag === "Left" && result.left._tag === "RPC_TIMEOUT"))
    yield* Effect.either(session.all([numberRead(3)]))
    assert.deepStrictEqual(trips, [2, 1])
  })
)

const turn = Effect.promise(() => new Promise<void>(resolve => setImmediate(resolve)))
const settled = Effect.zipRight(turn, turn)

it.effect("answers the others when who asked first is interrupted during the round trip", () =>
  Effect.gen(function* () {
    const { session, trips } = countingSession(false, Effect.never)
    const leader = yield* Effect.fork(session.all([numberRead(1)]))
    const second = yield* Effect.fork(session.all([numberRead(2)]))
    const third = yield* Effect.fork(session.all([numberRead(3)]))
    yield* settled
    assert.deepStrictEqual(trips, [3])
    yield* Fiber.interrupt(leader)
    assert.deepStrictEqual(yield* Fiber.join(Fiber.zip(second, third)), [[2], [3]])
    assert.deepStrictEqual(trips, [3, 2])
  })
)

it.effect("answers the others when who asked first is interrupted before the round trip", () =>
  Effect.gen(function* () {
    const { session, trips } = countingSession()
    const leader = yield* Effect.fork(session.all([numberRead(1)]))
    const other = yield* Effect.fork(session.all([numberRead(2)]))
    yield* Effect.yieldNow()
    leader.unsafeInterruptAsFork(leader.id())
    assert.deepStrictEqual(yield* Fiber.join(other), [2])
    assert.deepStrictEqual(trips, [1])
  })
)

it.live("leaves nobody waiting, at whatever step who asked first was interrupted", () =>
  Effect.gen(function* () {
    const turn = Effect.promise(() => new Promise(resolve => setImmediate(resolve)))
    for (let steps = 10; steps < 60; steps++) {
      const { session } = countingSession()
      const first = yield* Effect.fork(Effect.withMaxOpsBeforeYield(session.all([numberRead(1)]), steps))
      yield* Effect.yieldNow()
      const joining = yield* Effect.fork(session.all([numberRead(2)]))
      yield* Fiber.interrupt(first)
      yield* Effect.repeatN(turn, 3)
      const later = yield* Effect.fork(session.all([numberRead(3)]))
      yield* Effect.repeatN(turn, 3)
      assert.isNotNull(joining.unsafePoll(), `joined, interrupted after ${steps} steps`)
      assert.isNotNull(later.unsafePoll(), `asked later, interrupted after ${steps} steps`)
    }
  })
)

const LARGEST = 1_000

/** Answers each read with its parameter, which is also its size, unless they are too large together. */
const sizedSession = () => {
  const trips: Array<number> = []
  function all<const R extends ReadonlyArray<Read<unknown>>>(reads: R): Effect.Effect<Answers<R>, RpcFailure>
  function all(reads: ReadonlyArray<Read<unknown>>): Effect.Effect<ReadonlyArray<unknown>, RpcFailure> {
    return Effect.suspend(() => {
      trips.push(reads.length)
      const size = reads.reduce((sum, { params: [own] }) => sum + Number(own), 0)
      if (size > LARGEST) return Effect.fail(new OversizedAnswer())
      return Effect.forEach(reads, read => read.decode(undefined))
    })
  }
  return { trips, session: batched({ ...countingSession().session, all }) }
}

const toldOf = (session: ChainSession, sizes: ReadonlyArray<number>) =>
  Effect.forEach(
    sizes,
    size =>
      Effect.match(session.all([{ ...numberRead(size), method: "eth_call" }]), {
        onFailure: ({ _tag, retryable }) => `${_tag} ${retryable ?? "again"}`,
        onSuccess: ([value]) => value
      }),
    { concurrency: "unbounded" }
  )

const ALONE_TOO_LARGE = "RPC_INVALID_RESPONSE false"

it.effect("keeps the answers of all others where one is too large, whichever it is", () =>
  Effect.gen(function* () {
    for (const place of [0, 77, 199]) {
      const { session, trips } = sizedSession()
      const sizes = Array<number>(200).fill(1).with(place, 5_000)
      const told = yield* toldOf(session, sizes)
      assert.deepStrictEqual(
        told,
        sizes.map(size => (size === 1 ? 1 : ALONE_TOO_LARGE))
      )
      assert.isAtMost(trips.length, 1 + 16 + 13)
    }
  })
)

it.effect("parts what is too large together alone", () =>
  Effect.gen(function* () {
    const { session } = sizedSession()
    assert.deepStrictEqual(yield* toldOf(session, [600, 600, 7]), [600, 600, 7])
    assert.deepStrictEqual(yield* toldOf(session, [5_000]), [ALONE_TOO_LARGE])
  })
)

it.effect("asks no more than some times further, and says of the rest that it may be asked again", () =>
  Effect.gen(function* () {
    const { session, trips } = sizedSession()
    const told = yield* toldOf(session, Array<number>(200).fill(5_000))
    assert.isAtMost(trips.length, 65)
    assert.deepStrictEqual(new Set(told), new Set([ALONE_TOO_LARGE, "RPC_INVALID_RESPONSE again"]))
    assert.deepStrictEqual(yield* toldOf(session, [1, 2]), [1, 2])
  })
)
