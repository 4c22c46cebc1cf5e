import { Context, Effect, Layer, Redacted, TestClock, TestContext } from "effect"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import { Indexer, type IndexerShape } from "../../src/indexer/Indexer.ts"
import { CursorSigner } from "../../src/settings/CursorSigner.ts"
import { Settings } from "../../src/settings/Settings.ts"
import type { AnyRefusal } from "../../src/values/Refusal.ts"
import { fillRandomly } from "../support/IndexedRows.ts"
import { graphqlAnswer, startIndexedSource } from "../support/IndexedSource.ts"
import { testSettings } from "../support/Settings.ts"

const source = await startIndexedSource()
await fillRandomly(source, { seed: 3, count: 12 })

beforeEach(() => {
  source.lack([])
  source.intercept()
})

afterAll(() => source.stop())

/** The indexer room under a clock that stands until the test turns it. */
const underClock = <A, E>(work: (indexer: IndexerShape) => Effect.Effect<A, E>): Promise<A> => {
  const urls = { mainnetUrl: undefined, testnetUrl: Redacted.make(source.url), headers: Redacted.make({}) }
  const settings = Layer.succeed(Settings, testSettings({ indexer: urls }))
  const indexer = Layer.provide(Indexer.layer({ directory: "schema/indexer" }), CursorSigner.layer)
  return Layer.build(Layer.provide(indexer, settings)).pipe(
    Effect.flatMap(context => work(Context.get(context, Indexer))),
    Effect.scoped,
    Effect.provide(TestContext.TestContext),
    Effect.runPromise
  )
}

const turn = Effect.promise(() => new Promise<void>(resolve => setImmediate(resolve)))

/** After the clock was turned, until the room has looked again. */
const until = (condition: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (condition() ? Effect.void : Effect.zipRight(turn, until(condition))))

