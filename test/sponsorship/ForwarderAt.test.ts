/** Requests are signed for the only forwarder of a chain that is in use: where there is none, or a choice, for none. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { theForwarder } from "../../src/sponsorship/ForwarderAt.ts"
import { pinnedCatalog, published } from "../protocol/support/Protocol.ts"

const FORWARDER = "@openzeppelin/contracts:metatx/ERC2771Forwarder.sol:ERC2771Forwarder"

it.layer(pinnedCatalog)(it => {
  it.effect("is chosen beside retired ones and copies", () =>
    Effect.gen(function* () {
      const one = yield* published(FORWARDER)
      const beside = [
        { ...one, retired: true },
        { ...one, clone: true }
      ]
      const chosen = yield* theForwarder({ chainId: 1, deploymentsOf: () => [...beside, one] })
      assert.strictEqual(chosen, one)
    })
  )

  it.effect("is FORWARDER_UNAVAILABLE where none is in use, or more than one", () =>
    Effect.gen(function* () {
      const one = yield* published(FORWARDER)
      for (const deployments of [[], [{ ...one, retired: true }], [{ ...one, clone: true }], [one, one]]) {
        const refused = yield* Effect.flip(theForwarder({ chainId: 1, deploymentsOf: () => deployments }))
        assert.strictEqual(refused._tag, "FORWARDER_UNAVAILABLE")
        assert.deepStrictEqual(refused.context, { chainId: 1 })
      }
    })
  )
})
