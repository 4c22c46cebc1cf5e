import { type Abi, type Address, createPublicClient, http, parseEther, zeroAddress } from "viem"
import { foundry } from "viem/chains"
import { afterAll, assert, describe, it } from "vitest"
import { abi } from "../../sandbox/support/abi.ts"
import { onSandbox } from "../../sandbox/support/Sandbox.ts"
import { prepare, prepared, refused, relayed, startPlanBench } from "../../support/PlanBench.ts"
import { newPayer } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { rulesetConfiguration } from "../support/SandboxInputs.ts"

const bench = await startPlanBench()

afterAll(() => bench.stop())

const NATIVE_CURRENCY = 61_166
const QUEUE_RULESETS = 2
const BENEFICIARY: Address = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
const project = { chainId: 31337, projectId: "2" }

const reader = () => createPublicClient({ chain: foundry, transport: http(bench.chain.url) })

const at = (name: string): Address =>
  bench.manifest.deployments.find(({ contractId }) => contractId.endsWith(`:${name}`))?.address ??
  assert.fail(name)

/** By an account that the local chain signs for. */
const send = async (from: Address, to: Address, functionName: string, args: ReadonlyArray<unknown>) => {
  const { client, mined } = onSandbox(bench.chain.url, bench.manifest)
  const every: Abi = [...abi, ...fees]
  await mined(client.writeContract({ account: from, address: to, abi: every, functionName, args }))
}

const fees = [
  {
    type: "function",
    name: "setCreationFee",
    stateMutability: "nonpayable",
    inputs: [
      { name: "fee", type: "uint256" },
      { name: "receiver", type: "address" }
    ],
    outputs: []
  }
] as const

const split = {
  percent: 250_000_000,
  projectId: "0",
  beneficiary: BENEFICIARY,
  preferAddToBalance: false,
  lockedUntil: "0",
  hook: zeroAddress
}

const limits = () => ({
  terminal: at("JBMultiTerminal"),
  token: NATIVE_TOKEN,
  payoutLimits: [{ amount: String(parseEther("5")), currency: NATIVE_CURRENCY }],
  surplusAllowances: []
})

const configuration = (over: object = {}) => ({
  ...rulesetConfiguration,
  splitGroups: [{ groupId: "1", splits: [split] }],
  fundAccessLimitGroups: [limits()],
  ...over
})

const change = (over: object = {}) => ({
  project,
  account: bench.projectOwner.key.address,
  rulesetConfigurations: [configuration()],
  memo: "Next",
  ...over
})

const launch = (over: object = {}) => ({
  chainId: 31337,
  account: bench.projectOwner.key.address,
  owner: BENEFICIARY,
  composition: "core",
  projectUri: "ipfs://launched",
  rulesetConfigurations: [configuration()],
  terminalConfigurations: [
    {
      terminal: at("JBMultiTerminal"),
      accountingContextsToAccept: [{ token: NATIVE_TOKEN, decimals: 18, currency: NATIVE_CURRENCY }]
    }
  ],
  memo: "First",
  ...over
})

const latestRuleset = async (projectId: bigint) => {
  const rulesets = await reader().readContract({
    address: at("JBRulesets"),
    abi,
    functionName: "allOf",
    args: [projectId, 0n, 2n]
  })
  return rulesets[0] ?? assert.fail("no ruleset")
}

describe("prepare_ruleset_change", () => {
  it("plans the queueing that the contracts then have, and says what it changes", async () => {
    const plan = await prepared(bench, bench.projectOwner, "prepare_ruleset_change", change())
    assert.strictEqual(plan.operation, "ruleset-change")
    assert.deepStrictEqual(plan.project, { ...project, version: 6 })
    const summary = Object(plan.summary)
    assert.deepStrictEqual(summary.permission, { required: "QUEUE_RULESETS", id: 2, by: "owner" })
    const [economic] = summary.economicChanges
    assert.deepInclude(economic.changes, {
      field: "metadata.reservedPercent",
      current: "2000",
      proposed: "1000"
    })
    assert.deepInclude(
      economic.limitChanges.value.map(({ current, proposed }: Record<string, string>) => [current, proposed]),
      [String(parseEther("2")), String(parseEther("5"))]
    )
    assert.strictEqual(summary.simulation[0].returned.status, "known")
    assert.isAbove(plan.warnings.length, 5)
    await relayed(bench, bench.projectOwner, plan)
    const queued = await latestRuleset(2n)
    assert.strictEqual(queued.duration, rulesetConfiguration.duration)
    assert.strictEqual(queued.weight, BigInt(rulesetConfiguration.weight))
    assert.isAbove(queued.id, Number(summary.currentRulesetId))
  })

  it("lets an account with the owner's permission queue, and no other", async () => {
    const operator = await newPayer(bench)
    const theirs = change({ account: operator.key.address })
    assert.strictEqual(await refused(bench, operator, "prepare_ruleset_change", theirs), "PERMISSION_DENIED")
    const granted = [{ operator: operator.key.address, projectId: 2n, permissionIds: [QUEUE_RULESETS] }]
    const { address } = bench.projectOwner.key
    await send(address, at("JBPermissions"), "setPermissionsFor", [address, ...granted])
    const plan = await prepared(bench, operator, "prepare_ruleset_change", theirs)
    assert.strictEqual(Object(plan.summary).permission.by, "permission")
    await relayed(bench, operator, plan)
  })

  it("refuses what cannot be queued before there is a plan", async () => {
    const cases: ReadonlyArray<readonly [object, string]> = [
      [{ project: { ...project, projectId: "99" } }, "PROJECT_NOT_FOUND"],
      [{ project: { ...project, chainId: 10 } }, "UNSUPPORTED_CHAIN"],
      [{ account: BENEFICIARY }, "PLAN_ACCOUNT_MISMATCH"],
      [{ rulesetConfigurations: [] }, "INVALID_INPUT"],
      [{ rulesetConfigurations: [configuration({ weightCutPercent: 1_000_000_001 })] }, "INVALID_INPUT"],
      [
        { rulesetConfigurations: [configuration({ fundAccessLimitGroups: [limits(), limits()] })] },
        "INVALID_INPUT"
      ],
      [{ rulesetConfigurations: [configuration({ approvalHook: BENEFICIARY })] }, "SIMULATION_REVERTED"]
    ]
    for (const [over, code] of cases)
      assert.strictEqual(
        await refused(bench, bench.projectOwner, "prepare_ruleset_change", change(over)),
        code,
        JSON.stringify(over)
      )
  })

  it("names the revert of what would fail", async () => {
    const hook = configuration({ approvalHook: BENEFICIARY })
    const input = change({ rulesetConfigurations: [hook] })
    const { body } = await prepare(bench, bench.projectOwner, "prepare_ruleset_change", input)
    assert.include(JSON.stringify(Object(body).context.revert), "JBRulesets_InvalidRulesetApprovalHook")
  })

  it("takes three round trips from a process that has asked nothing yet", async () => {
    const cold = { service: await bench.replica() }
    const { roundTrips } = await bench.node.during(() =>
      prepared(cold, bench.projectOwner, "prepare_ruleset_change", change())
    )
    await cold.service.stop()
    assert.isAtMost(roundTrips, 3)
  })
})

