import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { RuntimePins } from "../../src/protocol/RuntimePins.ts"
import { temporaryDirectory } from "../catalog/support/Inventories.ts"
import { CONTROLLER, pinnedCatalog, published } from "./support/Protocol.ts"

const HASH = `0x${"12".repeat(32)}` as const

const fileWith = Effect.fn("fileWith")(function* (text: string) {
  const file = join(yield* temporaryDirectory, "runtimes.json")
  yield* Effect.promise(() => writeFile(file, text))
  return file
})

describe("runtime pins", () => {
  it.layer(pinnedCatalog)(it => {
    it.scoped("confirm exactly the addresses that the operator's file names", () =>
      Effect.gen(function* () {
        const deployment = yield* published(CONTROLLER)
        const { chainId, address } = deployment
        const file = yield* fileWith(
          JSON.stringify({ runtimes: [{ chainId, address: address.toLowerCase(), runtimeCodeHash: HASH }] })
        )
        const confirmed = Effect.map(RuntimePins, pins => [
          Option.getOrNull(pins.confirmed(deployment)),
          Option.getOrNull(pins.confirmed({ ...deployment, chainId: 10 }))
        ])
        assert.deepStrictEqual(yield* Effect.provide(confirmed, RuntimePins.layer(file)), [HASH, null])
      })
    )

    it.effect("count a sandbox's own hash as confirmed and a pinned one not", () =>
      Effect.gen(function* () {
        const deployment = yield* published(CONTROLLER)
        const pins = yield* RuntimePins
        assert.isTrue(Option.isNone(pins.confirmed(deployment)))
        const own = { ...deployment, source: "sandbox", runtimeCodeHash: HASH } as const
        assert.strictEqual(Option.getOrNull(pins.confirmed(own)), HASH)
      }).pipe(Effect.provide(RuntimePins.none))
    )

    it.scoped("refuse to start from a damaged or missing file", () =>
      Effect.gen(function* () {
        for (const file of [yield* fileWith("{}"), yield* fileWith("[1"), "nowhere/runtimes.json"]) {
          const refusal = yield* Effect.flip(Effect.scoped(Layer.build(RuntimePins.layer(file))))
          assert.strictEqual(refusal._tag, "CATALOG_INTEGRITY")
          assert.deepStrictEqual(refusal.context, { file })
        }
      })
    )
  })
})
