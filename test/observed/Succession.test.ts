import { assert, describe, it } from "vitest"
import {
  type DelayOf,
  deadlineApproval,
  type Queued,
  succession
} from "../../src/operations/configuration/Succession.ts"
import { type Address, ZERO_ADDRESS } from "../../src/values/Scalars.ts"
import { START } from "./play/World.ts"
import { type Call, type Recording, recordingOf, scenarios, type Value } from "./Recording.ts"
import { sharedNames } from "./Stored.ts"

const DAY = 86_400n

/** The only hook of the recordings that judges. */
const hook = String(sharedNames.JBDeadline1Day)
const delayOf: DelayOf = address => (address === hook ? DAY : undefined)

const CONFIGURATIONS: Readonly<Record<string, number>> = {
  launchProjectFor: 2,
  launchRulesetsFor: 2,
  queueRulesetsOf: 1
}

const nameOf = (call: Call) => call.function.split("(")[0] ?? ""

const member = (value: Value | undefined, name: string): Value | undefined =>
  typeof value === "object" && value !== null && name in value ? Object(value)[name] : undefined

const text = (value: Value | undefined, name: string): string => String(member(value, name))

const address = (value: string): Address => `0x${value.slice(2)}`

const configurationsOf = (call: Call) => {
  const position = CONFIGURATIONS[nameOf(call)]
  const given = position === undefined ? [] : call.args[position]
  return (Array.isArray(given) ? given : []).map((configuration: Value) => ({
    mustStartAtOrAfter: text(configuration, "mustStartAtOrAfter"),
    duration: text(configuration, "duration"),
    approvalHook: address(text(configuration, "approvalHook"))
  }))
}

const START_ID = BigInt(START)
const first = { id: START_ID, start: START_ID, approval: 0, base: undefined }

/** Queued before the recordings began. */
const samples = [
  ["8", { ...first, duration: 0n, approvalHook: ZERO_ADDRESS }],
  ["9", { ...first, duration: 7n * DAY, approvalHook: address(hook) }]
] as const

/** What a hook says changes with time. */
const judged = (ruleset: Queued | undefined, now: bigint): Queued | undefined => {
  const delay = ruleset?.base === undefined ? undefined : delayOf(ruleset.base.approvalHook)
  if (ruleset === undefined || delay === undefined) return ruleset
  return { ...ruleset, approval: deadlineApproval(ruleset, delay, now), base: judged(ruleset.base, now) }
}

const queuedBy = (call: Call) =>
  call.logs.filter(
    ({ event, contract }) => contract === "JBRulesets" && event.startsWith("RulesetInitialized")
  )

/** Every ruleset that a read shows, as it was stored. */
const shown = (recording: Recording): ReadonlyArray<Value> =>
  recording.steps.flatMap(step => {
    if (!("function" in step) || !step.function.startsWith("all")) return []
    return Array.isArray(step.result) ? step.result.map((item: Value) => member(item, "ruleset") ?? item) : []
  })

const known = (recording: Recording): ReadonlyMap<string, Value> =>
  new Map(shown(recording).map(ruleset => [`${text(ruleset, "id")} ${text(ruleset, "duration")}`, ruleset]))

/** What was foreseen beside what was recorded, of each ruleset of a scenario. */
const beside = (recording: Recording) => {
  const latest = new Map<string, Queued>(samples)
  const read = known(recording)
  return recording.transactions.flatMap(call => {
    const configurations = configurationsOf(call)
    const events = queuedBy(call)
    const project = String(events[0]?.args.projectId)
    if (call.revert !== undefined || configurations.length === 0 || events.length === 0) return []
    const now = START_ID + BigInt(call.timeOffset)
    const foreseen = succession(judged(latest.get(project), now), configurations, now, delayOf)
    const last = foreseen.at(-1)
    if (last !== undefined) latest.set(project, last)
    return events.map(({ args }, index) => {
      const ruleset = foreseen[index]
      const stored = read.get(`${args.rulesetId} ${ruleset?.duration}`)
      return {
        recorded: [args.rulesetId, args.basedOnId, stored === undefined ? undefined : text(stored, "start")],
        foreseen: [
          String(ruleset?.id),
          String(ruleset?.base?.id ?? 0n),
          stored === undefined ? undefined : String(ruleset?.start)
        ]
      }
    })
  })
}

describe("the succession of rulesets that are queued together", () => {
  it.each(scenarios)("is foreseen as recorded: %s", scenario => {
    for (const { recorded, foreseen } of beside(recordingOf(scenario)))
      assert.deepStrictEqual(foreseen, recorded)
  })

  it("is compared in its ids, bases and starts", () => {
    const all = scenarios.flatMap(scenario => beside(recordingOf(scenario)))
    assert.isAbove(all.length, 70)
    assert.isAbove(all.filter(({ recorded }) => recorded[2] !== undefined).length, 15)
    assert.isAbove(all.filter(({ recorded }) => recorded[1] !== "0").length, 10)
  })
})
