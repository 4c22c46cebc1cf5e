import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import type { CallOutcome, Snapshot } from "../../src/chain/ChainClient.ts"
import { RpcBudget, type RpcFailure, RpcInvalidResponse, RpcTimeout } from "../../src/chain/refusals.ts"
import { makeBlockMemory } from "../../src/protocol/BlockMemory.ts"
import type { ChainQuestion } from "../../src/protocol/Inquiry.ts"
import type { Hex } from "../../src/values/Scalars.ts"

const unused = () => Effect.dieMessage("not asked")

const at = (digit: string, endpoint = "1/0", chainId = 1): Snapshot => {
  const hash: Hex = `0x${digit.repeat(64)}`
  const block = { chainId, number: 1n, hash, parentHash: hash, timestamp: 1n, baseFeePerGas: null }
  const session = { chainId, endpoint, all: unused, sendRaw: unused }
  return { session, block, calls: unused, codes: unused }
}

const codeOf = (digit: string): ChainQuestion => ({ _tag: "Code", address: `0x${digit.padStart(40, "0")}` })
const callOf = (digit: string, leads: boolean): ChainQuestion => ({
  _tag: "Call",
  request: { to: `0x${digit.padStart(40, "0")}`, data: "0x01" },
  leads
})

const returned = (data: Hex): CallOutcome => ({ _tag: "Returned", data })

/** Answers each question as told and counts what is asked. */
const askable = () => {
  const { answers: memory, forget } = makeBlockMemory()
  const batches: Array<number> = []
  const ask = (
    snapshot: Snapshot,
    questions: ReadonlyArray<ChainQuestion>,
    answer: Effect.Effect<CallOutcome, RpcFailure> = Effect.succeed(returned("0x6001"))
  ) =>
    Effect.map(
      memory(snapshot, questions, asked => {
        batches.push(asked.length)
        return Effect.forEach(asked, () => answer)
      }),
      answers => [...answers.values()]
    )
  return { ask, batches, forget }
}

describe("what an endpoint said of a block", () => {
  it.effect("is asked once for code and for calls that lead on", () =>
    Effect.gen(function* () {
      const { ask, batches } = askable()
      const questions = [codeOf("1"), callOf("2", true)]
      for (let time = 0; time < 3; time++)
        assert.deepStrictEqual(yield* ask(at("a"), questions), [returned("0x6001"), returned("0x6001")])
      assert.deepStrictEqual(batches, [2])
      yield* ask(at("a"), [...questions, codeOf("3")])
      assert.deepStrictEqual(batches, [2, 1])
    })
  )

  it.effect("holds for that hash, that endpoint and that chain alone", () =>
    Effect.gen(function* () {
      const { ask, batches } = askable()
      for (const snapshot of [at("a"), at("b"), at("b", "1/1"), at("b", "5/0", 5)])
        yield* ask(snapshot, [codeOf("1")])
      assert.deepStrictEqual(batches, [1, 1, 1, 1])
    })
  )

  it.effect("is asked again once it was forgotten, and other blocks are not", () =>
    Effect.gen(function* () {
      const { ask, batches, forget } = askable()
      for (const hash of ["a", "b"]) yield* ask(at(hash), [codeOf("1")])
      forget(at("a"))
      for (const hash of ["a", "b"]) yield* ask(at(hash), [codeOf("1")])
      assert.deepStrictEqual(batches, [1, 1, 1])
    })
  )

  it.effect("is never remembered of a caller's own call", () =>
    Effect.gen(function* () {
      const { ask, batches } = askable()
      for (let time = 0; time < 2; time++) yield* ask(at("a"), [callOf("1", false)])
      assert.deepStrictEqual(batches, [1, 1])
    })
  )

  const failures: ReadonlyArray<readonly [string, Effect.Effect<CallOutcome, RpcFailure>]> = [
    ["a refusal", Effect.succeed({ _tag: "Refused", code: -32_000 })],
    ["a revert", Effect.succeed({ _tag: "Reverted", data: "0x" })],
    ["no code", Effect.succeed(returned("0x"))],
    ["no answer", Effect.fail(new RpcTimeout())]
  ]

  it.effect.each(failures)("is never remembered where it is %s", ([, failure]) =>
    Effect.gen(function* () {
      const { ask, batches } = askable()
      yield* Effect.either(ask(at("a"), [codeOf("1")], failure))
      assert.deepStrictEqual(yield* ask(at("a"), [codeOf("1")]), [returned("0x6001")])
      assert.deepStrictEqual(batches, [1, 1])
    })
  )

  it.effect("is kept for the last two blocks of each chain", () =>
    Effect.gen(function* () {
      const { ask, batches } = askable()
      for (const digit of ["a", "b", "a", "c", "a"]) yield* ask(at(digit), [codeOf("1")])
      yield* ask(at("d", "5/0", 5), [codeOf("1")])
      assert.deepStrictEqual(batches, [1, 1, 1, 1])
      yield* ask(at("b"), [codeOf("1")])
      assert.deepStrictEqual(batches, [1, 1, 1, 1, 1])
    })
  )

  it.effect("is bounded in entries and in bytes", () =>
    Effect.gen(function* () {
      const { ask, batches } = askable()
      const many = Array.from({ length: 1_100 }, (_, index) => codeOf(index.toString(16)))
      yield* ask(at("a"), many)
      yield* ask(at("a"), many)
      assert.deepStrictEqual(batches, [1_100, 76])
      const huge = Effect.succeed(returned(`0x${"60".repeat(5 * 1024 * 1024)}`))
      for (const digit of ["1", "2", "1", "2"]) yield* ask(at("b"), [codeOf(digit)], huge)
      assert.deepStrictEqual(batches.slice(2), [1, 1, 1])
      yield* ask(at("c"), [codeOf("1")], huge)
      yield* ask(at("b"), [codeOf("1")], huge)
      assert.deepStrictEqual(batches.slice(5), [1, 1])
    })
  )
})

