/** Bridges as the deployed suckers were asked for messages, and what they told of them. */
import { assert, describe, it } from "vitest"
import {
  candidateValues,
  type TransportKind
} from "../../src/operations/omnichain/prepare_accounting_sync/TransportValue.ts"
import { judgedRecording } from "./Judged.ts"
import { type Call, recordingOf } from "./Recording.ts"

const FINNEY = 10n ** 15n

const { steps, transactions, startTimestamp } = recordingOf("bridge-sync")

const isCall = (step: (typeof steps)[number]): step is Call => "function" in step

const syncs = steps.filter(isCall).filter(call => call.function === "syncAccountingData()")

/** What a sucker did with the value, where it was asked. */
const took = (kind: TransportKind, value: bigint): boolean | undefined => {
  const sucker = kind === "native" ? "sucker 0" : "sucker 2"
  const asked = syncs.find(call => call.contract.startsWith(sucker) && call.value === value)
  return asked && asked.revert === undefined
}

describe("a message of accounts", () => {
  it.each<[TransportKind, bigint]>([
    ["native", 0n],
    ["ccip", FINNEY]
  ])("by %s is sent with the least of the usual values that its sucker took", (kind, least) => {
    const tried = candidateValues(kind, 50n * FINNEY)
    assert.strictEqual(
      tried.find(value => took(kind, value) === true),
      least
    )
    assert.isTrue(took(kind, least))
  })

  it("takes exactly nothing by the native bridge, and something by CCIP", () => {
    assert.deepStrictEqual(
      [0n, FINNEY, 10n * FINNEY].map(value => took("native", value)),
      [true, false, false]
    )
    assert.deepStrictEqual(
      [0n, FINNEY].map(value => took("ccip", value)),
      [false, true]
    )
    assert.notInclude(candidateValues("ccip", 50n * FINNEY), 0n)
  })

  it("tells its time in the high half", () => {
    const done = transactions.filter(
      ({ function: name, revert }) => name === "syncAccountingData()" && revert === undefined
    )
    assert.strictEqual(done.length, 2)
    for (const call of done) {
      const { status, events = [] } = judgedRecording(call)
      assert.strictEqual(status, "verified")
      assert.strictEqual(Object(events[0]).sourceTime, String(startTimestamp + call.timeOffset))
    }
  })
})

describe("claims", () => {
  it("of which one failed are in doubt, single ones are verified", () => {
    const claims = recordingOf("bridge-claim").transactions.filter(
      ({ function: name, revert }) => name.startsWith("claim(") && revert === undefined
    )
    for (const call of claims) {
      const failed = call.logs.some(({ event }) => event.startsWith("ClaimFailed("))
      assert.strictEqual(judgedRecording(call).status, failed ? "unknown" : "verified", call.note)
    }
    assert.isAtLeast(claims.length, 5)
  })
})
