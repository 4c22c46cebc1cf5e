import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runPrepareBuybackHook } from "../../../src/operations/routing/PrepareBuybackHook.ts"
import { runPrepareRouterTerminal } from "../../../src/operations/routing/PrepareRouterTerminal.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import { ofRegistry, word } from "../support/Buyback.ts"
import { type Contracts, pinnedCatalog } from "../support/Contracts.ts"
import { registeredBuyback, terminalsOf } from "../support/Payments.ts"
import { PROJECT, STRANGER, ZERO } from "../support/Revnets.ts"
import { withDataHook } from "../support/Shops.ts"
import { ACCOUNT, asked, project } from "./support/Choices.ts"

const GATEWAY: Address = "0x4a56AEf5b6A5b9742AbB02cA67C5a85ba183D901"

const back = { project, account: ACCOUNT, hook: ZERO }

const known = (value: unknown) => ({ status: "known", value })

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
        const { summary, roundTrips } = yield* asked(runPrepareBuybackHook, back, it =>
          older(it, [segment(0n, 6n, ZERO), segment(6n, 7n, STRANGER), segment(7n, 100n, ZERO)])
        )
        assert.deepInclude(summary, { cohortDefault: known(STRANGER), effectiveHookAfter: known(STRANGER) })
        assert.strictEqual(roundTrips, 3)
      })
    )

    it.effect("warns where there is no default, and knows none behind too long a history", () =>
      Effect.gen(function* () {
        const none = yield* asked(runPrepareBuybackHook, back, it => older(it, [segment(7n, 100n, STRANGER)]))
        assert.deepInclude(none.summary, { cohortDefault: known(null), effectiveHookAfter: known(null) })
        assert.match(none.draft?.warnings.join() ?? "", /no default/)
        const long = yield* asked(runPrepareBuybackHook, back, it =>
          older(it, []).says(ofRegistry("defaultHookHistoryLength"), 33n)
        )
        assert.strictEqual(long.summary.cohortDefault.error.code, "READ_LIMIT_EXCEEDED")
        assert.strictEqual(long.summary.effectiveHookAfter.status, "unknown")
      })
    )

    it.effect("leads away from a hook that is not recorded", () =>
      Effect.gen(function* () {
        const { summary } = yield* asked(runPrepareBuybackHook, back, it =>
          it.says(registeredBuyback, STRANGER)
        )
        assert.deepInclude(summary, { previousHook: known(STRANGER) })
      })
    )

    it.effect("warns of a default as of a hook that was chosen", () =>
      Effect.gen(function* () {
        const warned = (to: (world: Contracts) => Address) =>
          Effect.map(
            asked(runPrepareBuybackHook, back, it => it.says(ofRegistry("defaultHook"), to(it))),
            ({ draft }) => draft?.warnings.slice(1).join() ?? "nothing"
          )
        assert.strictEqual(yield* warned(it => it.at("JBBuybackHook")), "")
        assert.match(yield* warned(it => it.at("JBBuybackHook", "v1")), /is retired/)
        assert.match(yield* warned(() => STRANGER), /not recorded/)
      })
    )

    it.effect("is refused where the registry is not in use", () =>
      Effect.gen(function* () {
        const { refused } = yield* asked(runPrepareBuybackHook, back, it =>
          withDataHook(it, it.at("JBBuybackHook"))
        )
        assert.strictEqual(refused, "REGISTRY_NOT_CONFIGURED")
      })
    )

    it.effect("is refused where the ruleset itself names the unknown hook that the registry names too", () =>
      Effect.gen(function* () {
        const { refused } = yield* asked(runPrepareBuybackHook, back, it =>
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
        const ofRouters = (name: string, ...args: ReadonlyArray<unknown>) => ({
          contract: "JBRouterTerminalRegistry",
          function: name,
          args
        })
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
  })
})
