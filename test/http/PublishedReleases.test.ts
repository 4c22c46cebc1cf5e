/** Plans over contracts of which a chain has several published: releases that newer ones replaced, and one of three bridges of a kind. */
import { getAddress, parseEther, parseUnits } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { ROUTED_PROJECT_ID, sandboxUsdOf } from "../../sandbox/families/routing.ts"
import type { PrepareId } from "../../src/operations/generated/OperationIds.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { startPublished } from "../support/PublishedSandbox.ts"
import { NATIVE_TOKEN } from "../support/Sandbox.ts"

const base = await startPublished({
  JBBuybackHook: "JBBuybackHook_deprecated",
  JBRouterTerminal: "JBRouterTerminal_deprecated",
  JBOptimismSucker: "JBCCIPSucker__ARB",
  JBOptimismSuckerDeployer: "JBCCIPSuckerDeployer__ARB"
})

afterAll(() => base?.stop())

const at = (name: string) =>
  getAddress(base.manifest.deployments.find(({ alias }) => alias === name)?.address ?? assert.fail(name))

const project = { chainId: 31337, projectId: String(ROUTED_PROJECT_ID) }

const ofHolder = (over: object) => {
  const { holder } = base.manifest.accounts
  return { account: 1, input: { project, account: holder, beneficiary: holder, ...over } } as const
}

const verifiers = ({ steps }: Plan) => steps.map(({ semantic }) => semantic?.verifier)

describe("a project with a retired buyback hook and a retired router", () => {
  it.each<[PrepareId, string]>([
    ["prepare_buyback_pool", "set_pool"],
    ["prepare_buyback_twap", "set_twap_window"]
  ])("has %s planned for its hook, relayed and verified", async (id, verifier) => {
    const done = await base.carriedOut(id)
    assert.deepStrictEqual([done.calls[0]?.to, verifiers(done)], [at("JBBuybackHook"), [verifier]])
  })

  it.each<[PrepareId, string]>([
    ["prepare_buyback_hook", "hook"],
    ["prepare_router_terminal", "router"]
  ])("is told by %s that its %s is retired", async (id, kind) => {
    const { warnings } = await base.carriedOut(id)
    assert.include(
      warnings,
      `The ${kind} that will be in use is retired: a newer one of its kind is deployed.`
    )
  })

  it("is paid ether through its router", async () => {
    const paid = await base.carriedOut(
      "prepare_pay",
      ofHolder({ token: NATIVE_TOKEN, amount: String(parseEther("1")) })
    )
    assert.deepStrictEqual(Object(paid.summary).terminalPath, [
      at("JBRouterTerminalRegistry"),
      at("JBRouterTerminal")
    ])
    assert.deepStrictEqual(verifiers(paid), ["pay_routed"])
  })

  it("is paid dollars, and cashes out", async () => {
    const token = sandboxUsdOf(base.manifest.accounts)
    const paid = await base.carriedOut(
      "prepare_pay",
      ofHolder({ token, amount: String(parseUnits("2000", 6)) })
    )
    assert.strictEqual(Object(paid.summary).routeEvidence.buybackHook, at("JBBuybackHook"))
    assert.deepStrictEqual(verifiers(paid), ["approve", "pay"])
    const { holder } = base.manifest.accounts
    const cashedOut = await base.carriedOut(
      "prepare_cash_out",
      ofHolder({ holder, tokenToReclaim: token, cashOutCount: String(parseEther("10")) })
    )
    assert.deepStrictEqual(verifiers(cashedOut), ["cash_out"])
  })
})

describe("a bridge of one of three published deployers of its kind", () => {
  it.each<[PrepareId, string]>([
    ["prepare_bridge_claim", "bridge_claim"],
    ["prepare_accounting_sync", "sync_accounting"]
  ])("has %s planned, relayed and verified", async (id, verifier) => {
    const done = await base.carriedOut(id)
    assert.strictEqual(Object(done.summary).suckerContract, "JBCCIPSucker")
    assert.deepStrictEqual(verifiers(done), [verifier])
  })
})
