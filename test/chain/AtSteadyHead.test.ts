/** Questions that travel with the look which tells whether their block still is the head. */
import { Effect, Option, TestContext } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { atSteadyHead, notedSnapshot } from "../../src/chain/AtSteadyHead.ts"
import type { ChainClient, Snapshot } from "../../src/chain/ChainClient.ts"
import { balance } from "../../src/chain/PinnedReads.ts"
import { SteadyHeads } from "../../src/chain/SteadyHeads.ts"
import { owner, type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { type RecordingProxy, startRecordingProxy } from "../support/RecordingProxy.ts"
import { rpc } from "../support/Rpc.ts"
import { clientOver } from "./ChainUnderTest.ts"

const CHAIN = 31_337

let sandbox: Sandbox
let proxy: RecordingProxy

beforeAll(async () => {
  sandbox = await startSandbox()
  proxy = await startRecordingProxy({ upstream: sandbox.url })
})
afterAll(async () => {
  await proxy.stop()
  await sandbox.stop()
})

const mined = Effect.promise(() => rpc(sandbox.url, "anvil_mine", ["0x1"]))

const fundsAt = ({ session, block }: Snapshot) =>
  Effect.map(session.all([balance(owner.address, block.hash)]), ([found]) => found)
const funds = atSteadyHead(CHAIN, fundsAt)

/** What it gave, and the methods of its round trips. */
const watched = <A, E, R>(asking: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = proxy.records.length
    const given = yield* asking
    const asked = proxy.records.slice(before)
    const trips = [...new Set(asked.map(({ roundTrip }) => roundTrip))].map(trip =>
      asked
        .filter(({ roundTrip }) => roundTrip === trip)
        .map(({ method }) => method)
        .sort()
    )
    return { given, trips }
  })

/** By a clock that stands still: a head that was seen was seen just now, however slow the machine is. */
const running = <A, E>(body: Effect.Effect<A, E, ChainClient | SteadyHeads>) =>
  body.pipe(
    Effect.provide(SteadyHeads.layer),
    Effect.provide(clientOver({ chainId: CHAIN, urls: [proxy.url] })),
    Effect.scoped,
    Effect.provide(TestContext.TestContext),
    Effect.runPromise
  )

const TOGETHER = [["eth_getBalance", "eth_getBlockByNumber"]]

const steady = Effect.zipRight(notedSnapshot(CHAIN), notedSnapshot(CHAIN))

describe("what is asked at a steady head", () => {
  it("is asked of nobody where no head was seen twice", () =>
    running(
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* watched(Effect.map(funds, Option.getOrNull)), {
          given: null,
          trips: []
        })
        yield* notedSnapshot(CHAIN)
        assert.deepStrictEqual(yield* watched(Effect.map(funds, Option.getOrNull)), {
          given: null,
          trips: []
        })
      })
    ))

  it("takes one round trip with the look", () =>
    running(
      Effect.gen(function* () {
        yield* steady
        const { given, trips } = yield* watched(funds)
        assert.isTrue(Option.exists(given, balance => balance > 0n))
        assert.deepStrictEqual(trips, TOGETHER)
      })
    ))

  it("counts for nothing where another block is the head by now, which is noted", () =>
    running(
      Effect.gen(function* () {
        yield* steady
        yield* mined
        assert.deepStrictEqual(yield* watched(Effect.map(funds, Option.getOrNull)), {
          given: null,
          trips: TOGETHER
        })
        assert.isTrue(Option.isNone(yield* funds))
        yield* notedSnapshot(CHAIN)
        assert.isTrue(Option.isSome(yield* funds))
      })
    ))

  it("counts for nothing where it fails, and leaves the head to whoever looks", () =>
    running(
      Effect.gen(function* () {
        yield* steady
        const refused = atSteadyHead(CHAIN, snapshot =>
          Effect.zipRight(fundsAt(snapshot), Effect.fail("not as it was"))
        )
        assert.isTrue(Option.isNone(yield* refused))
        proxy.fault({ method: "eth_getBlockByNumber", phase: "before", act: { kind: "reset" } })
        assert.isTrue(Option.isNone(yield* funds))
        proxy.clearFaults()
      })
    ))
})
