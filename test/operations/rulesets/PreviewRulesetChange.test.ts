import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runPreviewRulesetChange } from "../../../src/operations/rulesets/PreviewRulesetChange.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import { type Contracts, cuts, pinnedCatalog, REFUSED } from "../support/Contracts.ts"
import {
  ACCOUNT,
  BENEFICIARY,
  controllerOf,
  currentRulesetOf,
  paidProject,
  terminalsOf
} from "../support/Payments.ts"
import { metadata, NATIVE, PROJECT, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"

const OWNER: Address = "0x00000000000000000000000000000000000000dd"
const NOW = 1_700_000_000
const ID = BigInt(ruleset().id)
const DAY = 86_400
const NATIVE_GROUP = BigInt(NATIVE)

type Changes = Readonly<Record<string, unknown>>

const configuration = (changes: Changes = {}, over: Changes = {}) => ({
  mustStartAtOrAfter: "0",
  duration: DAY,
  weight: "1",
  weightCutPercent: 0,
  approvalHook: ZERO,
  metadata: { ...metadata(), ...over },
  splitGroups: [],
  fundAccessLimitGroups: [],
  ...changes
})

const input = (changes: Changes = {}, ...configurations: ReadonlyArray<Changes>) => ({
  project: { chainId: 1, projectId: String(PROJECT) },
  account: ACCOUNT,
  rulesetConfigurations: configurations.length === 0 ? [configuration()] : configurations,
  ...changes
})

const split = (changes: Changes = {}) => ({
  percent: 500_000_000,
  projectId: 0n,
  beneficiary: BENEFICIARY,
  preferAddToBalance: false,
  lockedUntil: NOW + DAY,
  hook: ZERO,
  ...changes
})

const proposedSplit = (changes: Changes = {}) => ({
  ...split(),
  projectId: "0",
  lockedUntil: String(NOW + DAY),
  ...changes
})

const of = (contract: string, name: string, ...args: ReadonlyArray<unknown>) => ({
  contract,
  function: name,
  args
})

const ownerOf = of("JBProjects", "ownerOf", PROJECT)
const operatorGetter = of("JBController", "OMNICHAIN_RULESET_OPERATOR")
const upcomingOf = of("JBController", "upcomingRulesetOf", PROJECT)
const latestOf = of("JBController", "allRulesetsOf", PROJECT, 0n, 17n)
const approvalOf = of("JBRulesets", "currentApprovalStatusForLatestRulesetOf", PROJECT)
const contextsOf = of("JBMultiTerminal", "accountingContextsOf", PROJECT)
const granted = of("JBPermissions", "hasPermissions", ACCOUNT, OWNER, PROJECT, [2n], true, true)
const splitsOf = (rulesetId: bigint, group: bigint) => of("JBSplits", "splitsOf", PROJECT, rulesetId, group)
const limits = (name: string, terminal: Address, token: Address = NATIVE) =>
  of("JBFundAccessLimits", name, PROJECT, ID, terminal, token)

const native = { token: NATIVE, decimals: 18, currency: 61_166 }

const cycling = {
  duration: 7 * DAY,
  start: NOW - DAY,
  cycleNumber: 3,
  weight: 1_000n,
  weightCutPercent: 500_000_000
}

const chain = Effect.map(paidProject, world => {
  const multi = world.at("JBMultiTerminal")
  return world
    .says(currentRulesetOf, [ruleset(cycling), metadata()])
    .says(ownerOf, OWNER)
    .says(operatorGetter, STRANGER)
    .says(upcomingOf, [ruleset({ id: 0 }), metadata()])
    .says(latestOf, [{ ruleset: ruleset(cycling), metadata: metadata() }])
    .says(approvalOf, 4)
    .says(contextsOf, [native])
    .says(granted, true)
    .says(splitsOf(ID, 1n), [split()])
    .says(splitsOf(0n, 1n), [])
    .says(splitsOf(ID, NATIVE_GROUP), [])
    .says(splitsOf(0n, NATIVE_GROUP), [])
    .says(limits("payoutLimitsOf", multi), [{ amount: 9n, currency: 1 }])
    .says(limits("surplusAllowancesOf", multi), [])
})

const previewed = (world: Contracts, ...configurations: ReadonlyArray<Changes>) =>
  world.answers(runPreviewRulesetChange, input({}, ...configurations))

const known = (value: unknown) => ({ status: "known", value })

const permissionOf = (world: Contracts) =>
  Effect.map(previewed(world), ({ answer }) => Object(answer).permission)

const weakened = (answer: unknown, index = 0) =>
  Object(answer).lockChanges[index].groups.value[0].removedOrWeakenedLockedSplits.value.length

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
        assert.strictEqual(yield* refusal((yield* chain).says(controllerOf, ZERO)), "PROJECT_NOT_FOUND")
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
        for (const [reply, code] of [
          [undefined, "CALL_REVERTED"],
          [REFUSED, "RPC_UNAVAILABLE"]
        ] as const) {
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
