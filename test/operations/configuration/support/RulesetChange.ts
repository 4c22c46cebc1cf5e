/** A project whose next rulesets are compared with the one in force. */
import { Effect } from "effect"
import { runPreviewRulesetChange } from "../../../../src/operations/configuration/preview_ruleset_change/Run.ts"
import type { Address } from "../../../../src/values/Scalars.ts"
import type { Contracts } from "../../support/Contracts.ts"
import { ACCOUNT, BENEFICIARY, currentRulesetOf, paidProject } from "../../support/Payments.ts"
import { metadata, NATIVE, PROJECT, ruleset, STRANGER, ZERO } from "../../support/Revnets.ts"

const OWNER: Address = "0x00000000000000000000000000000000000000dd"
export const NOW = 1_700_000_000
export const ID = BigInt(ruleset().id)
export const DAY = 86_400
const NATIVE_GROUP = BigInt(NATIVE)

export type Changes = Readonly<Record<string, unknown>>

export const configuration = (changes: Changes = {}, over: Changes = {}) => ({
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

export const input = (changes: Changes = {}, ...configurations: ReadonlyArray<Changes>) => ({
  project: { chainId: 1, projectId: String(PROJECT) },
  account: ACCOUNT,
  rulesetConfigurations: configurations.length === 0 ? [configuration()] : configurations,
  ...changes
})

export const split = (changes: Changes = {}) => ({
  percent: 500_000_000,
  projectId: 0n,
  beneficiary: BENEFICIARY,
  preferAddToBalance: false,
  lockedUntil: NOW + DAY,
  hook: ZERO,
  ...changes
})

export const proposedSplit = (changes: Changes = {}) => ({
  ...split(),
  projectId: "0",
  lockedUntil: String(NOW + DAY),
  ...changes
})

export const of = (contract: string, name: string, ...args: ReadonlyArray<unknown>) => ({
  contract,
  function: name,
  args
})

export const ownerOf = of("JBProjects", "ownerOf", PROJECT)
export const operatorGetter = of("JBController", "OMNICHAIN_RULESET_OPERATOR")
const upcomingOf = of("JBController", "upcomingRulesetOf", PROJECT)
export const latestOf = of("JBController", "allRulesetsOf", PROJECT, 0n, 17n)
const countOf = of("JBProjects", "count")
export const approvalOf = of("JBRulesets", "currentApprovalStatusForLatestRulesetOf", PROJECT)
export const contextsOf = of("JBMultiTerminal", "accountingContextsOf", PROJECT)
export const granted = of("JBPermissions", "hasPermissions", ACCOUNT, OWNER, PROJECT, [2n], true, true)
export const splitsOf = (rulesetId: bigint, group: bigint) =>
  of("JBSplits", "splitsOf", PROJECT, rulesetId, group)
export const limits = (name: string, terminal: Address, token: Address = NATIVE) =>
  of("JBFundAccessLimits", name, PROJECT, ID, terminal, token)

export const native = { token: NATIVE, decimals: 18, currency: 61_166 }

export const cycling = {
  duration: 7 * DAY,
  start: NOW - DAY,
  cycleNumber: 3,
  weight: 1_000n,
  weightCutPercent: 500_000_000
}

export const chain = Effect.map(paidProject, world => {
  const multi = world.at("JBMultiTerminal")
  return world
    .says(currentRulesetOf, [ruleset(cycling), metadata()])
    .says(ownerOf, OWNER)
    .says(operatorGetter, STRANGER)
    .says(upcomingOf, [ruleset({ id: 0 }), metadata()])
    .says(latestOf, [{ ruleset: ruleset(cycling), metadata: metadata() }])
    .says(approvalOf, 4)
    .says(countOf, 9n)
    .says(contextsOf, [native])
    .says(granted, true)
    .says(splitsOf(ID, 1n), [split()])
    .says(splitsOf(0n, 1n), [])
    .says(splitsOf(ID, NATIVE_GROUP), [])
    .says(splitsOf(0n, NATIVE_GROUP), [])
    .says(limits("payoutLimitsOf", multi), [{ amount: 9n, currency: 1 }])
    .says(limits("surplusAllowancesOf", multi), [])
})

export const previewed = (world: Contracts, ...configurations: ReadonlyArray<Changes>) =>
  world.answers(runPreviewRulesetChange, input({}, ...configurations))

export const known = (value: unknown) => ({ status: "known", value })

export const permissionOf = (world: Contracts) =>
  Effect.map(previewed(world), ({ answer }) => Object(answer).permission)

export const weakened = (answer: unknown, index = 0) =>
  Object(answer).lockChanges[index].groups.value[0].removedOrWeakenedLockedSplits.value.length
