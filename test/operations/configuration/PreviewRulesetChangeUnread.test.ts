import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runPreviewRulesetChange } from "../../../src/operations/configuration/preview_ruleset_change/Run.ts"
import { type Contracts, CUTS, cuts, pinnedCatalog, REVERTED } from "../support/Contracts.ts"
import { controllerOf, currentRulesetOf, terminalsOf } from "../support/Payments.ts"
import { metadata, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"
import { chain, contextsOf, input, latestOf, native, ownerOf, previewed } from "./support/RulesetChange.ts"

describe("preview_ruleset_change", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("shows a project without an active ruleset, and a queue that is longer than shown", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const many = Array.from({ length: 17 }, () => ({ ruleset: ruleset(), metadata: metadata() }))
        const { answer } = yield* previewed(world.says(latestOf, many))
        assert.strictEqual(Object(answer).latestRulesets.value.items.length, 16)
        assert.isTrue(Object(answer).latestRulesets.value.truncated)
        const none = yield* previewed(world.says(currentRulesetOf, [ruleset({ id: 0 }), metadata()]))
        assert.strictEqual(Object(none.answer).currentRulesetStatus, "none")
        assert.isNull(Object(none.answer).current.ruleset)
      })
    )

    it.effect("refuses a project that is not there, another controller and more than is compared", () =>
      Effect.gen(function* () {
        const refusal = (world: Contracts) => Effect.map(previewed(world), ({ refused }) => refused)
        const uncontrolled = (yield* chain).says(controllerOf, ZERO)
        assert.strictEqual(yield* refusal(uncontrolled), "PROJECT_WITHOUT_CONTROLLER")
        assert.strictEqual(yield* refusal(uncontrolled.tells(ownerOf, REVERTED)), "PROJECT_NOT_FOUND")
        assert.strictEqual(
          yield* refusal((yield* chain).says(controllerOf, STRANGER)),
          "UNSUPPORTED_CONTROLLER"
        )
        const contexts = Array.from({ length: 33 }, () => native)
        assert.strictEqual(
          yield* refusal((yield* chain).says(contextsOf, contexts)),
          "CONFIGURATION_TOO_LARGE"
        )
        const terminals = Array.from({ length: 33 }, () => STRANGER)
        assert.strictEqual(
          yield* refusal((yield* chain).says(terminalsOf, terminals)),
          "CONFIGURATION_TOO_LARGE"
        )
        const five = yield* chain
        five
          .says(
            contextsOf,
            Array.from({ length: 32 }, () => native)
          )
          .says(
            terminalsOf,
            Array.from({ length: 5 }, () => five.at("JBMultiTerminal"))
          )
        assert.strictEqual(yield* refusal(five), "CONFIGURATION_TOO_LARGE")
      })
    )

    it.effect("says what it could not read", () =>
      Effect.gen(function* () {
        for (const [reply, code] of CUTS) {
          const effects = yield* cuts(yield* chain, runPreviewRulesetChange, input(), reply)
          const lost = (...paths: ReadonlyArray<string>) => paths.map(path => `${path}: ${code}`)
          const by = lost("permission.authorized", "permission.by")
          const limitsLost = lost("economicChanges.0.limitChanges")
          const unread = Object.fromEntries(
            Object.entries(effects).map(([name, found]) => [
              name,
              typeof found === "string" ? found : found.filter(line => !line.startsWith("warnings"))
            ])
          )
          const groups = "current.splitGroups.value"
          const locks = "lockChanges.0.groups.value"
          const all = lost("current.splitGroups", "current.fundAccessLimitGroups")
          assert.deepStrictEqual(unread, {
            "JBDirectory.controllerOf": code,
            "JBController.currentRulesetOf": code,
            "JBProjects.ownerOf": by,
            "JBController.OMNICHAIN_RULESET_OPERATOR": by,
            "JBPermissions.hasPermissions": by,
            "JBController.upcomingRulesetOf": lost("upcoming"),
            "JBController.allRulesetsOf": lost("latestRulesets"),
            "JBRulesets.currentApprovalStatusForLatestRulesetOf": lost("latestApprovalStatus"),
            "JBProjects.count": [],
            "JBDirectory.terminalsOf": [
              ...all,
              ...lost("current.terminalContexts"),
              ...limitsLost,
              ...lost("lockChanges.0.groups")
            ],
            "JBMultiTerminal.accountingContextsOf": [
              ...all,
              ...lost("current.terminalContexts.value.0.contexts"),
              ...limitsLost,
              ...lost("lockChanges.0.groups")
            ],
            "JBSplits.splitsOf": [
              ...lost(`${groups}.0.splits`),
              ...lost(`${locks}.0.removedOrWeakenedLockedSplits`)
            ],
            "JBSplits.splitsOf#2": [
              ...lost(`${groups}.0.fallbackSplits`),
              ...lost(`${locks}.0.removedOrWeakenedLockedSplits`)
            ],
            "JBSplits.splitsOf#3": [
              ...lost(`${groups}.1.splits`),
              ...lost(`${locks}.1.removedOrWeakenedLockedSplits`)
            ],
            "JBSplits.splitsOf#4": [
              ...lost(`${groups}.1.fallbackSplits`),
              ...lost(`${locks}.1.removedOrWeakenedLockedSplits`)
            ],
            "JBFundAccessLimits.payoutLimitsOf": [
              ...lost("current.fundAccessLimitGroups.value.0.payoutLimits"),
              ...limitsLost
            ],
            "JBFundAccessLimits.surplusAllowancesOf": [
              ...lost("current.fundAccessLimitGroups.value.0.surplusAllowances"),
              ...limitsLost
            ]
          })
        }
      })
    )
  })
})
