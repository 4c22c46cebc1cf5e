import { type Address, zeroAddress } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import type { PrepareId } from "../../../src/operations/generated/OperationIds.ts"
import { prepared, refused, relayed } from "../../support/PlanBench.ts"
import { known } from "../support/Known.ts"
import { abi, at, done, ROUTED, startRoutingBench } from "../support/Routing.ts"

const bench = await startRoutingBench()
const hook = at(bench, "JBBuybackHook")
const hooks = at(bench, "JBBuybackHookRegistry")
const router = at(bench, "JBRouterTerminal")
const routers = at(bench, "JBRouterTerminalRegistry")
const multi = at(bench, "JBMultiTerminal")

afterAll(() => bench.stop())

const STRANGER: Address = "0x0000000000000000000000000000000000005512"
const demo = { chainId: 31337, projectId: "2" }

const chosen = (over: object) => ({ project: ROUTED, account: bench.projectOwner.key.address, ...over })

const planned = async (id: PrepareId, over: object) => {
  const { value: plan, roundTrips } = await bench.node.during(() =>
    prepared(bench, bench.projectOwner, id, chosen(over))
  )
  assert.isAtMost(roundTrips, 3)
  return plan
}

const codeOf = (id: PrepareId, over: object, party = bench.projectOwner) =>
  refused(bench, party, id, chosen({ ...over, account: party.key.address }))

const now = (functionName: "hookOf" | "terminalOf") =>
  bench.client.readContract({
    address: functionName === "hookOf" ? hooks : routers,
    abi,
    functionName,
    args: [6n]
  })

describe("prepare_buyback_hook", () => {
  it("plans a hook and the default one by its address; the relay proves both", async () => {
    await done(bench, hooks, "allowHook", [STRANGER])
    const away = await planned("prepare_buyback_hook", { hook: STRANGER })
    assert.deepInclude(Object(away.summary), {
      registry: hooks,
      authority: "owner",
      previousHook: known(hook),
      cohortDefault: known(hook),
      effectiveHookAfter: known(STRANGER)
    })
    assert.match(away.warnings.join(), /not recorded/)
    const { steps } = await relayed(bench, bench.projectOwner, away)
    assert.deepInclude(Object(steps?.[0]?.semantic), { verifier: "set_buyback_hook" })
    assert.strictEqual(await now("hookOf"), STRANGER)

    const back = await planned("prepare_buyback_hook", { hook })
    assert.deepInclude(Object(back.summary), {
      previousHook: known(STRANGER),
      effectiveHookAfter: known(hook)
    })
    assert.lengthOf(back.warnings, 1)
    await relayed(bench, bench.projectOwner, back)
    assert.strictEqual(await now("hookOf"), hook)
  })

  it("finds the default that was the newest when the project was made", async () => {
    await done(bench, hooks, "setDefaultHook", [STRANGER])
    const { summary } = await planned("prepare_buyback_hook", { hook })
    assert.deepInclude(Object(summary), { cohortDefault: known(hook), effectiveHookAfter: known(hook) })
  })

  it("refuses before there is a plan", async () => {
    const refusals = [
      await codeOf("prepare_buyback_hook", { hook: multi }),
      await codeOf("prepare_buyback_hook", { hook: zeroAddress }),
      await codeOf("prepare_buyback_hook", { hook, project: demo }),
      await codeOf("prepare_buyback_hook", { hook, project: { ...demo, projectId: "99" } }),
      await codeOf("prepare_buyback_hook", { hook }, bench.holder)
    ]
    await done(bench, hooks, "lockHookFor", [6n, hook])
    assert.deepStrictEqual(
      [...refusals, await codeOf("prepare_buyback_hook", { hook })],
      [
        "HOOK_NOT_ALLOWED",
        "HOOK_NOT_ALLOWED",
        "REGISTRY_NOT_CONFIGURED",
        "PROJECT_NOT_FOUND",
        "PERMISSION_REQUIRED",
        "HOOK_LOCKED"
      ]
    )
  })
})

describe("prepare_router_terminal", () => {
  it("plans a terminal and the default one by its address; the relay proves both", async () => {
    await done(bench, routers, "allowTerminal", [multi])
    const away = await planned("prepare_router_terminal", { terminal: multi })
    assert.deepInclude(Object(away.summary), {
      registry: routers,
      authority: "owner",
      isListed: known(true),
      previousTerminal: known(router),
      cohortDefault: known(router),
      effectiveTerminalAfter: known(multi),
      effectivePathAfter: known([routers, multi])
    })
    assert.match(away.warnings.join(), /other than a recorded router/)
    const { steps } = await relayed(bench, bench.projectOwner, away)
    assert.deepInclude(Object(steps?.[0]?.semantic), { verifier: "set_router_terminal" })
    assert.strictEqual(await now("terminalOf"), multi)

    const back = await planned("prepare_router_terminal", { terminal: router })
    assert.deepInclude(Object(back.summary), {
      previousTerminal: known(multi),
      effectiveTerminalAfter: known(router),
      effectivePathAfter: known([routers, router])
    })
    assert.deepStrictEqual(back.warnings, [])
    await relayed(bench, bench.projectOwner, back)
    assert.strictEqual(await now("terminalOf"), router)
  })

  it("says that it cannot know the path through a terminal that is not recorded, and of a registry that the project does not list", async () => {
    await done(bench, routers, "allowTerminal", [STRANGER])
    const strange = await planned("prepare_router_terminal", { terminal: STRANGER })
    assert.strictEqual(Object(strange.summary).effectivePathAfter.error.code, "UNSUPPORTED_TERMINAL")
    assert.lengthOf(strange.warnings, 1)
    const unlisted = await planned("prepare_router_terminal", { terminal: router, project: demo })
    assert.deepInclude(Object(unlisted.summary), { isListed: known(false) })
    assert.match(unlisted.warnings.join(), /^The registry is not among/)
  })

  it("refuses before there is a plan", async () => {
    const refusals = [
      await codeOf("prepare_router_terminal", { terminal: routers }),
      await codeOf("prepare_router_terminal", { terminal: hook }),
      await codeOf("prepare_router_terminal", { terminal: zeroAddress }),
      await codeOf("prepare_router_terminal", { terminal: router, project: { ...demo, projectId: "99" } }),
      await codeOf("prepare_router_terminal", { terminal: router }, bench.holder)
    ]
    await done(bench, routers, "lockTerminalFor", [6n, router])
    assert.deepStrictEqual(
      [...refusals, await codeOf("prepare_router_terminal", { terminal: router })],
      [
        "CIRCULAR_ROUTER",
        "TERMINAL_NOT_ALLOWED",
        "TERMINAL_NOT_ALLOWED",
        "PROJECT_NOT_FOUND",
        "PERMISSION_REQUIRED",
        "TERMINAL_LOCKED"
      ]
    )
  })
})
