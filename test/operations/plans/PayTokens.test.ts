import { type Address, erc20Abi, parseAbi, parseEther } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { sandboxUsdOf } from "../../../sandbox/families/routing.ts"
import type { Plan } from "../../../src/plans/Plan.ts"
import { launch, rulesetOf } from "../../sandbox/support/Launch.ts"
import { holder, onSandbox } from "../../sandbox/support/Sandbox.ts"
import { prepared, refused, relayed, startPlanBench } from "../../support/PlanBench.ts"
import { BENEFICIARY, payment, tokensHeld } from "../support/DemoPayments.ts"

const bench = await startPlanBench()
const chain = onSandbox(bench.chain.url, bench.manifest)

afterAll(() => bench.stop())

const tokensOf = (account: Address, projectId?: bigint) => tokensHeld(chain, account, projectId)

const namesOf = ({ calls }: Plan) => calls.map(({ decoded }) => decoded.function.split("(")[0])

const summaryOf = ({ summary }: Plan) => Object(summary)

describe("prepare_pay in an ERC-20", () => {
  let token: Address
  let project: { readonly chainId: number; readonly projectId: string }

  beforeAll(async () => {
    token = bench.manifest.seeded.token
    const baseCurrency = Number(BigInt(token) & 0xffffffffn)
    const projectId = await launch(chain, [rulesetOf({}, { baseCurrency })], token)
    project = { chainId: 31337, projectId: String(projectId) }
  })

  const inToken = (over: object = {}) => payment({ project, token, amount: String(parseEther("5")), ...over })

  const erc20 = () => ({ address: token, abi: erc20Abi })

  const allowance = () =>
    chain.client.readContract({
      ...erc20(),
      functionName: "allowance",
      args: [holder.address, chain.at("JBMultiTerminal")]
    })

  const approve = (amount: bigint) =>
    chain.mined(
      chain.client.writeContract({
        ...erc20(),
        account: holder,
        functionName: "approve",
        args: [chain.at("JBMultiTerminal"), amount]
      })
    )

  it("approves exactly the amount and pays it", async () => {
    const plan = await prepared(bench, bench.holder, "prepare_pay", inToken())
    assert.deepStrictEqual(namesOf(plan), ["approve", "pay"])
    assert.deepStrictEqual(
      plan.calls.map(({ dependsOn, value }) => [dependsOn, value]),
      [
        [[], "0"],
        [[0], "0"]
      ]
    )
    const { wallet, simulation } = summaryOf(plan)
    assert.deepInclude(wallet.token, {
      spender: plan.calls[1]?.to,
      allowance: "0",
      needed: String(parseEther("5"))
    })
    assert.strictEqual(wallet.token.balance.status, "known")
    assert.deepStrictEqual(
      simulation.map(({ stepIndex }: { readonly stepIndex: number }) => stepIndex),
      [0]
    )
    assert.strictEqual(new Set(plan.warnings).size, plan.warnings.length)
    assert.strictEqual(plan.warnings.filter(warning => /approval/.test(warning)).length, 2)
    await relayed(bench, bench.holder, plan)
    assert.strictEqual(await allowance(), 0n)
    assert.strictEqual(
      await tokensOf(BENEFICIARY, BigInt(project.projectId)),
      BigInt(summaryOf(plan).beneficiaryTokenCount)
    )
  })

  it("withdraws an allowance that is too small before it approves, and approves nothing where it is enough", async () => {
    await approve(1n)
    const plan = await prepared(bench, bench.holder, "prepare_pay", inToken())
    assert.deepStrictEqual(namesOf(plan), ["approve", "approve", "pay"])
    assert.deepStrictEqual(
      plan.calls.map(({ dependsOn, decoded }) => [dependsOn, decoded.args[1]]).slice(0, 2),
      [
        [[], "0"],
        [[0], String(parseEther("5"))]
      ]
    )
    await relayed(bench, bench.holder, plan)
    await approve(parseEther("9"))
    const enough = await prepared(bench, bench.holder, "prepare_pay", inToken())
    assert.deepStrictEqual(namesOf(enough), ["pay"])
    await relayed(bench, bench.holder, enough)
    assert.strictEqual(await allowance(), parseEther("4"))
  })

  it("refuses more than the wallet has, and a token that no terminal takes", async () => {
    const more = inToken({ amount: String(parseEther("100000000")) })
    assert.strictEqual(await refused(bench, bench.holder, "prepare_pay", more), "INSUFFICIENT_BALANCE")
    const other = payment({ token, amount: "5" })
    assert.strictEqual(await refused(bench, bench.holder, "prepare_pay", other), "NO_PAYMENT_ROUTE")
  })
})

describe("prepare_pay behind a router", () => {
  const ROUTED = 6n
  const project = { chainId: 31337, projectId: String(ROUTED) }

  const byRouter = (plan: Plan) => {
    const [registry, router] = [chain.at("JBRouterTerminalRegistry"), chain.at("JBRouterTerminal")]
    const { route, terminalPath } = summaryOf(plan)
    assert.strictEqual(route, "router-terminal")
    assert.deepStrictEqual(
      terminalPath.map((each: string) => each.toLowerCase()),
      [registry, router]
    )
    assert.strictEqual(plan.calls.at(-1)?.to.toLowerCase(), registry)
  }

  it("pays the registry, in no more round trips than the terminal itself", async () => {
    const before = await tokensOf(BENEFICIARY, ROUTED)
    const service = await bench.replica()
    const { value: plan, roundTrips } = await bench.node.during(() =>
      prepared({ service }, bench.holder, "prepare_pay", payment({ project }))
    )
    await service.stop()
    assert.strictEqual(roundTrips, 3)
    byRouter(plan)
    await relayed(bench, bench.holder, plan)
    const issued = (await tokensOf(BENEFICIARY, ROUTED)) - before
    assert.strictEqual(String(issued), summaryOf(plan).beneficiaryTokenCount)
  })

  it("approves a token to the registry, which takes it", async () => {
    const token = sandboxUsdOf(bench.manifest.accounts)
    await chain.mined(
      chain.client.writeContract({
        ...chain.contract("JBDirectory"),
        account: bench.projectOwner.key,
        abi: parseAbi(["function setPrimaryTerminalOf(uint256 projectId, address token, address terminal)"]),
        functionName: "setPrimaryTerminalOf",
        args: [ROUTED, token, chain.at("JBRouterTerminalRegistry")]
      })
    )
    const plan = await prepared(
      bench,
      bench.holder,
      "prepare_pay",
      payment({ project, token, amount: "5000000" })
    )
    byRouter(plan)
    assert.deepStrictEqual(namesOf(plan), ["approve", "pay"])
    await relayed(bench, bench.holder, plan)
  })
})
