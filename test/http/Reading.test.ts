/** Who waits for a body's place, who goes for whom, and what that costs an address. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Fiber, Layer, TestClock } from "effect"
import { RateLimited } from "../../src/accounts/refusals.ts"
import { InWork } from "../../src/http/InWork.ts"
import type { AwaitedBody } from "../../src/http/Reading.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { testSettings } from "../support/Service.ts"

const layerOf = (maximumInWork: number) =>
  Layer.provide(InWork.layer, Layer.succeed(Settings, { ...testSettings(0, 0, ""), maximumInWork }))

type Body = AwaitedBody<void, RateLimited>

const codeOf = <A, E extends { readonly _tag: string }>(result: Either.Either<A, E>) =>
  Either.isLeft(result) ? result.left._tag : "OK"

const bodyFrom = (address: string, over: Partial<Body> = {}): Body => ({
  read: () => ({ stop: () => {}, received: () => 0 }),
  address,
  bytes: 2,
  pay: Effect.void,
  ...over
})

const withItsHead: Partial<Body> = {
  read: finish => {
    queueMicrotask(() => finish(Effect.void))
    return { stop: () => {}, received: () => 2 }
  }
}

/** In a later turn of the loop. */
const later: Partial<Body> = {
  read: finish => {
    setImmediate(() => setImmediate(() => finish(Effect.void)))
    return { stop: () => {}, received: () => 1 }
  }
}

const turns = Effect.promise(() => new Promise(resolve => setImmediate(() => setImmediate(resolve))))

const awaiting = (body: Body) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(Effect.either((yield* InWork).reading(body)))
    yield* TestClock.adjust("0 millis")
    yield* turns
    return fiber
  })

const asking = (body: Body) =>
  Effect.flatMap(InWork, ({ reading }) => Effect.map(Effect.either(reading(body)), codeOf))

const isOver = (fiber: Fiber.RuntimeFiber<unknown>) => fiber.unsafePoll() !== null

describe("a full house", () => {
  it.effect("lets the slowest body go for one that comes, but none that is not slow", () =>
    Effect.gen(function* () {
      const first = yield* awaiting(bodyFrom("a"))
      yield* TestClock.adjust("1 second")
      const second = yield* awaiting(bodyFrom("a"))
      yield* TestClock.adjust("999 millis")
      assert.strictEqual(yield* asking(bodyFrom("a", later)), "SERVICE_BUSY")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* asking(bodyFrom("a", later)), "OK")
      assert.strictEqual(codeOf(yield* Fiber.join(first)), "BODY_TIMEOUT")
      const third = yield* awaiting(bodyFrom("a"))
      assert.strictEqual(yield* asking(bodyFrom("a", later)), "SERVICE_BUSY")
      yield* Fiber.interrupt(third)
      assert.strictEqual(yield* asking(bodyFrom("a", later)), "OK")
      yield* Fiber.interrupt(second)
    }).pipe(Effect.provide(layerOf(2)))
  )

  it.effect("lets go one of the address that has most, however new, and there the slowest", () =>
    Effect.gen(function* () {
      const crowd = yield* Effect.forEach([5, 3, 7], came =>
        awaiting(bodyFrom("crowd", { read: () => ({ stop: () => {}, received: () => came }) }))
      )
      const other = yield* awaiting(bodyFrom("other"))
      assert.strictEqual(yield* asking(bodyFrom("victim", later)), "OK")
      assert.deepStrictEqual(crowd.map(isOver), [false, true, false])
      assert.isFalse(isOver(other))
      const next = yield* awaiting(bodyFrom("victim"))
      assert.strictEqual(yield* asking(bodyFrom("victim", later)), "SERVICE_BUSY")
      yield* Fiber.interruptAll([...crowd, other, next])
    }).pipe(Effect.provide(layerOf(4)))
  )

  it.effect("is full of bytes as it is of bodies", () =>
    Effect.gen(function* () {
      const large = yield* awaiting(bodyFrom("a", { bytes: 1_048_576 }))
      assert.strictEqual(yield* asking(bodyFrom("b", { ...later, bytes: 1_048_576 })), "SERVICE_BUSY")
      yield* Fiber.interrupt(large)
      assert.strictEqual(yield* asking(bodyFrom("b", { ...later, bytes: 1_048_576 })), "OK")
    }).pipe(Effect.provide(layerOf(7)))
  )
})

describe("an address", () => {
  it.effect("waits for bodies in a quarter of the places, whatever is free", () =>
    Effect.gen(function* () {
      const bodies = yield* Effect.forEach(Array.from({ length: 16 }), () =>
        awaiting(bodyFrom("a", { bytes: 1_048_576 }))
      )
      assert.isFalse(bodies.some(isOver))
      const refused = yield* (yield* InWork).reading(bodyFrom("a", later)).pipe(Effect.flip)
      assert.deepInclude(refused, { _tag: "SERVICE_BUSY", context: { limit: 64, per: "client address" } })
      assert.strictEqual(yield* asking(bodyFrom("b", later)), "OK")
      yield* Fiber.interruptAll(bodies)
    }).pipe(Effect.provide(layerOf(256)))
  )

  it.effect("needs no place and pays nothing for a body that comes with its head", () =>
    Effect.gen(function* () {
      const bodies = yield* Effect.forEach(Array.from({ length: 4 }), () => awaiting(bodyFrom("a")))
      let paid = 0
      const pay = Effect.sync(() => void paid++)
      assert.strictEqual(yield* asking(bodyFrom("a", { ...withItsHead, pay })), "OK")
      assert.strictEqual(paid, 0)
      assert.strictEqual(yield* asking(bodyFrom("a", { ...later, pay })), "SERVICE_BUSY")
      assert.strictEqual(paid, 1)
      yield* Fiber.interruptAll(bodies)
    }).pipe(Effect.provide(layerOf(4)))
  )

  it.effect("that can pay no more gets no place", () =>
    Effect.gen(function* () {
      const spent = new RateLimited({ retryAfterSeconds: 1 })
      let stops = 0
      const read: Body["read"] = () => ({ stop: () => void stops++, received: () => 0 })
      assert.strictEqual(yield* asking(bodyFrom("a", { read, pay: Effect.fail(spent) })), "RATE_LIMITED")
      assert.strictEqual(stops, 1)
    }).pipe(Effect.provide(layerOf(4)))
  )
})
