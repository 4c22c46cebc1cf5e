import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { deploySandbox } from "../../sandbox/deploy.ts"
import { Catalog } from "../../src/catalog/Catalog.ts"
import { ReadContract } from "../../src/protocol/ReadContract.ts"
import { ResolveContract } from "../../src/protocol/ResolveContract.ts"
import { RuntimePins } from "../../src/protocol/RuntimePins.ts"
import { temporaryDirectory } from "../catalog/support/Inventories.ts"
import { clientOver } from "../chain/ChainUnderTest.ts"
import { anvil } from "../support/Anvil.ts"
import { CONTROLLER, DIRECTORY, TERMINAL } from "./support/Protocol.ts"

const chainId = 31_337

const sandbox = Layer.unwrapScoped(
  Effect.gen(function* () {
    const { url } = yield* anvil()
    const manifest = yield* Effect.promise(() => deploySandbox(url))
    const file = join(yield* temporaryDirectory, "sandbox.json")
    yield* Effect.promise(() => writeFile(file, JSON.stringify(manifest)))
    const catalog = Catalog.layer({ directory: "schema/protocol", overlays: [file] })
    return Layer.merge(ResolveContract.layer, ReadContract.layer).pipe(
      Layer.provide(clientOver({ chainId, urls: [url] })),
      Layer.provide(RuntimePins.none),
      Layer.provideMerge(catalog)
    )
  })
)

describe("the sandbox chain", () => {
  it.layer(sandbox, { timeout: "60 seconds" })(it => {
    it.effect(
      "resolves every deployed contract that the catalog calls executable, verified by its own hash",
      () =>
        Effect.gen(function* () {
          const catalog = yield* Catalog
          const room = yield* ResolveContract
          const { items } = yield* catalog.contracts({
            chainId,
            deployedOnly: true,
            executableOnly: true,
            offset: 0,
            limit: 100
          })
          assert.isAbove(items.length, 10)
          for (const { id } of items) {
            const { provenance } = yield* room.resolve({ chainId, contractId: id })
            assert.deepInclude(provenance, { source: "sandbox", runtimeVerified: true }, id)
          }
        })
    )

    it.effect("reads what the directory says of the seeded project", () =>
      Effect.gen(function* () {
        const resolver = yield* ResolveContract
        const reader = yield* ReadContract
        const controller = yield* resolver.resolve({ chainId, contractId: CONTROLLER, projectId: "1" })
        const read = yield* reader.read({
          chainId,
          contractId: DIRECTORY,
          function: "controllerOf(uint256)",
          args: '["1"]'
        })
        assert.deepStrictEqual(
          read.outputs.map(({ value }) => value),
          [controller.address]
        )
        const terminal = yield* resolver.resolve({ chainId, contractId: TERMINAL, projectId: "1" })
        assert.strictEqual(
          terminal.provenance.projectContext?.association,
          "JBDirectory.terminalsOf(uint256)"
        )
        const unknown = yield* Effect.flip(
          resolver.resolve({ chainId, contractId: CONTROLLER, projectId: "999" })
        )
        assert.strictEqual(unknown._tag, "PROJECT_COMPONENT_MISSING")
      })
    )
  })
})
