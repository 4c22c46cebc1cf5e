import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runPrepareBuybackHook } from "../../../src/operations/routing/prepare_buyback_hook/Run.ts"
import { runPrepareRouterTerminal } from "../../../src/operations/routing/prepare_router_terminal/Run.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import { ofRegistry, word } from "../support/Buyback.ts"
import { type Contracts, pinnedCatalog } from "../support/Contracts.ts"
import { known } from "../support/Known.ts"
import { registeredBuyback, terminalsOf } from "../support/Payments.ts"
import { PROJECT, STRANGER, ZERO } from "../support/Revnets.ts"
import { withDataHook } from "../support/Shops.ts"
import { ACCOUNT, asked, project } from "./support/Choices.ts"

const GATEWAY: Address = "0x4a56AEf5b6A5b9742AbB02cA67C5a85ba183D901"

const HOOK: Address = "0x77bEe1AD2AC0AcE98a9b5B58D75685c8b4d94948"

const choice = { project, account: ACCOUNT, hook: HOOK }

const ofRouters = (name: string, ...args: ReadonlyArray<unknown>) => ({
  contract: "JBRouterTerminalRegistry",
  function: name,
  args
})

const segment = (from: bigint, to: bigint, hook: Address) => ({
  minProjectIdExclusive: from,
  maxProjectId: to,
  hook
})

describe("prepare_buyback_hook", () => {
  it.layer(pinnedCatalog)(it => {
    const older = (world: Contracts, segments: ReadonlyArray<ReturnType<typeof segment>>) => {
      for (const [index, each] of segments.entries())
        world.says(ofRegistry("defaultHookHistoryAt", BigInt(index)), each)
      return world
        .says(ofRegistry("defaultHookProjectIdThreshold"), 100n)
        .says(ofRegistry("defaultHookHistoryLength"), BigInt(segments.length))
    }

    it.effect("finds the default of the time when the project was made, in three round trips", () =>
      Effect.gen(function* () {
        const { summary, roundTrips } = yield* asked(runPrepareBuybackHook, choice, it =>
          older(it, [segment(0n, 6n, ZERO), segment(6n, 7n, STRANGER), segment(7n, 100n, ZERO)])
        )
        assert.deepInclude(summary, { cohortDefault: known(STRANGER), effectiveHookAfter: known(HOOK) })
        assert.strictEqual(roundTrips, 3)
      })
    )

    it.effect("knows no default where there is none, nor behind too long a history", () =>
      Effect.gen(function* () {
        const none = yield* asked(runPrepareBuybackHook, choice, it =>
          older(it, [segment(7n, 100n, STRANGER)])
        )
        assert.deepInclude(none.summary, { cohortDefault: known(null), effectiveHookAfter: known(HOOK) })
        const long = yield* asked(runPrepareBuybackHook, choice, it =>
          older(it, []).says(ofRegistry("defaultHookHistoryLength"), 33n)
        )
        assert.strictEqual(long.summary.cohortDefault.error.code, "READ_LIMIT_EXCEEDED")
        assert.deepStrictEqual(long.summary.effectiveHookAfter, known(HOOK))
      })
    )

    it.effect("leads away from a hook that is not recorded", () =>
      Effect.gen(function* () {
        const { summary } = yield* asked(runPrepareBuybackHook, choice, it =>
          it.says(registeredBuyback, STRANGER)
        )
        assert.deepInclude(summary, { previousHook: known(STRANGER) })
      })
    )

    it.effect("warns of a hook that is retired or not recorded", () =>
      Effect.gen(function* () {
        const warned = Effect.fnUntraced(function* (hook: Address) {
          const { draft } = yield* asked(runPrepareBuybackHook, { ...choice, hook }, it =>
            it.says(ofRegistry("isHookAllowed", hook), true).says(ofRegistry("setHookFor", PROJECT, hook), [])
          )
          return draft?.warnings.slice(1).join() ?? "nothing"
        })
        const { world } = yield* asked(runPrepareBuybackHook, choice)
        assert.strictEqual(world.at("JBBuybackHook"), HOOK)
        assert.strictEqual(yield* warned(HOOK), "")
        assert.match(yield* warned(world.at("JBBuybackHook", "v1")), /is retired/)
        assert.match(yield* warned(STRANGER), /not recorded/)
      })
    )

    it.effect("does not take the zero address for the way back to the default: the registry reverts", () =>
      Effect.gen(function* () {
        const { refused } = yield* asked(runPrepareBuybackHook, { ...choice, hook: ZERO }, it =>
          it.says(ofRegistry("isHookAllowed", ZERO), false)
        )
        assert.strictEqual(refused, "HOOK_NOT_ALLOWED")
      })
    )

    it.effect("is refused where the registry is not in use", () =>
      Effect.gen(function* () {
        const { refused } = yield* asked(runPrepareBuybackHook, choice, it =>
          withDataHook(it, it.at("JBBuybackHook"))
        )
        assert.strictEqual(refused, "REGISTRY_NOT_CONFIGURED")
      })
    )

    it.effect("is refused where the ruleset itself names the unknown hook that the registry names too", () =>
      Effect.gen(function* () {
        const { refused } = yield* asked(runPrepareBuybackHook, choice, it =>
          withDataHook(it, STRANGER).says(registeredBuyback, STRANGER)
        )
        assert.strictEqual(refused, "UNSUPPORTED_CONFIGURATION")
      })
    )
  })
})

describe("prepare_router_terminal", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("shows the router behind a recorded gateway, in three round trips", () =>
      Effect.gen(function* () {
        const input = { project, account: ACCOUNT, terminal: GATEWAY }
        const { world, draft, summary, roundTrips } = yield* asked(runPrepareRouterTerminal, input, it =>
          it
            .says(ofRouters("hasLockedTerminal", PROJECT), false)
            .says(ofRouters("isTerminalAllowed", GATEWAY), true)
            .says(ofRouters("terminalOf", PROJECT), it.at("JBRouterTerminal"))
            .says(ofRouters("defaultTerminalFor", PROJECT), it.at("JBRouterTerminal"))
            .says(ofRouters("setTerminalFor", PROJECT, GATEWAY), [])
            .says(terminalsOf, [it.at("JBRouterTerminalRegistry")])
            .raw(GATEWAY, "0x32fe7b26", word(BigInt(it.at("JBRouterTerminal"))), "gateway.ROUTER")
            .raw(GATEWAY, "0x88bc2ef3", word(BigInt(it.at("JBDirectory"))), "gateway.DIRECTORY")
        )
        assert.deepStrictEqual(
          summary.effectivePathAfter,
          known([world.at("JBRouterTerminalRegistry"), GATEWAY, world.at("JBRouterTerminal")])
        )
        assert.deepStrictEqual(draft?.warnings, [])
        assert.strictEqual(roundTrips, 3)
      })
    )

    it.effect("does not take the zero address for the way back to the default: the registry reverts", () =>
      Effect.gen(function* () {
        const input = { project, account: ACCOUNT, terminal: ZERO }
        const { refused } = yield* asked(runPrepareRouterTerminal, input, it =>
          it
            .says(ofRouters("hasLockedTerminal", PROJECT), false)
            .says(ofRouters("isTerminalAllowed", ZERO), false)
            .says(ofRouters("terminalOf", PROJECT), it.at("JBRouterTerminal"))
            .says(ofRouters("defaultTerminalFor", PROJECT), it.at("JBRouterTerminal"))
            .says(terminalsOf, [it.at("JBRouterTerminalRegistry")])
        )
        assert.strictEqual(refused, "TERMINAL_NOT_ALLOWED")
      })
    )
  })
})