describe("what an endpoint is being asked of a block", () => {
  const both = (answer: (end: Deferred.Deferred<CallOutcome, RpcFailure>) => Effect.Effect<unknown>) =>
    Effect.gen(function* () {
      const { ask, batches } = askable()
      const end = yield* Deferred.make<CallOutcome, RpcFailure>()
      const first = yield* Effect.fork(ask(at("a"), [codeOf("1"), codeOf("2")], Deferred.await(end)))
      yield* Effect.yieldNow()
      const second = yield* Effect.fork(ask(at("a"), [codeOf("2"), codeOf("3")]))
      yield* Effect.yieldNow()
      assert.deepStrictEqual(batches, [2, 1])
      assert.isNull(second.unsafePoll())
      yield* answer(end)
      return { first, second, batches }
    })

  it.effect("is waited for by the others, who ask for the rest themselves", () =>
    Effect.gen(function* () {
      const { second, batches } = yield* both(end => Deferred.succeed(end, returned("0x05")))
      assert.sameDeepMembers(yield* Fiber.join(second), [returned("0x6001"), returned("0x05")])
      assert.deepStrictEqual(batches, [2, 1])
    })
  )

  it.effect.each([new RpcTimeout(), new RpcBudget(), new RpcInvalidResponse()])(
    "is asked anew by those who waited for one that failed, which may be its asker's own doing: %o",
    failure =>
      Effect.gen(function* () {
        const { first, second, batches } = yield* both(end => Deferred.fail(end, failure))
        assert.strictEqual(yield* Effect.flip(Fiber.join(first)), failure)
        assert.deepStrictEqual(yield* Fiber.join(second), [returned("0x6001"), returned("0x6001")])
        assert.deepStrictEqual(batches, [2, 1, 1])
      })
  )

  it.effect("is asked anew by those who waited for one that was interrupted", () =>
    Effect.gen(function* () {
      const { first, second, batches } = yield* both(() => Effect.void)
      yield* Fiber.interrupt(first)
      assert.deepStrictEqual(yield* Fiber.join(second), [returned("0x6001"), returned("0x6001")])
      assert.deepStrictEqual(batches, [2, 1, 1])
    })
  )

  it.live("is asked again by those who waited, at whatever step its asker was interrupted", () =>
    Effect.gen(function* () {
      for (let steps = 10; steps < 60; steps++) {
        const { ask } = askable()
        const asker = ask(at("a"), [codeOf("1")], Effect.never)
        const interrupted = yield* Effect.fork(Effect.withMaxOpsBeforeYield(asker, steps))
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(interrupted)
        const other = yield* Effect.fork(ask(at("a"), [codeOf("1")]))
        yield* turns(3)
        assert.isNotNull(other.unsafePoll(), `interrupted after ${steps} steps`)
      }
    })
  )
})

/** Long enough for whatever waits for nothing outside. */
const turns = (count: number) =>
  Effect.repeatN(
    Effect.promise(() => new Promise(resolve => setImmediate(resolve))),
    count
  )
