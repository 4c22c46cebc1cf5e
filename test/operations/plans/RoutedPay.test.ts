import { type Address, parseEther, parseUnits } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import type { Plan } from "../../../src/plans/Plan.ts"
import { prepared, relayed } from "../../support/PlanBench.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { abi, at, done, ROUTED, startRoutingBench } from "../support/Routing.ts"

const bench = await startRoutingBench()
const routers = at(bench, "JBRouterTerminalRegistry")
const router = at(bench, "JBRouterTerminal")
const multi = at(bench, "JBMultiTerminal")

afterAll(() => bench.stop())

const BENEFICIARY: Address = "0x0000000000000000000000000000000000005513"
const ETHER = parseEther("1")
const DOLLARS = parseUnits("2000", 6)
const TOKENS = parseEther("1000")

const paying = (token: Address, amount: bigint) =>
  prepared(bench, bench.holder, "prepare_pay", {
    project: ROUTED,
    account: bench.holder.key.address,
    beneficiary: BENEFICIARY,
    token,
    amount: String(amount),
    memo: "routed"
  })

const tokens = () =>
  bench.client.readContract({
    address: at(bench, "JBTokens"),
    abi,
    functionName: "totalBalanceOf",
    args: [BENEFICIARY, 6n]
  })

const balanceOf = (token: Address) =>
  bench.client.readContract({
    address: at(bench, "JBTerminalStore"),
    abi,
    functionName: "balanceOf",
    args: [multi, 6n, token]
  })

const verifiers = ({ steps = [] }: Plan) => steps.map(({ semantic }) => Object(semantic).verifier)

/** The plan, and what paying it gave the beneficiary and the project. */
const paid = async (token: Address, amount: bigint) => {
  const plan = await paying(token, amount)
  const before = { tokens: await tokens(), balance: await balanceOf(token) }
  const shown = await relayed(bench, bench.holder, plan)
  return {
    plan: shown,
    issued: (await tokens()) - before.tokens,
    received: (await balanceOf(token)) - before.balance
  }
}

describe("a payment through the router registry", () => {
  it("of ether is led by the router to the terminal", async () => {
    const { plan, issued, received } = await paid(NATIVE_TOKEN, ETHER)
    assert.deepInclude(Object(plan.summary), { route: "router-terminal", terminalPath: [routers, router] })
    assert.deepStrictEqual([plan.calls.length, plan.calls[0]?.to], [1, routers])
    assert.deepStrictEqual(verifiers(plan), ["pay_routed"])
    assert.deepStrictEqual([issued, received], [TOKENS, ETHER])
  })

  it("of dollars is approved for the registry", async () => {
    await done(bench, at(bench, "JBDirectory"), "setPrimaryTerminalOf", [6n, bench.usd, routers])
    const { plan, issued, received } = await paid(bench.usd, DOLLARS)
    assert.deepStrictEqual(
      plan.calls.map(({ to, decoded }) => [to, decoded.function.split("(")[0]]),
      [
        [bench.usd, "approve"],
        [routers, "pay"]
      ]
    )
    assert.deepStrictEqual(verifiers(plan), ["approve", "pay_routed"])
    assert.deepStrictEqual([issued, received], [TOKENS, DOLLARS])
  })
})

describe("a payment of dollars to the terminal", () => {
  it("is taken by its exact allowance and priced by the sandbox's feed", async () => {
    await done(bench, at(bench, "JBDirectory"), "setPrimaryTerminalOf", [6n, bench.usd, multi])
    const { plan, issued, received } = await paid(bench.usd, DOLLARS)
    assert.deepInclude(Object(plan.summary), { route: "multi-terminal" })
    assert.deepStrictEqual(verifiers(plan), ["approve", "pay"])
    assert.deepStrictEqual([issued, received], [TOKENS, DOLLARS])
  })
})