describe("prepare_launch", () => {
  it("plans the launch that the contracts then have, for the creation fee", async () => {
    const { address } = bench.projectOwner.key
    await send(address, at("JBProjects"), "setCreationFee", [7n, bench.manifest.accounts.beneficiary])
    const plan = await prepared(bench, bench.projectOwner, "prepare_launch", launch())
    assert.strictEqual(plan.operation, "launch")
    assert.isUndefined(plan.project)
    assert.strictEqual(plan.calls[0]?.value, "7")
    assert.deepInclude(Object(plan.summary), {
      owner: BENEFICIARY,
      projectId: null,
      creationFeeWei: "7",
      rulesetCount: 1
    })
    assert.deepInclude(plan.warnings, "The planned wallet pays for the launch and does not own the project.")
    const done = await relayed(bench, bench.projectOwner, plan)
    const events = JSON.stringify(done.steps[0]?.semantic?.events)
    const projectId = await reader().readContract({
      address: at("JBProjects"),
      abi,
      functionName: "count"
    })
    assert.include(events, `"${projectId}"`)
    const owner = await reader().readContract({
      address: at("JBProjects"),
      abi,
      functionName: "ownerOf",
      args: [projectId]
    })
    assert.strictEqual(owner, BENEFICIARY)
    assert.strictEqual((await latestRuleset(projectId)).weight, BigInt(rulesetConfiguration.weight))
    const terminals = await reader().readContract({
      address: at("JBDirectory"),
      abi,
      functionName: "terminalsOf",
      args: [projectId]
    })
    assert.deepStrictEqual(
      terminals.map(terminal => terminal.toLowerCase()),
      [at("JBMultiTerminal").toLowerCase()]
    )
    await send(address, at("JBProjects"), "setCreationFee", [0n, zeroAddress])
  })

  it("warns of what it cannot know or undo", async () => {
    const none = launch({
      terminalConfigurations: [],
      rulesetConfigurations: [configuration({ fundAccessLimitGroups: [], weight: "0" })]
    })
    const { warnings } = await prepared(bench, bench.projectOwner, "prepare_launch", none)
    assert.include(warnings.join("\n"), "Without a terminal nobody can pay")
    assert.include(warnings.join("\n"), "Configuration 0: payments issue no tokens.")
    assert.include(warnings.join("\n"), "Configuration 0: no payouts are possible.")
  })

  it("refuses what cannot be launched before there is a plan", async () => {
    const [terminal] = launch().terminalConfigurations
    const poor = await newPayer(bench)
    const { address } = bench.projectOwner.key
    const cases: ReadonlyArray<readonly [object, string]> = [
      [{ composition: "revnet" }, "INVALID_INPUT"],
      [{ owner: zeroAddress }, "INVALID_INPUT"],
      [{ terminalConfigurations: [] }, "INVALID_INPUT"],
      [{ terminalConfigurations: [terminal, terminal] }, "INVALID_INPUT"],
      [
        {
          terminalConfigurations: [
            {
              terminal: terminal?.terminal,
              accountingContextsToAccept: [{ token: NATIVE_TOKEN, decimals: 6, currency: NATIVE_CURRENCY }]
            }
          ]
        },
        "INVALID_INPUT"
      ],
      [{ chainId: 10 }, "UNSUPPORTED_CHAIN"],
      [{ account: BENEFICIARY }, "PLAN_ACCOUNT_MISMATCH"],
      [{ owner: at("JBDirectory") }, "SIMULATION_REVERTED"]
    ]
    for (const [over, code] of cases)
      assert.strictEqual(
        await refused(bench, bench.projectOwner, "prepare_launch", launch(over)),
        code,
        JSON.stringify(over)
      )
    await send(address, at("JBProjects"), "setCreationFee", [10n ** 15n, BENEFICIARY])
    await rpc(bench.chain.url, "anvil_setBalance", [poor.key.address, "0x1"])
    const theirs = launch({ account: poor.key.address })
    assert.strictEqual(await refused(bench, poor, "prepare_launch", theirs), "INSUFFICIENT_BALANCE")
    await send(address, at("JBProjects"), "setCreationFee", [0n, zeroAddress])
  })
})
