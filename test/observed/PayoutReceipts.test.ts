import { assert, describe, it } from "vitest"
import { judgedRecording, rawLogs } from "./Judged.ts"
import { type Call, PAYOUTS, recordingOf } from "./Recording.ts"

const CASH_OUTS = ["cash-out-tax", "cash-out-no-tax", "cash-out-usdc"]

const calling = (scenarios: ReadonlyArray<string>, name: string) =>
  scenarios.flatMap(scenario =>
    recordingOf(scenario)
      .transactions.filter(call => call.revert === undefined && call.function.startsWith(`${name}(`))
      .map(call => ({ title: `${scenario} ${call.index} ${call.note}`, call }))
  )

const has = ({ logs }: Call, event: string) => logs.some(log => log.event.startsWith(`${event}(`))

const cameBack = (call: Call) => has(call, "PayoutReverted") || has(call, "PayoutTransferReverted")

const shown = (call: Call, event: string) =>
  judgedRecording(call).events?.filter(each => Object(each).event === event)

/** The logs that a proof rests on: its own contract's, of the events it names. */
const without = (call: Call, event: string) => {
  const at = call.logs.findIndex(log => log.event.startsWith(`${event}(`))
  return rawLogs(call).toSpliced(at, 1)
}

describe("recorded payouts", () => {
  const sent = calling(PAYOUTS, "sendPayoutsOf")

  it.each(sent)("$title", ({ call }) => {
    const { status, reason } = judgedRecording(call)
    if (!has(call, "SendPayouts"))
      return assert.deepEqual([status, reason], ["unknown", "no SendPayouts event is about this call"])
    if (cameBack(call))
      return assert.deepEqual([status, reason], ["unknown", "a payout came back to the project"])
    assert.deepEqual([status, reason], ["verified", undefined])
  })

  it("that came back are in doubt even where the log that says so is missing, but for the owner's part", () => {
    const reverted = sent.filter(({ call }) => has(call, "PayoutReverted"))
    assert.isAbove(reverted.length, 5)
    for (const { call } of reverted)
      assert.equal(judgedRecording(call, without(call, "PayoutReverted")).status, "unknown", call.note)
  })

  it("are in doubt where a part is missing", () => {
    const whole = sent.filter(({ call }) => has(call, "SendPayoutToSplit") && !cameBack(call))
    assert.isAbove(whole.length, 20)
    for (const { call } of whole) {
      const paysNothing =
        call.logs.find(log => log.event.startsWith("SendPayoutToSplit("))?.args.netAmount === "0"
      const { status } = judgedRecording(call, without(call, "SendPayoutToSplit"))
      assert.equal(status, paysNothing ? "verified" : "unknown", call.note)
      assert.equal(judgedRecording(call, without(call, "SendPayouts")).status, "unknown")
    }
  })

  it("show a fee that was held, by what owes it, and one that came back", () => {
    const held = sent.filter(({ call }) => has(call, "HoldFee"))
    const kept = sent.filter(({ call }) => has(call, "FeeReverted") && !cameBack(call))
    assert.deepEqual([held.length, kept.length], [3, 2])
    for (const { call } of held) {
      const [fee] = shown(call, "HoldFee") ?? []
      const log = call.logs.find(({ event }) => event.startsWith("HoldFee("))
      assert.deepEqual(fee, { event: "HoldFee", token: log?.args.token, amount: log?.args.amount })
    }
    for (const { call } of kept) assert.lengthOf(shown(call, "FeeReverted") ?? [], 1)
  })
})

describe("recorded allowances", () => {
  it.each(calling(["surplus-allowance", "payout-held-fees"], "useAllowanceOf"))("$title", ({ call }) => {
    assert.equal(judgedRecording(call).status, "verified")
    assert.equal(judgedRecording(call, without(call, "UseAllowance")).status, "unknown")
  })
})

describe("recorded cash-outs", () => {
  it.each(calling(CASH_OUTS, "cashOutTokensOf"))("$title", ({ call }) => {
    assert.equal(judgedRecording(call).status, "verified")
    assert.equal(judgedRecording(call, without(call, "CashOutTokens")).status, "unknown")
  })
})
