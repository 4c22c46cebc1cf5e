import { Effect, TestClock, TestContext } from "effect"
import { assert, describe, it } from "vitest"
import {
  GraphqlError,
  InvalidResponse,
  Timeout,
  Unavailable,
  UpstreamHttpError
} from "../../src/indexer/refusals.ts"
import type { Ask, AskRefusal } from "../../src/indexer/Source.ts"
import { makeHealth } from "../../src/indexer/SourceHealth.ts"

const QUESTION = { query: "{rows}", variables: {} }

/** A source that ends each question as the test says, and what it was asked. */
const scripted = () => {
  const asked: Array<string> = []
  let end: Effect.Effect<object, AskRefusal> = Effect.succeed({ _meta: {} })
  const ask: Ask = ({ query }) =>
    Effect.suspend(() => {
      asked.push(query)
      return Effect.map(end, data => ({ data, observedAt: 0 }))
    })
  return {
    asked,
    ends: (next: Effect.Effect<object, AskRefusal>) => {
      end = next
    },
    ...makeHealth(ask)
  }
}

const underClock = (work: (source: ReturnType<typeof scripted>) => Effect.Effect<void>) =>
  Effect.runPromise(Effect.provide(work(scripted()), TestContext.TestContext))

describe("whether a source works", () => {
  it("is what a probe finds where nothing was asked", () =>
    underClock(
      Effect.fnUntraced(function* ({ answers, asked, ends }) {
        assert.isTrue(yield* answers)
        assert.deepStrictEqual(asked, ["{_meta{status}}"])
        ends(new Unavailable())
        assert.isTrue(yield* answers)
        yield* TestClock.adjust("5 seconds")
        assert.isFalse(yield* answers)
        assert.lengthOf(asked, 2)
      })
    ))

  const busy = new UpstreamHttpError({ context: { status: 503 }, retryable: true })
  for (const failure of [new Unavailable(), new Timeout(), new InvalidResponse(), busy])
    it(`follows a question that ends with ${failure._tag} at once`, () =>
      underClock(
        Effect.fnUntraced(function* ({ answers, heard, asked, ends }) {
          assert.isTrue(yield* answers)
          ends(failure)
          yield* Effect.ignore(heard(QUESTION))
          assert.isFalse(yield* answers)
          ends(Effect.succeed({}))
          yield* Effect.ignore(heard(QUESTION))
          assert.isTrue(yield* answers)
          assert.lengthOf(asked, 3)
        })
      ))

  for (const refusal of [
    new GraphqlError(),
    new UpstreamHttpError({ context: { status: 400 }, retryable: false })
  ])
    it(`is probed where a question ends with ${refusal._tag}, as of a source that works and of one whose tables are gone`, () =>
      underClock(
        Effect.fnUntraced(function* ({ answers, heard, asked, ends }) {
          ends(refusal)
          yield* Effect.ignore(heard(QUESTION))
          assert.isFalse(yield* answers)
          assert.deepStrictEqual(asked, [QUESTION.query, "{_meta{status}}"])
          yield* Effect.ignore(heard(QUESTION))
          ends(Effect.succeed({ _meta: { status: {} } }))
          assert.isTrue(yield* answers)
        })
      ))

  it("is no longer so where a probe is not answered in time, or with something else", () =>
    underClock(
      Effect.fnUntraced(function* ({ answers, ends }) {
        ends(Effect.succeed({ other: true }))
        assert.isFalse(yield* answers)
        yield* TestClock.adjust("5 seconds")
        ends(Effect.never)
        const asking = yield* Effect.fork(answers)
        yield* TestClock.adjust("2 seconds")
        assert.isFalse(yield* asking)
      })
    ))
})
