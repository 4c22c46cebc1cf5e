import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { gasPrice } from "../../src/chain/Reads.ts"
import { setClock } from "../support/Clocks.ts"
import { onNodes, tagOf } from "./ChainUnderTest.ts"

const session = Effect.flatMap(ChainClient, client => client.session(1))
const snapshot = (at?: bigint) => Effect.flatMap(ChainClient, client => client.snapshot(1, at))

describe("the budget", () => {
  it.effect("counts calls per fixed minute and says when to come back", () =>
    onNodes(
      [{}, {}],
      (first, second) =>
        Effect.gen(function* () {
          yield* TestClock.adjust("45 seconds")
          const opened = yield* session
          yield* opened.all([gasPrice, gasPrice])
          const before = first.roundTrips()
          const refused = yield* Effect.flip(opened.all([gasPrice]))
          assert.strictEqual(refused._tag, "RPC_BUDGET")
          assert.strictEqual(refused.retryAfterSeconds, 15)
          assert.strictEqual(yield* tagOf(snapshot()), "RPC_BUDGET")
          assert.strictEqual(first.roundTrips(), before)
          assert.strictEqual(second.roundTrips(), 0)
          yield* TestClock.adjust("15 seconds")
          assert.deepStrictEqual(yield* opened.all([gasPrice]), [1_000_000_000n])
        }),
      { callsPerMinute: 6 }
    )
  )

  it.effect("never keeps admitted bytes from leaving", () =>
    onNodes(
      [{}],
      () =>
        Effect.gen(function* () {
          const opened = yield* session
          assert.strictEqual(yield* tagOf(opened.all([gasPrice])), "RPC_BUDGET")
          assert.strictEqual((yield* opened.sendRaw("0x01"))._tag, "Accepted")
        }),
      { callsPerMinute: 4 }
    )
  )
})

describe("health", () => {
  const health = Effect.map(
    Effect.flatMap(ChainClient, client => client.health),
    ([first]) => first
  )

  it.effect("is of now, though the time of day was put back meanwhile", () => {
    let [ahead, passed] = [-Date.now(), 0]
    const clock = setClock(
      () => ahead,
      () => passed
    )
    const asked = onNodes([{}, {}], first =>
      Effect.gen(function* () {
        assert.strictEqual((yield* health)?.state, "healthy")
        first.on("eth_getBlockByNumber", { wire: { kind: "status", status: 500 } })
        ahead -= 3_600_000
        passed = 11_000
        assert.strictEqual((yield* health)?.state, "degraded")
      })
    )
    return Effect.withClock(asked, clock)
  })

  it.effect("tells whether all, some or none of the endpoints serve, remembered for five seconds", () =>
    onNodes([{}, {}], (first, second) =>
      Effect.gen(function* () {
        assert.deepInclude(yield* health, { chainId: 1, state: "healthy", headAgeSeconds: 0 })
        first.on("eth_getBlockByNumber", { wire: { kind: "status", status: 500 } })
        assert.strictEqual((yield* health)?.state, "healthy")
        yield* TestClock.adjust("10 seconds")
        assert.deepInclude(yield* health, { state: "degraded", headAgeSeconds: 10 })
        second.on("eth_chainId", { result: "0x7" })
        yield* TestClock.adjust("10 minutes")
        assert.deepInclude(yield* health, { state: "unhealthy", headAgeSeconds: 610, latencyMs: null })
      })
    )
  )

  it.effect("is unhealthy of a node that is behind, and not silent: it answers", () =>
    onNodes([{}], () =>
      Effect.gen(function* () {
        yield* TestClock.adjust("90 seconds")
        assert.deepInclude(yield* health, { state: "unhealthy", headAgeSeconds: 90, silentSeconds: 0 })
      })
    )
  )

  it.effect("learns which finality tags the node serves", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        const client = yield* ChainClient
        assert.deepStrictEqual((yield* client.chains)[0]?.finality, { safe: false, finalized: false })
        node.mine()
        const honest = { result: { ...node.head(), number: "0x1", timestamp: "0x1" } }
        node.on("eth_getBlockByNumber", ([tag]) =>
          tag === "finalized" ? { error: { code: -32602 } } : honest
        )
        yield* session
        assert.deepStrictEqual((yield* client.chain(1)).finality, { safe: true, finalized: false })
      })
    )
  )
})
