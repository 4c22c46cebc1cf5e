import { assert, describe, it } from "vitest"
import { judgedRecording, rawLogs } from "./Judged.ts"
import { recordingOf } from "./Recording.ts"

const SCENARIOS = ["pay-native", "pay-states", "pay-usdc", "pay-revnet", "add-to-balance"]

const payments = SCENARIOS.flatMap(scenario =>
  recordingOf(scenario)
    .transactions.filter(call => call.revert === undefined && /^(pay|addToBalanceOf)\(/.test(call.function))
    .filter(({ contract }) => contract === "JBMultiTerminal")
    .map(call => [`${scenario} ${call.index} ${call.note}`, call] as const)
)

describe("recorded receipts of payments", () => {
  it.each(payments)("%s", (_, call) => {
    const { status, reason } = judgedRecording(call)
    assert.strictEqual(status, "verified", reason)
    const event = call.function.startsWith("pay(") ? "Pay(" : "AddToBalance("
    const own = call.logs.findIndex(log => log.event.startsWith(event) && log.args.projectId === call.args[0])
    assert.strictEqual(judgedRecording(call, rawLogs(call).toSpliced(own, 1)).status, "unknown")
  })
})
