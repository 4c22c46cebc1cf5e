import { parseEther } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { launch, type RulesetConfig, rulesetOf } from "./support/Launch.ts"
import { owner, type Sandbox, startSandbox, stranger } from "./support/Sandbox.ts"
import { DAY_SECONDS, NATIVE_CURRENCY } from "./support/Units.ts"

const APPROVAL_EXPECTED = 3

describe("rulesets", () => {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox()
  })
  afterAll(() => sandbox.stop())

  const current = (projectId: bigint) =>
    sandbox.client.readContract({
      ...sandbox.contract("JBController"),
      functionName: "currentRulesetOf",
      args: [projectId]
    })

  const upcoming = (projectId: bigint) =>
    sandbox.client.readContract({
      ...sandbox.contract("JBController"),
      functionName: "upcomingRulesetOf",
      args: [projectId]
    })

  const queue = (projectId: bigint, rulesets: ReadonlyArray<RulesetConfig>, account = owner) =>
    sandbox.mined(
      sandbox.client.writeContract({
        ...sandbox.contract("JBController"),
        account,
        functionName: "queueRulesetsOf",
        args: [projectId, rulesets, "change"]
      })
    )

  it("launches a project with its controller, terminal and first ruleset", async () => {
    const projectId = await launch(sandbox, [rulesetOf()])
    const directory = sandbox.contract("JBDirectory")
    const controller = await sandbox.client.readContract({
      ...directory,
      functionName: "controllerOf",
      args: [projectId]
    })
    const terminals = await sandbox.client.readContract({
      ...directory,
      functionName: "terminalsOf",
      args: [projectId]
    })
    const [ruleset] = await current(projectId)
    assert.equal(controller.toLowerCase(), sandbox.at("JBController"))
    assert.deepEqual(
      terminals.map(terminal => terminal.toLowerCase()),
      [sandbox.at("JBMultiTerminal")]
    )
    assert.equal(ruleset.cycleNumber, 1)
    assert.equal(ruleset.weight, parseEther("1000"))
  })

  it("packs metadata as the deployed contracts do", async () => {
    const dataHook = "0x00000000000000000000000000000000000000A1"
    const config = rulesetOf(
      {},
      {
        reservedPercent: 1234,
        cashOutTaxRate: 4321,
        pauseCreditTransfers: true,
        allowSetTerminals: true,
        holdFees: true,
        useDataHookForCashOut: true,
        dataHook,
        metadata: 0x2aaa
      }
    )
    const [ruleset, metadata] = await current(await launch(sandbox, [config]))
    const flags = (1n << 69n) | (1n << 73n) | (1n << 78n) | (1n << 81n)
    const numbers = 1n | (1234n << 4n) | (4321n << 20n) | (BigInt(NATIVE_CURRENCY) << 36n)
    assert.equal(ruleset.metadata, numbers | flags | (BigInt(dataHook) << 82n) | (0x2aaan << 242n))
    assert.deepEqual(metadata, config.metadata)
  })

  it("starts new cycles and cuts the weight once a cycle", async () => {
    const config = rulesetOf({ duration: DAY_SECONDS, weightCutPercent: 100_000_000 })
    const projectId = await launch(sandbox, [config])
    const [first] = await current(projectId)
    await sandbox.pass(3 * DAY_SECONDS + 10)
    const [fourth] = await current(projectId)
    const [fifth] = await upcoming(projectId)
    assert.equal(fourth.id, first.id)
    assert.equal(fourth.cycleNumber, 4)
    assert.equal(fourth.start, first.start + 3 * DAY_SECONDS)
    assert.equal(fourth.weight, parseEther("729"))
    assert.equal(fifth.cycleNumber, 5)
    assert.equal(fifth.weight, parseEther("656.1"))
  })

  it("keeps a queued ruleset waiting until the running cycle ends", async () => {
    const projectId = await launch(sandbox, [rulesetOf({ duration: DAY_SECONDS })])
    await queue(projectId, [rulesetOf({ duration: DAY_SECONDS, weight: 7n })])
    assert.equal((await current(projectId))[0].weight, parseEther("1000"))
    assert.equal((await upcoming(projectId))[0].weight, 7n)
    await sandbox.pass(DAY_SECONDS)
    const [ruleset] = await current(projectId)
    assert.equal(ruleset.weight, 7n)
    assert.equal(ruleset.cycleNumber, 2)
  })

  it("replaces a queued ruleset that has not started", async () => {
    const projectId = await launch(sandbox, [rulesetOf({ duration: DAY_SECONDS })])
    const [first] = await current(projectId)
    await queue(projectId, [rulesetOf({ weight: 7n })])
    await queue(projectId, [rulesetOf({ weight: 8n })])
    const [next] = await upcoming(projectId)
    assert.equal(next.weight, 8n)
    assert.equal(next.basedOnId, first.id)
  })

  it("lets weight 1 inherit the cut weight and weight 0 issue nothing", async () => {
    const cut = { duration: DAY_SECONDS, weightCutPercent: 500_000_000 }
    const projectId = await launch(sandbox, [rulesetOf(cut)])
    await queue(projectId, [rulesetOf({ duration: DAY_SECONDS, weight: 1n })])
    assert.equal((await upcoming(projectId))[0].weight, parseEther("500"))
    await queue(projectId, [rulesetOf({ duration: DAY_SECONDS, weight: 0n })])
    assert.equal((await upcoming(projectId))[0].weight, 0n)
  })

  it("starts a ruleset without duration at once when the next is queued", async () => {
    const projectId = await launch(sandbox, [rulesetOf()])
    assert.equal((await upcoming(projectId))[0].id, 0)
    await queue(projectId, [rulesetOf({ weight: 9n })])
    assert.equal((await current(projectId))[0].weight, 9n)
  })

  it("asks the approval hook of the ruleset before it", async () => {
    const hooked = { duration: 2 * DAY_SECONDS, approvalHook: sandbox.at("JBDeadline1Day") }
    const projectId = await launch(sandbox, [rulesetOf(hooked)])
    const status = () =>
      sandbox.client.readContract({
        ...sandbox.contract("JBRulesets"),
        functionName: "currentApprovalStatusForLatestRulesetOf",
        args: [projectId]
      })
    await queue(projectId, [rulesetOf({ ...hooked, weight: 7n })])
    assert.equal(await status(), APPROVAL_EXPECTED)
    await sandbox.pass(1.5 * DAY_SECONDS)
    await queue(projectId, [rulesetOf({ ...hooked, weight: 8n, mustStartAtOrAfter: 1 })])
    await sandbox.pass(DAY_SECONDS)
    assert.equal((await current(projectId))[0].weight, 7n)
  })

  it("delays a ruleset by the time of the approval hook before it, to the next cycle's start", async () => {
    const half = DAY_SECONDS / 2
    const projectId = await launch(sandbox, [
      rulesetOf({ duration: half, approvalHook: sandbox.at("JBDeadline1Day") })
    ])
    const [first] = await current(projectId)
    await queue(projectId, [rulesetOf({ weight: 7n })])
    await sandbox.pass(2 * half)
    assert.equal((await current(projectId))[0].weight, parseEther("1000"))
    const [next] = await upcoming(projectId)
    assert.deepEqual([next.weight, next.cycleNumber, next.start], [7n, 4, first.start + 3 * half])
    await sandbox.pass(half)
    assert.equal((await current(projectId))[0].weight, 7n)
  })

  it("shows of a ruleset that was never queued nothing but its id", async () => {
    const projectId = await launch(sandbox, [rulesetOf()])
    const [unknown, ...others] = await sandbox.client.readContract({
      ...sandbox.contract("JBRulesets"),
      functionName: "allOf",
      args: [projectId, 123n, 10n]
    })
    assert.deepEqual([unknown?.id, unknown?.cycleNumber, unknown?.start, others], [123, 0, 0, []])
  })

  it("lets only the owner and its operators queue", async () => {
    const projectId = await launch(sandbox, [rulesetOf()])
    const refused = await queue(projectId, [rulesetOf()], stranger).catch(String)
    assert.match(String(refused), /JBPermissioned_Unauthorized/)
    await sandbox.mined(
      sandbox.client.writeContract({
        ...sandbox.contract("JBPermissions"),
        account: owner,
        functionName: "setPermissionsFor",
        args: [owner.address, { operator: stranger.address, projectId, permissionIds: [2] }]
      })
    )
    await queue(projectId, [rulesetOf({ weight: 11n })], stranger)
    assert.equal((await current(projectId))[0].weight, 11n)
  })
})