const testnet = { network: "testnet" } as const
const code = (effect: Effect.Effect<unknown, AnyRefusal>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

const lacking = (indexer: IndexerShape) => indexer.list("buybackPoolRange", testnet)

const LACKING = [
  "buybackPoolRange",
  "buybackPoolLiquidityEvent",
  "project.balanceUsd",
  "addToBalanceEvent.amountUsd",
  "projectFilter.name_contains_nocase"
]

describe("a source that is older than the pinned schema", () => {
  it("serves everything else, and refuses what it lacks with the reason", () =>
    underClock(
      Effect.fnUntraced(function* (indexer) {
        source.lack(LACKING)
        const { items } = yield* indexer.list("project", testnet)
        assert.isAbove(items.length, 0)
        assert.notProperty(items[0], "balanceUsd")
        assert.isAbove((yield* indexer.list("addToBalanceEvent", testnet)).items.length, 0)
        const refused = [
          yield* code(indexer.list("buybackPoolRange", testnet)),
          yield* code(indexer.record("buybackPoolLiquidityEvent", { ...testnet, id: "a" })),
          yield* code(indexer.list("project", { ...testnet, fields: ["balanceUsd"] })),
          yield* code(indexer.list("payEvent", { ...testnet, fields: ["project.balanceUsd"] })),
          yield* code(indexer.list("project", { ...testnet, filters: { balanceUsd_gt: "0" } })),
          yield* code(indexer.list("project", { ...testnet, filters: { name_contains_nocase: "a" } })),
          yield* code(indexer.list("project", { ...testnet, orderBy: { field: "balanceUsd" } }))
        ]
        assert.deepStrictEqual(refused, [
          "INDEXER_UNSUPPORTED_ENTITY",
          "INDEXER_UNSUPPORTED_ENTITY",
          "INDEXER_INVALID_FIELDS",
          "INDEXER_INVALID_FIELDS",
          "INDEXER_INVALID_FIELDS",
          "INDEXER_INVALID_FIELDS",
          "INDEXER_INVALID_FIELDS"
        ])
        const { detail } = yield* Effect.flip(indexer.list("buybackPoolRange", testnet))
        assert.include(detail, "older")
      })
    ))

  it("is told in the catalog by entity and field", () =>
    underClock(
      Effect.fnUntraced(function* (indexer) {
        source.lack(LACKING)
        yield* indexer.list("project", testnet)
        const { entities, networks } = yield* indexer.catalog
        assert.deepStrictEqual(networks, { mainnet: false, testnet: true })
        const unserved = entities.filter(({ unservedBy }) => unservedBy !== undefined)
        assert.deepStrictEqual(
          unserved.map(({ name, supported, unservedBy }) => [name, supported, unservedBy]),
          [
            ["buybackPoolLiquidityEvent", false, ["testnet"]],
            ["buybackPoolRange", false, ["testnet"]]
          ]
        )
        const fields = entities
          .filter(({ supported }) => supported)
          .flatMap(({ name, fields }) =>
            fields.flatMap(field => (field.unservedBy === undefined ? [] : [`${name}.${field.name}`]))
          )
        assert.deepStrictEqual(fields, ["addToBalanceEvent.amountUsd", "project.balanceUsd"])
      })
    ))

  it("is looked at again after ten minutes", () =>
    underClock(
      Effect.fnUntraced(function* (indexer) {
        source.lack(LACKING)
        assert.strictEqual(yield* code(lacking(indexer)), "INDEXER_UNSUPPORTED_ENTITY")
        const edition = indexer.edition()
        source.lack([])
        yield* TestClock.adjust("9 minutes")
        yield* turn
        assert.strictEqual(indexer.edition(), edition)
        yield* TestClock.adjust("1 minute")
        yield* until(() => indexer.edition() > edition)
        assert.isAbove((yield* indexer.list("buybackPoolRange", testnet)).items.length, 0)
      })
    ))

  it("that does not answer at first is looked at again soon, and is not taken for lacking all", () =>
    underClock(
      Effect.fnUntraced(function* (indexer) {
        source.lack(LACKING)
        source.intercept(async () => graphqlAnswer("<html>", 503))
        assert.strictEqual(yield* code(indexer.list("payEvent", testnet)), "INDEXER_UPSTREAM_HTTP_ERROR")
        assert.isFalse(yield* indexer.answers("testnet"))
        source.intercept()
        assert.isAbove((yield* indexer.list("payEvent", testnet)).items.length, 0)
        assert.isTrue(yield* indexer.answers("testnet"))
        const { edition } = indexer
        yield* TestClock.adjust("15 seconds")
        yield* until(() => edition() > 0)
        assert.strictEqual(yield* code(lacking(indexer)), "INDEXER_UNSUPPORTED_ENTITY")
      })
    ))

  it("keeps what was found when a later look fails", () =>
    underClock(
      Effect.fnUntraced(function* (indexer) {
        source.lack(LACKING)
        assert.strictEqual(yield* code(lacking(indexer)), "INDEXER_UNSUPPORTED_ENTITY")
        source.intercept(async () => graphqlAnswer({ data: { __schema: { types: "none" } } }))
        const asked = source.requests.length
        yield* TestClock.adjust("10 minutes")
        yield* until(() => source.requests.length > asked)
        yield* turn
        assert.strictEqual(yield* code(lacking(indexer)), "INDEXER_UNSUPPORTED_ENTITY")
      })
    ))

  it.each([200, 400])(
    "answers all the same when it does not describe itself, with status %s, and lacks what it was known to lack",
    status =>
      underClock(
        Effect.fnUntraced(function* (indexer) {
          source.lack(LACKING)
          const disabled = { errors: [{ message: "Introspection is disabled." }] }
          const undescribed = () =>
            source.intercept((request, pass) =>
              request.body.includes("__schema") ? Promise.resolve(graphqlAnswer(disabled, status)) : pass()
            )
          undescribed()
          assert.isAbove((yield* indexer.list("payEvent", testnet)).items.length, 0)
          assert.isTrue(yield* indexer.answers("testnet"))
          source.intercept()
          yield* TestClock.adjust("10 minutes")
          yield* until(() => indexer.edition() > 0)
          undescribed()
          const asked = source.requests.length
          yield* TestClock.adjust("10 minutes")
          yield* until(() => source.requests.length > asked)
          yield* turn
          assert.strictEqual(yield* code(lacking(indexer)), "INDEXER_UNSUPPORTED_ENTITY")
          assert.isTrue(yield* indexer.answers("testnet"))
        })
      )
  )

  it("is looked at at once where it does not take a question, and is asked for what it serves", () =>
    underClock(
      Effect.fnUntraced(function* (indexer) {
        yield* indexer.list("project", testnet)
        const edition = indexer.edition()
        source.lack(LACKING)
        const refusal = yield* Effect.flip(indexer.list("project", testnet))
        assert.deepStrictEqual([refusal._tag, refusal.retryable], ["INDEXER_GRAPHQL_ERROR", true])
        yield* until(() => indexer.edition() > edition)
        const { items } = yield* indexer.list("project", testnet)
        assert.notProperty(items[0], "balanceUsd")
        assert.isTrue(yield* indexer.answers("testnet"))
      })
    ))

  it("is not looked at for each question that it does not take, where a look finds nothing new", () =>
    underClock(
      Effect.fnUntraced(function* (indexer) {
        const looks = () => source.requests.filter(({ body }) => body.includes("__schema")).length
        yield* indexer.list("project", testnet)
        source.intercept((request, pass) =>
          request.body.includes("__schema")
            ? pass()
            : Promise.resolve(graphqlAnswer({ errors: [{ message: "no" }] }))
        )
        const before = looks()
        const ask = code(indexer.list("project", testnet))
        assert.strictEqual(yield* ask, "INDEXER_GRAPHQL_ERROR")
        yield* until(() => looks() > before)
        for (let times = 0; times < 20; times++) yield* Effect.zipRight(ask, turn)
        assert.isAtMost(looks() - before, 2)
        const held = looks()
        yield* TestClock.adjust("1 minute")
        yield* ask
        yield* until(() => looks() > held)
      })
    ))

  it("that lacks nothing is marked nowhere", () =>
    underClock(
      Effect.fnUntraced(function* (indexer) {
        yield* indexer.list("project", testnet)
        assert.notInclude(JSON.stringify(yield* indexer.catalog), "unservedBy")
      })
    ))

  it("keeps nobody waiting whose own description is deeper than can be read", () =>
    underClock(
      Effect.fnUntraced(function* (indexer) {
        const depth = 40_000
        const type = `${'{"name":null,"ofType":'.repeat(depth)}{"name":"Int"}${"}".repeat(depth)}`
        const types = `[{"name":"project","fields":[{"name":"id","type":${type}}],"inputFields":null}]`
        const description = `{"data":{"__schema":{"queryType":{"name":"Query"},"types":${types}}}}`
        source.intercept((request, pass) =>
          request.body.includes("__schema") ? Promise.resolve(graphqlAnswer(description)) : pass()
        )
        const { items } = yield* indexer.list("project", testnet)
        assert.isAbove(items.length, 0)
        assert.isTrue(yield* indexer.answers("testnet"))
      })
    ))
})
