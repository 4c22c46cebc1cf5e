import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { keccak256 } from "viem"
import type { Answers, ChainSession, Read } from "../../src/chain/ChainClient.ts"
import { type RpcFailure, RpcTimeout } from "../../src/chain/refusals.ts"
import type { SmartManifest } from "../../src/smartaccounts/Manifest.ts"
import { pinsOf } from "../../src/smartaccounts/Manifest.ts"
import { unseenPins } from "../../src/smartaccounts/PinnedBlocks.ts"
import { manifest as local } from "./support/Inspections.ts"

const CODE = "0x6001"
const block = { endpoint: "1/0", blockHash: `0x${"11".repeat(32)}` } as const

/** Of which no block was seen, and whose contracts all have one code. */
const fresh = (): SmartManifest => {
  const { paymasters, ...pins } = local.pins
  const held = { runtimeCodeHash: keccak256(CODE) }
  const { singleton, factory, adapter, launchpad, entryPoint, senderCreator } = pins
  return {
    ...local,
    pins: {
      singleton: { ...singleton, ...held },
      factory: { ...factory, ...held },
      adapter: { ...adapter, ...held },
      launchpad: { ...launchpad, ...held },
      entryPoint: { ...entryPoint, ...held },
      senderCreator: { ...senderCreator, ...held },
      paymasters: paymasters.map(pin => ({ ...pin, ...held }))
    }
  }
}

/** Each look waits for what comes before its answer. */
const nodeWith = (code: string, before: Effect.Effect<void, RpcFailure>) => {
  const looks: Array<number> = []
  function all<const R extends ReadonlyArray<Read<unknown>>>(reads: R): Effect.Effect<Answers<R>, RpcFailure>
  function all(reads: ReadonlyArray<Read<unknown>>): Effect.Effect<ReadonlyArray<unknown>, RpcFailure> {
    return Effect.suspend(() => {
      looks.push(reads.length)
      return Effect.zipRight(
        before,
        Effect.forEach(reads, read => read.decode(code))
      )
    })
  }
  const session: ChainSession = {
    chainId: 1,
    endpoint: block.endpoint,
    all,
    sendRaw: () => Effect.dieMessage("nothing is sent")
  }
  return { session, looks }
}

describe("the pins of a block", () => {
  it.effect("are looked at once for all who ask, and not again", () =>
    Effect.gen(function* () {
      const manifest = fresh()
      const { session, looks } = nodeWith(CODE, Effect.yieldNow())
      const ask = unseenPins(manifest, block, session)
      const answers = yield* Effect.all([ask, ask, ask], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        answers.map(({ length }) => length),
        [pinsOf(manifest).length, 0, 0]
      )
      assert.deepStrictEqual(yield* ask, [])
      assert.strictEqual(looks.length, 1)
    })
  )

  it.effect("are looked at by each who asks where the block lacks one", () =>
    Effect.gen(function* () {
      const manifest = fresh()
      const { session, looks } = nodeWith("0x6002", Effect.yieldNow())
      const ask = unseenPins(manifest, block, session)
      const answers = yield* Effect.all([ask, ask], { concurrency: "unbounded" })
      for (const pinned of answers) assert.strictEqual(pinned.length, pinsOf(manifest).length)
      yield* ask
      assert.strictEqual(looks.length, 3)
    })
  )

  it.effect("are another's to look at when who looked was interrupted or got no answer", () =>
    Effect.gen(function* () {
      const manifest = fresh()
      const never = nodeWith(CODE, Effect.never)
      const prompt = nodeWith(CODE, Effect.void)
      const leader = yield* Effect.fork(unseenPins(manifest, block, never.session))
      yield* Effect.yieldNow()
      const follower = yield* Effect.fork(unseenPins(manifest, block, prompt.session))
      yield* Effect.yieldNow()
      assert.deepStrictEqual([never.looks.length, prompt.looks.length], [1, 0])
      yield* Fiber.interrupt(leader)
      assert.strictEqual((yield* Fiber.join(follower)).length, pinsOf(manifest).length)

      const other = fresh()
      const told = yield* Deferred.make<void, RpcFailure>()
      const failing = nodeWith(CODE, Deferred.await(told))
      const first = yield* Effect.fork(unseenPins(other, block, failing.session))
      yield* Effect.yieldNow()
      const second = yield* Effect.fork(unseenPins(other, block, prompt.session))
      yield* Effect.yieldNow()
      yield* Deferred.fail(told, new RpcTimeout())
      assert.strictEqual((yield* Effect.flip(Fiber.join(first)))._tag, "RPC_TIMEOUT")
      assert.strictEqual((yield* Fiber.join(second)).length, pinsOf(other).length)
    })
  )
})
