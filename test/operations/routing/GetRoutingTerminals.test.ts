import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Address, Hex } from "../../../src/values/Scalars.ts"
import { type Contracts, pinnedCatalog } from "../support/Contracts.ts"
import { STRANGER, ZERO } from "../support/Revnets.ts"
import {
  answered,
  coder,
  GATEWAY,
  ITS_ROUTER,
  input,
  known,
  ofDirectory,
  ofRouters,
  PENDING
} from "./support/RoutedProject.ts"

describe("get_routing", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("looks through a gateway that names a recorded router and the directory", () =>
      Effect.gen(function* () {
        const gateway = (world: Contracts, router: Address, directory: Address) => {
          const told = (data: Hex, types: ReadonlyArray<string>, ...values: ReadonlyArray<unknown>) =>
            world.raw(GATEWAY, data, { result: coder.encode(types, values) }, `Gateway.${data.slice(0, 10)}`)
          told("0x32fe7b26", ["address"], router)
          told("0x88bc2ef3", ["address"], directory)
          told("0x5c7ee100", ["uint256"], 2n)
          told(`0xb2fbb207${PENDING.slice(2)}`, ["bytes32"], PENDING)
          told(
            `0x9d58696c${PENDING.slice(2)}`,
            ["bytes32", "uint32", "uint48", "uint64"],
            PENDING,
            3,
            1_700_000_000,
            500_000
          )
          return world.says(ofRouters("terminalOf"), GATEWAY)
        }
        const given = { ...input, pendingCallIds: [PENDING] }
        const held = yield* answered(
          world => gateway(world, world.at("JBRouterTerminal"), world.at("JBDirectory")),
          given
        )
        const { path, pendingCalls, pairs, resolved, registry } = held.answer.router
        assert.deepStrictEqual(resolved, known({ terminal: GATEWAY, kind: "gateway" }))
        assert.deepStrictEqual(path.value.slice(0, 2), [registry, GATEWAY])
        assert.strictEqual(path.value.length, 3)
        assert.strictEqual(pairs[0].pool.status, "known")
        assert.deepStrictEqual(
          pendingCalls,
          known({
            gateway: GATEWAY,
            count: known("2"),
            calls: [
              {
                id: PENDING,
                commitment: known(PENDING),
                failure: known({
                  errorHash: PENDING,
                  count: "3",
                  lastFailureAt: "1700000000",
                  highestGasLimit: "500000"
                })
              }
            ]
          })
        )
        assert.strictEqual(held.roundTrips, 3)
        const own = yield* answered(world => gateway(world, ITS_ROUTER, world.at("JBDirectory")), given)
        assert.deepStrictEqual(own.answer.router.path, known([registry, GATEWAY, ITS_ROUTER]))
        const foreign: ReadonlyArray<(world: Contracts) => Contracts> = [
          world => gateway(world, STRANGER, world.at("JBDirectory")),
          world => gateway(world, world.at("JBRouterTerminal"), STRANGER)
        ]
        for (const change of foreign) {
          const { answer } = yield* answered(change, given)
          assert.strictEqual(answer.router.path.error.code, "UNSUPPORTED_ROUTER_GATEWAY")
          assert.strictEqual(answer.router.pendingCalls.error.code, "UNSUPPORTED_ROUTER_GATEWAY")
        }
      })
    )

    it.effect("leads nowhere where the registry names nothing, and says so of what it does not know", () =>
      Effect.gen(function* () {
        const nothing = yield* answered(world => world.says(ofRouters("terminalOf"), ZERO))
        assert.deepInclude(nothing.answer.router, { resolved: known(null), path: known([]) })
        assert.strictEqual(nothing.answer.router.pairs[0].pool.error.code, "REGISTRY_NOT_CONFIGURED")
        const foreign = yield* answered(world => world.says(ofRouters("terminalOf"), STRANGER))
        assert.deepInclude(foreign.answer.router.resolved, known({ terminal: STRANGER, kind: "unrecorded" }))
        assert.strictEqual(foreign.answer.router.path.error.code, "UNSUPPORTED_TERMINAL")
        const direct = yield* answered(world =>
          world.says(ofRouters("terminalOf"), world.at("JBMultiTerminal"))
        )
        assert.strictEqual(direct.answer.router.path.value.length, 2)
      })
    )

    it.effect("shows everything but the terminals of a project that has more than it reads", () =>
      Effect.gen(function* () {
        const many = yield* answered(world =>
          world.says(ofDirectory("terminalsOf"), Array<Address>(17).fill(STRANGER))
        )
        const { directoryTerminals, terminalContexts, path } = many.answer.router
        assert.deepStrictEqual(
          [directoryTerminals.error.code, terminalContexts.error.code, path.status],
          ["READ_LIMIT_EXCEEDED", "READ_LIMIT_EXCEEDED", "known"]
        )
      })
    )
  })
})
