import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { pinnedCatalog } from "../support/Contracts.ts"
import { ACCOUNT, currentRulesetOf, terminalsOf } from "../support/Payments.ts"
import { metadata, NATIVE, ruleset, STRANGER } from "../support/Revnets.ts"
import {
  approvalOf,
  type Changes,
  chain,
  configuration,
  contextsOf,
  cycling,
  DAY,
  granted,
  ID,
  known,
  latestOf,
  limits,
  NOW,
  native,
  operatorGetter,
  ownerOf,
  permissionOf,
  previewed,
  proposedSplit,
  split,
  splitsOf,
  weakened
} from "./support/RulesetChange.ts"

describe("preview_ruleset_change", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("compares with the current ruleset, in three round trips", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const { answer, roundTrips, untold } = yield* previewed(world)
        assert.deepStrictEqual([untold, roundTrips], [[], 3])
        const { economicChanges, current, ...rest } = Object(answer)
        assert.deepInclude(rest, {
          account: ACCOUNT,
          controller: world.at("JBController"),
          currentRulesetStatus: "active",
          upcoming: known(null),
          latestApprovalStatus: known({ value: 4, name: "Approved", scope: "latest queued ruleset" })
        })
        assert.deepStrictEqual(economicChanges, [
          {
            configurationIndex: 0,
            comparedWith: "current",
            changes: [
              { field: "duration", current: String(7 * DAY), proposed: String(DAY) },
              { field: "weight", current: "1000", proposed: "1" },
              { field: "weightCutPercent", current: "500000000", proposed: "0" }
            ],
            limitChanges: known([
              {
                field: `payoutLimits/${world.at("JBMultiTerminal")}/${NATIVE}/1`,
                current: "9",
                proposed: "0"
              }
            ]),
            weightResolution: "inherit-decayed",
            proposedStartLowerBound: String(NOW),
            ifFollowingCurrent: { start: String(NOW + 6 * DAY), cycleNumber: "4", weight: "500" }
          }
        ])
        assert.deepStrictEqual(current.terminalContexts.value[0].contexts.value[0].token, NATIVE)
        assert.strictEqual(rest.warnings.length, 6 + 4)
      })
    )

    it.effect("starts a cycle later where the approval hook's time ends after the boundary", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const late = { ...cycling, start: NOW - 6.5 * DAY, approvalHook: world.at("JBDeadline1Day") }
        const following = (hooked: Changes) =>
          Effect.map(
            previewed(world.says(currentRulesetOf, [ruleset(hooked), metadata()])),
            ({ answer }) => Object(answer).economicChanges[0].ifFollowingCurrent
          )
        assert.deepStrictEqual(yield* following(late), {
          start: String(NOW + 7.5 * DAY),
          cycleNumber: "5",
          weight: "250"
        })
        assert.deepStrictEqual(yield* following({ ...late, start: NOW - 6 * DAY }), {
          start: String(NOW + DAY),
          cycleNumber: "4",
          weight: "500"
        })
        assert.isNull(yield* following({ ...late, approvalHook: STRANGER }))
      })
    )

    it.effect("says which of the queued rulesets would never take effect", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const warned = (answer: unknown): ReadonlyArray<string> =>
          Object(answer).warnings.filter((warning: string) => warning.includes("never takes effect"))
        const both = yield* previewed(world, configuration(), configuration())
        assert.deepStrictEqual(warned(both.answer), [
          `Configuration 0 never takes effect: configuration 1 takes its place, for it may start before ${NOW + 7 * DAY}. With a mustStartAtOrAfter from then on it would follow, if both were queued in this block.`
        ])
        const spaced = configuration({ mustStartAtOrAfter: String(NOW + 7 * DAY) })
        assert.deepStrictEqual(warned((yield* previewed(world, configuration(), spaced)).answer), [])
        const waiting = ruleset({ ...cycling, id: 9, basedOnId: 7, start: NOW + DAY })
        const queued = [waiting, ruleset(cycling)].map(each => ({ ruleset: each, metadata: metadata() }))
        const replaced = yield* previewed(world.says(latestOf, queued).says(approvalOf, 0))
        assert.match(
          warned(replaced.answer)[0] ?? "",
          /^Ruleset 9, which is queued and has not started, never/
        )
      })
    )

    it.effect("compares every further configuration with the one before it", () =>
      Effect.gen(function* () {
        const later = configuration({ mustStartAtOrAfter: String(NOW + 99), weight: "0" })
        const { answer } = yield* previewed(yield* chain, later, configuration({ weight: "77" }))
        const [first, second] = Object(answer).economicChanges
        assert.strictEqual(first.weightResolution, "zero")
        assert.deepInclude(second, {
          comparedWith: "previous-configuration",
          changes: [{ field: "weight", current: "0", proposed: "77" }],
          limitChanges: known([]),
          weightResolution: "explicit",
          proposedStartLowerBound: String(NOW),
          ifFollowingCurrent: null
        })
      })
    )

    it.effect("says by what the account may queue, or that it may not", () =>
      Effect.gen(function* () {
        const by = (value: string | null) => ({ by: known(value), authorized: known(value !== null) })
        const world = yield* chain
        assert.deepInclude(yield* permissionOf(world), {
          required: "QUEUE_RULESETS",
          id: 2,
          ...by("permission")
        })
        assert.deepInclude(yield* permissionOf(world.says(granted, false)), by(null))
        assert.deepInclude(yield* permissionOf(world.says(operatorGetter, ACCOUNT)), by("omnichain-operator"))
        assert.deepInclude(yield* permissionOf(world.says(ownerOf, ACCOUNT)), by("owner"))
      })
    )

    it.effect("finds the locked splits that a configuration would not keep", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const group = (...splits: ReadonlyArray<Changes>) =>
          configuration({ splitGroups: [{ groupId: "1", splits }] })
        const cases = [
          [group(proposedSplit()), 0],
          [group(proposedSplit({ lockedUntil: String(NOW + 2 * DAY) })), 0],
          [group(proposedSplit({ lockedUntil: String(NOW + DAY - 1) })), 1],
          [group(proposedSplit({ percent: 499_999_999 })), 1],
          [group(proposedSplit({ beneficiary: STRANGER })), 1],
          [group(proposedSplit({ preferAddToBalance: true })), 1],
          [configuration(), 1]
        ] as const
        for (const [proposed, lost] of cases)
          assert.strictEqual(weakened((yield* previewed(world, proposed)).answer), lost)
        world.says(splitsOf(ID, 1n), [
          split(),
          split({ lockedUntil: NOW + 2 * DAY }),
          split({ lockedUntil: NOW })
        ])
        const once = yield* previewed(world, group(proposedSplit({ lockedUntil: String(NOW + 3 * DAY) })))
        assert.strictEqual(weakened(once.answer), 1)
        const both = group(
          proposedSplit({ percent: 400_000_000, lockedUntil: String(NOW + 3 * DAY) }),
          proposedSplit({ percent: 400_000_000 })
        )
        const shorterFirst = [split({ percent: 400_000_000 })]
        shorterFirst.push(split({ percent: 400_000_000, lockedUntil: NOW + 2 * DAY }))
        world.says(splitsOf(ID, 1n), shorterFirst)
        assert.strictEqual(weakened((yield* previewed(world, both)).answer), 0)
        world.says(splitsOf(ID, 1n), [split(), split({ lockedUntil: NOW + 2 * DAY })])
        world.says(splitsOf(0n, 1n), [split(), split({ lockedUntil: NOW + 2 * DAY })])
        const fallback = yield* previewed(world)
        assert.strictEqual(weakened(fallback.answer), 0)
        assert.isTrue(Object(fallback.answer).lockChanges[0].groups.value[0].usesFallbackSplits)
      })
    )

    it.effect("foretells no weight that the contract would want to be cached first", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const often = { ...cycling, start: NOW, duration: 1, weightCutPercent: 1, weight: 10n ** 30n }
        world.says(currentRulesetOf, [ruleset(often), metadata()])
        const foretold = (cycles: number, changes: Changes = {}) =>
          Effect.map(
            previewed(world, configuration({ mustStartAtOrAfter: String(NOW + cycles), ...changes })),
            ({ answer }) => Object(answer).economicChanges[0].ifFollowingCurrent
          )
        assert.strictEqual((yield* foretold(20_000)).cycleNumber, "20003")
        assert.isNull(yield* foretold(20_001))
        assert.strictEqual((yield* foretold(20_001, { weight: "5" })).weight, "5")
        world.says(currentRulesetOf, [ruleset({ ...often, weightCutPercent: 0 }), metadata()])
        assert.strictEqual((yield* foretold(20_001)).weight, String(10n ** 30n))
      })
    )

    it.effect("asks another terminal for its contexts and limits", () =>
      Effect.gen(function* () {
        const world = yield* chain
        world
          .says(terminalsOf, [world.at("JBMultiTerminal"), STRANGER])
          .says({ ...contextsOf, at: STRANGER }, [native])
          .says(limits("payoutLimitsOf", STRANGER), [])
          .says(limits("surplusAllowancesOf", STRANGER), [{ amount: 5n, currency: 2 }])
        const { answer, roundTrips, untold } = yield* previewed(world)
        assert.deepStrictEqual([untold, roundTrips], [[], 3])
        assert.strictEqual(Object(answer).current.fundAccessLimitGroups.value.length, 2)
        world.foresees = false
        const step = yield* previewed(world)
        assert.deepStrictEqual([step.answer, step.roundTrips], [answer, 4])
      })
    )
  })
})
