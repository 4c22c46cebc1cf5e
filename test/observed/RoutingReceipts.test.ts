import { assert, describe, it } from "vitest"
import { eventName } from "./Altered.ts"
import { judgedRecording, rawLogs } from "./Judged.ts"
import { type Call, recordingOf } from "./Recording.ts"

const PROOFS: Readonly<Record<string, ReadonlyArray<string>>> = {
  setPoolFor: ["TwapWindowChanged", "PoolAdded"],
  setTwapWindowOf: ["TwapWindowChanged"],
  setHookFor: ["JBBuybackHookRegistry_SetHook"],
  setTerminalFor: ["JBRouterTerminalRegistry_SetTerminal"],
  cashOutTokensOf: ["CashOutSwap", "CashOutTokens"],
  pay: ["Pay"]
}

const PLANNED: ReadonlyArray<readonly [contract: string, name: string]> = [
  ["JBBuybackHook", "setPoolFor"],
  ["JBBuybackHook", "setTwapWindowOf"],
  ["JBBuybackHookRegistry", "setHookFor"],
  ["JBRouterTerminalRegistry", "setTerminalFor"],
  ["JBRouterTerminalRegistry", "pay"],
  ["JBMultiTerminal", "pay"],
  ["JBMultiTerminal", "cashOutTokensOf"]
]

const nameOf = (call: Call): string => call.function.replace(/\(.*/, "")

const calls = ["buyback-hook", "buyback-pool", "buyback-swap", "router-terminal"].flatMap(scenario =>
  recordingOf(scenario)
    .transactions.filter(
      call =>
        call.revert === undefined &&
        PLANNED.some(([contract, name]) => call.contract === contract && nameOf(call) === name)
    )
    .map(call => [`${scenario} ${call.index} ${nameOf(call)} ${call.note}`, call] as const)
)

describe("recorded receipts of pools, hooks and routers", () => {
  it("are of every kind that is planned", () => {
    const seen = new Set(calls.map(([, call]) => `${call.contract} ${nameOf(call)}`))
    assert.deepStrictEqual([...seen].sort(), PLANNED.map(([contract, name]) => `${contract} ${name}`).sort())
  })

  it.each(calls)("%s", (_, call) => {
    const { status, reason } = judgedRecording(call)
    assert.strictEqual(status, "verified", reason)
    for (const [index, log] of call.logs.entries()) {
      if (log.args.projectId !== call.args[nameOf(call) === "cashOutTokensOf" ? 1 : 0]) continue
      if (!PROOFS[nameOf(call)]?.includes(eventName(log))) continue
      const others = rawLogs(call).toSpliced(index, 1)
      const isUnasked = eventName(log) === "CashOutSwap" && call.args.at(-1) === "0x"
      assert.strictEqual(judgedRecording(call, others).status, isUnasked ? "verified" : "unknown")
    }
  })
})
