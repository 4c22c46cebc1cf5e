import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runQuotePay } from "../../../src/operations/payments/quote_pay/Run.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import { cuts, overtaken, pinnedCatalog, REFUSED } from "../support/Contracts.ts"
import {
  ACCOUNT,
  CLONE,
  controllerOf,
  currentRulesetOf,
  paidProject,
  primaryTerminalOf,
  registeredBuyback,
  registeredRouter,
  terminalsOf,
  useHook,
  withClone,
  words
} from "../support/Payments.ts"
import { AMOUNT, chain, input, previewed, quoted, refusal, USDC } from "../support/PreviewedPay.ts"
import { metadata, NATIVE, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"

/** Fifteen words of 1.1.1, and seventeen of 1.4.0. */
const buybackWords = (controller: Address, { mintWith = 0n, skipSplits = 0n, count = 15 } = {}) => {
  const all: Array<bigint | Address> = Array.from({ length: count }, () => 0n)
  all[1] = mintWith
  all[4] = controller
  all[11] = 5_000n
  all[12] = 1_000n
  if (count > 15) all[15] = skipSplits
  return words(all)
}

describe("quote_pay", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("answers the terminal's preview and the least to insist on, in two round trips", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const { answer, roundTrips, untold } = yield* quoted(world)
        assert.deepStrictEqual([untold, roundTrips], [[], 2])
        const terminal = world.at("JBMultiTerminal")
        assert.deepInclude(Object(answer), {
          operation: "pay",
          account: ACCOUNT,
          terminal,
          terminalPath: [terminal],
          routerGateway: null,
          route: "multi-terminal",
          quoteBasis: "terminal-issuance-preview",
          payment: { token: NATIVE, amount: String(AMOUNT), unit: "token-base-units" },
          beneficiaryTokenCount: "800",
          reservedTokenCount: "200",
          rawTerminalPreview: {
            semantics: "issuance",
            beneficiaryTokenCount: "800",
            reservedTokenCount: "200"
          },
          minimumBeneficiaryTokenCount: "792",
          slippageBps: 100,
          metadata: "0x",
          hooks: [],
          routeEvidence: { dataHooks: [], buybackHook: null, shop: null },
          rulesetId: String(ruleset().id)
        })
        assert.strictEqual(Object(answer).warnings.length, 2)
      })
    )

    it.effect("protects by no minimum what issues nothing, and says so", () =>
      Effect.gen(function* () {
        const world = previewed(yield* paidProject, { beneficiary: 0n })
        const { answer } = yield* quoted(world)
        assert.strictEqual(Object(answer).minimumBeneficiaryTokenCount, "0")
        assert.strictEqual(Object(answer).warnings.length, 3)
      })
    )

    it.effect("asks for an approval of other tokens", () =>
      Effect.gen(function* () {
        const world = previewed(yield* paidProject, { token: USDC })
        world.says(primaryTerminalOf(USDC), world.at("JBMultiTerminal"))
        const { answer } = yield* quoted(world, { token: USDC })
        assert.match(Object(answer).warnings.at(-1), /approval/)
      })
    )

    it.effect("takes the counts of a buyback that acts, of both versions", () =>
      Effect.gen(function* () {
        const world = yield* paidProject
        const hook = world.at("JBBuybackHook")
        useHook(world, "useDataHookForPay", world.at("JBBuybackHookRegistry")).says(registeredBuyback, hook)
        for (const count of [15, 17]) {
          const spec = { hook, amount: AMOUNT, metadata: buybackWords(world.at("JBController"), { count }) }
          const { answer, roundTrips } = yield* quoted(previewed(world, { specs: [spec] }))
          assert.strictEqual(roundTrips, 2)
          assert.deepInclude(Object(answer), {
            quoteBasis: "buyback-hook-indicative-output",
            beneficiaryTokenCount: "5000",
            reservedTokenCount: "1000",
            minimumBeneficiaryTokenCount: "4950"
          })
          assert.deepInclude(Object(answer).rawTerminalPreview, { beneficiaryTokenCount: "800" })
          assert.deepStrictEqual(Object(answer).routeEvidence.buybackHook, hook)
        }
      })
    )

    it.effect("refuses a buyback it cannot judge, and two of them", () =>
      Effect.gen(function* () {
        const world = yield* paidProject
        const hook = world.at("JBBuybackHook")
        const controller = world.at("JBController")
        useHook(world, "useDataHookForPay", hook)
        const good = { hook, metadata: buybackWords(controller) }
        const bad = [
          [{ hook, metadata: buybackWords(STRANGER) }],
          [{ hook, metadata: buybackWords(controller, { mintWith: 1n }) }],
          [{ hook, metadata: buybackWords(controller, { count: 17, skipSplits: 1n }) }],
          [{ hook, metadata: buybackWords(controller, { count: 16 }) }],
          [{ hook, metadata: "0x" }],
          [good, good]
        ]
        for (const specs of bad)
          assert.strictEqual(yield* refusal(previewed(world, { specs })), "UNSUPPORTED_CONFIGURATION")
        const idle = previewed(world, { specs: [good, { ...good, noop: true }] })
        assert.isUndefined(yield* refusal(idle))
      })
    )

    it.effect("lets the project's 721 hook act on nothing of the payment, and no other hook at all", () =>
      Effect.gen(function* () {
        const world = withClone(useHook(yield* paidProject, "useDataHookForPay", CLONE))
        const reached = yield* quoted(previewed(world, { specs: [{ hook: CLONE }] }))
        assert.strictEqual(Object(reached.answer).routeEvidence.shop, CLONE)
        assert.match(Object(reached.answer).warnings.at(-1), /721/)
        for (const specs of [[{ hook: CLONE, amount: 1n }], [{ hook: STRANGER }]])
          assert.strictEqual(yield* refusal(previewed(world, { specs })), "UNSUPPORTED_CONFIGURATION")
        const idle = previewed(world, { specs: [{ hook: STRANGER, noop: true }] })
        assert.isUndefined(yield* refusal(idle))
      })
    )

    it.effect("goes through the router where the directory has no other terminal", () =>
      Effect.gen(function* () {
        const world = previewed(yield* paidProject, { contract: "JBRouterTerminalRegistry" })
        const registry = world.at("JBRouterTerminalRegistry")
        const router = world.at("JBRouterTerminal")
        world
          .says(primaryTerminalOf(), ZERO)
          .says(terminalsOf, [world.at("JBMultiTerminal"), registry])
          .says(registeredRouter, router)
        const { answer } = yield* quoted(world)
        assert.deepInclude(Object(answer), {
          route: "router-terminal",
          terminal: registry,
          terminalPath: [registry, router]
        })
        assert.strictEqual(Object(answer).rawTerminalPreview.semantics, "router-normalized")
      })
    )

    it.effect("finds no route where the registry previews nothing but zeros", () =>
      Effect.gen(function* () {
        const registry = (yield* paidProject).at("JBRouterTerminalRegistry")
        const zeros = { contract: "JBRouterTerminalRegistry", rulesetId: 0, beneficiary: 0n, reserved: 0n }
        const world = previewed(yield* paidProject, zeros)
          .says(primaryTerminalOf(), registry)
          .says(terminalsOf, [registry])
        world.says(registeredRouter, world.at("JBRouterTerminal"))
        assert.strictEqual(yield* refusal(world), "NO_PAYMENT_ROUTE")
        const direct = previewed(yield* chain, { rulesetId: 0 })
        assert.strictEqual(yield* refusal(direct), "INVALID_PREVIEW")
      })
    )

    it.effect("finds no route, or none that it knows", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const [registry, multi] = [world.at("JBRouterTerminalRegistry"), world.at("JBMultiTerminal")]
        const router = world.at("JBRouterTerminal", "v1")
        const cases = [
          [ZERO, [multi], ZERO, "NO_PAYMENT_ROUTE"],
          [registry, [registry], ZERO, "NO_PAYMENT_ROUTE"],
          [STRANGER, [STRANGER], ZERO, "UNSUPPORTED_TERMINAL"],
          [registry, [registry], STRANGER, "UNSUPPORTED_TERMINAL"],
          [registry, [registry, STRANGER], router, "UNSUPPORTED_TERMINAL"]
        ] as const
        for (const [primary, terminals, registered, code] of cases) {
          world
            .says(primaryTerminalOf(), primary)
            .says(terminalsOf, terminals)
            .says(registeredRouter, registered)
          assert.strictEqual(yield* refusal(world), code)
        }
        world
          .says(primaryTerminalOf(), registry)
          .says(terminalsOf, [registry])
          .says(registeredRouter, STRANGER)
        world.raw(STRANGER, "0x32fe7b26", { result: words([router]) }, "ROUTER")
        assert.strictEqual(yield* refusal(world), "UNSUPPORTED_ROUTER_GATEWAY")
      })
    )

    it.effect("refuses projects, rulesets, hooks and previews that it cannot rest on", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* refusal((yield* chain).says(controllerOf, ZERO)), "PROJECT_NOT_FOUND")
        assert.strictEqual(
          yield* refusal((yield* chain).says(controllerOf, STRANGER)),
          "UNSUPPORTED_CONFIGURATION"
        )
        const none = (yield* chain).says(currentRulesetOf, [ruleset({ id: 0 }), metadata()])
        assert.strictEqual(yield* refusal(none), "NO_ACTIVE_RULESET")
        assert.strictEqual(yield* refusal(previewed(yield* chain, { rulesetId: 9 })), "INVALID_PREVIEW")
        const custom = useHook(yield* chain, "useDataHookForPay", STRANGER)
        assert.strictEqual(yield* refusal(custom), "UNSUPPORTED_CONFIGURATION")
      })
    )

    it.effect("refuses a memo of more than 256 bytes, however few characters those are", () =>
      Effect.gen(function* () {
        const world = yield* chain
        assert.isUndefined(yield* refusal(world, { memo: "é".repeat(128) }))
        assert.strictEqual(yield* refusal(world, { memo: `${"é".repeat(128)}e` }), "INVALID_MEMO")
      })
    )

    it.effect(
      "is refused where a read that it rests on fails, and by its own code where the preview reverts",
      () =>
        Effect.gen(function* () {
          const decisive = {
            "JBDirectory.controllerOf": "CALL_REVERTED",
            "JBController.currentRulesetOf": "CALL_REVERTED",
            "JBDirectory.primaryTerminalOf": "CALL_REVERTED",
            "JBDirectory.terminalsOf": "CALL_REVERTED",
            "JBMultiTerminal.previewPayFor": "SIMULATION_REVERTED"
          }
          const unused = {
            "JBRouterTerminalRegistry.previewPayFor": [],
            "JBRouterTerminalRegistry.terminalOf": [],
            "JBBuybackHookRegistry.hookOf": [],
            "REVOwner.BUYBACK_HOOK": [],
            "REVOwner.tiered721HookOf": []
          }
          assert.deepStrictEqual(yield* cuts(yield* chain, runQuotePay, input()), { ...decisive, ...unused })
          const refused = Object.keys(decisive).map(name => [name, "RPC_UNAVAILABLE"])
          assert.deepStrictEqual(yield* cuts(yield* chain, runQuotePay, input(), REFUSED), {
            ...Object.fromEntries(refused),
            ...unused
          })
        })
    )

    it.effect("is looked at anew where it reverts at a head that was overtaken, twice at most", () =>
      Effect.gen(function* () {
        const reverting = (looks: number) =>
          Effect.flatMap(chain, world =>
            overtaken(world, runQuotePay, input(), "JBMultiTerminal.previewPayFor", looks)
          )
        assert.isUndefined(yield* reverting(2))
        assert.strictEqual(yield* reverting(3), "SIMULATION_REVERTED")
      })
    )
  })
})
