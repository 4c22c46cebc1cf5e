import { parseEther } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { callOf, payment, planned, stepOf } from "../support/PlannedCalls.ts"
import type { ProxyFault } from "../support/RecordingProxy.ts"
import { mine, newPayer, startRelayBench } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { contractId, NATIVE_TOKEN } from "../support/Sandbox.ts"
import { signCall } from "../support/SignedCalls.ts"
import { refreshed, submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const NATIVE_CURRENCY = "61166"
const ETHER = String(parseEther("1"))

const terminal = (
  name: string,
  args: ReadonlyArray<string>,
  over: Readonly<Record<string, unknown>> = {}
) => ({
  chainId: 31337,
  contractId: contractId(bench.manifest, "JBMultiTerminal"),
  function: name,
  args,
  ...over
})

/** Keeps allowances, says true and emits nothing. */
const SILENT_TOKEN =
  "0x60003560e01c63095ea7b314601b576024355460005260206000f35b60243560043555600160005260206000f3"

const isOf = ([call]: ReadonlyArray<unknown>, token: string): boolean =>
  String(Object(call).to).toLowerCase() === token.toLowerCase()

const CASH_OUT = "cashOutTokensOf(address,uint256,uint256,address,uint256,address,bytes)"
const SEND_PAYOUTS = "sendPayoutsOf(uint256,address,uint256,uint256,uint256)"

describe("a plan through the service", () => {
  it("pays, cashes out and sends payouts, each verified before what depends on it goes", async () => {
    const owner = await newPayer(bench)
    const { address } = owner.key
    const calls = [
      payment(bench, address, { args: ["2", NATIVE_TOKEN, "0", address, "1", "thanks", "0x"], value: ETHER }),
      terminal(CASH_OUT, [address, "2", ETHER, NATIVE_TOKEN, "1", address, "0x"], { dependsOn: [0] }),
      terminal(SEND_PAYOUTS, ["2", NATIVE_TOKEN, ETHER, NATIVE_CURRENCY, ETHER], { dependsOn: [1] })
    ]
    const plan = await planned(bench, owner, { calls })
    for (const [step, verifier] of ["pay", "cash_out", "send_payouts"].entries()) {
      const rawSignedTransaction = await signCall(bench, owner, callOf(plan, step))
      await submitted(bench.service, owner, plan, { rawSignedTransaction }, { step })
      await mine(bench)
      const { state, semantic } = stepOf(await refreshed(bench.service, owner, plan), step)
      assert.strictEqual(state, "confirmed")
      assert.deepInclude(semantic, { status: "verified", verifier })
    }
    const { status, steps } = await refreshed(bench.service, owner, plan)
    assert.strictEqual(status, "transactions_confirmed")
    assert.deepInclude(steps[1]?.semantic?.events?.[0], {
      event: "CashOutTokens",
      projectId: "2",
      holder: address,
      beneficiary: address,
      cashOutCount: ETHER
    })
    assert.deepInclude(steps[2]?.semantic?.events?.[0], { event: "SendPayouts", amountPaidOut: ETHER })
  })

  it("stays blocked behind payouts that paid nothing out", async () => {
    const owner = await newPayer(bench)
    const exhausted = terminal(SEND_PAYOUTS, [
      "2",
      NATIVE_TOKEN,
      String(parseEther("5")),
      NATIVE_CURRENCY,
      "0"
    ])
    for (const [verdict, state] of [
      ["verified", "ready"],
      ["unknown", "blocked"]
    ]) {
      const calls = [exhausted, { ...payment(bench, owner.key.address), dependsOn: [0] }]
      const plan = await planned(bench, owner, { calls })
      const rawSignedTransaction = await signCall(bench, owner, callOf(plan))
      await submitted(bench.service, owner, plan, { rawSignedTransaction })
      await mine(bench)
      const { steps } = await refreshed(bench.service, owner, plan)
      assert.strictEqual(steps[0]?.semantic?.status, verdict)
      assert.strictEqual(steps[1]?.state, state)
    }
  })

  it("verifies an approval that no event tells of at its very block, again once that can be read, and keeps it", async () => {
    const owner = await newPayer(bench)
    const { token } = bench.manifest.seeded
    const approve = {
      chainId: 31337,
      contractId: contractId(bench.manifest, "JBERC20"),
      address: token,
      function: "approve(address,uint256)",
      args: [owner.key.address, "1000"]
    }
    const calls = [approve, { ...payment(bench, owner.key.address), dependsOn: [0] }]
    const plan = await planned(bench, owner, { calls })
    await rpc(bench.chain.url, "anvil_setCode", [token, SILENT_TOKEN])
    const rawSignedTransaction = await signCall(bench, owner, callOf(plan))
    await submitted(bench.service, owner, plan, { rawSignedTransaction })
    await mine(bench)
    const pinned = new Set<unknown>()
    const pruned: ProxyFault = {
      method: "eth_call",
      within: asked =>
        asked.some(({ params }) => isOf(params, token) && pinned.add(Object(params[1]).blockHash)),
      phase: "before",
      act: { kind: "error", code: -32_000, message: "missing trie node" }
    }
    const judged = async () => {
      const { steps } = await refreshed(bench.service, owner, plan)
      return [steps[0]?.semantic?.status, steps[0]?.semantic?.events, steps[1]?.state]
    }
    bench.proxy.fault(pruned)
    assert.deepStrictEqual(await judged(), ["unknown", undefined, "blocked"])
    assert.deepStrictEqual(await judged(), ["verified", [], "ready"])
    bench.proxy.fault(pruned)
    assert.deepStrictEqual(await judged(), ["verified", [], "ready"])
    const { receipt } = stepOf(await refreshed(bench.service, owner, plan))
    assert.deepStrictEqual([...pinned], [receipt?.blockHash])
  })
})
