import { assert, describe, it } from "vitest"
import { judgedRecording, rawLogs } from "./Judged.ts"
import { type Call, recordingOf, type Value } from "./Recording.ts"

const SCENARIOS = ["shop-launch", "shop-pay", "shop-usdc", "shop-adjust", "revnet-deploy", "revnet-shop-usdc"]

const calls = SCENARIOS.flatMap(scenario =>
  recordingOf(scenario)
    .transactions.filter(({ revert }) => revert === undefined)
    .map(call => ({ ...call, name: `${scenario} ${call.index} ${call.note}` }))
)

const called = (...functions: ReadonlyArray<string>) =>
  calls.filter(call => functions.some(name => call.function.startsWith(`${name}(`)))

const eventName = ({ event }: Call["logs"][number]): string => event.replace(/\(.*/, "")

const hookOf = ({ logs }: Call) =>
  logs.find(log => log.contract.startsWith("721 hook") && eventName(log) === "Mint")?.address

/** Payments that minted tokens of tiers, with the hook that a plan of them keeps. */
const purchases = called("pay").flatMap(call => {
  const hook = hookOf(call)
  return hook === undefined ? [] : [{ call, summary: { hook } }]
})

const statusWithout = (call: Call, index: number, over: object): string =>
  judgedRecording(call, rawLogs(call).toSpliced(index, 1), over).status

/** The events that a predicate rests on: without any one of them it knows nothing. */
const requireEach = (call: Call, events: ReadonlyArray<string>, over: object = {}) => {
  const needed = [...call.logs.entries()].filter(([, log]) => events.includes(eventName(log)))
  assert.isNotEmpty(needed, call.note)
  for (const [index, log] of needed)
    assert.strictEqual(statusWithout(call, index, over), "unknown", `${call.note} without ${eventName(log)}`)
}

const returned = ({ logs, args }: Call): boolean =>
  logs.some(log => eventName(log) === "AddToBalance" && log.args.projectId === args[0])

const repeated = (values: ReadonlyArray<Value>, count: number): ReadonlyArray<Value> =>
  Array.from({ length: count }, (_, index) => values[index % values.length] ?? null)

const ENLARGED: Readonly<Record<string, number>> = {
  stageConfigurations: 16,
  rulesetConfigurations: 16,
  splits: 20
}

const isList = (value: Value): value is ReadonlyArray<Value> => Array.isArray(value)

/** With sixteen stages, each with twenty splits. */
const enlarged = (value: Value, name = ""): Value => {
  if (isList(value))
    return repeated(
      value.map(item => enlarged(item)),
      ENLARGED[name] ?? value.length
    )
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, enlarged(member, key)]))
}

describe("recorded receipts of shops", () => {
  it("has payments whose splits took their parts, and one whose splits gave all back", () => {
    assert.deepStrictEqual([purchases.length, purchases.filter(({ call }) => returned(call)).length], [20, 1])
  })

  it.each(purchases.map(each => [each.call.name, each] as const))("%s", (_, { call, summary }) => {
    const { status, reason } = judgedRecording(call, rawLogs(call), { summary })
    if (returned(call))
      return assert.deepStrictEqual(
        [status, reason],
        ["unknown", "a part for splits of a tier came back to the project"]
      )
    assert.strictEqual(status, "verified", reason)
    const index = call.logs.findIndex(log => eventName(log) === "Mint" && log.contract.startsWith("721 hook"))
    assert.strictEqual(statusWithout(call, index, { summary }), "unknown")
    assert.strictEqual(statusWithout(call, index + 1, { summary }), "unknown")
  })

  it.each(called("launchProjectFor").map(call => [call.name, call] as const))("%s", (_, call) => {
    assert.strictEqual(judgedRecording(call).status, "verified")
    requireEach(call, ["HookDeployed", "LaunchRulesets"])
  })

  it.each(called("adjustTiers").map(call => [call.name, call] as const))("%s", (_, call) => {
    assert.strictEqual(judgedRecording(call).status, "verified")
    if (call.logs.length > 0) requireEach(call, ["AddTier", "RemoveTier"])
  })

  it.each(called("deployFor").map(call => [call.name, call] as const))("%s", (_, call) => {
    const isWithoutSalt = call.note === "suckers with a salt of zero"
    assert.strictEqual(judgedRecording(call).status, isWithoutSalt ? "unknown" : "verified")
    requireEach(call, ["DeployRevnet", "InitializeRevnet"])
  })

  it("is verified also of a deployment that its event tells in more values than a caller may write", () => {
    const [call] = called("deployFor")
    if (call === undefined) return assert.fail("no deployment")
    const large: Call = {
      ...call,
      args: call.args.map(arg => enlarged(arg)),
      logs: call.logs.map(log => {
        if (eventName(log) !== "DeployRevnet") return log
        const args = Object.entries(log.args).map(([name, value]) => [name, enlarged(value, name)])
        return { ...log, args: Object.fromEntries(args) }
      })
    }
    const { status, reason } = judgedRecording(large)
    assert.strictEqual(status, "verified", reason)
  })

  it.each(called("autoIssueFor").map(call => [call.name, call] as const))("%s", (_, call) => {
    assert.strictEqual(judgedRecording(call).status, "verified")
    requireEach(call, ["AutoIssue"])
  })
})
