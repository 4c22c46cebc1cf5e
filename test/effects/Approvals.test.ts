import { Effect, Either } from "effect"
import { assert, describe, it } from "vitest"
import type { CallOutcome, CallRequest } from "../../src/chain/ChainClient.ts"
import { encodeCall } from "../../src/protocol/EncodeCall.ts"
import { TOKEN } from "./support/ContractIds.ts"
import { approval, approve } from "./support/PermissionScenarios.ts"
import {
  ACCOUNT,
  abiOf,
  BENEFICIARY,
  deployment,
  judged,
  logOf,
  logsOf,
  OTHER,
  topicOf,
  unreadable
} from "./support/Receipts.ts"

const returned = (value: bigint): CallOutcome => ({
  _tag: "Returned",
  data: `0x${value.toString(16).padStart(64, "0")}`
})

const answering = (outcome: CallOutcome) => {
  const asked: Array<CallRequest> = []
  const read = (request: CallRequest) => {
    asked.push(request)
    return Effect.succeed(outcome)
  }
  return { asked, read }
}

const abi = abiOf(deployment(TOKEN).abiHash)

const judgedBy = (outcome: CallOutcome) => judged(approve.call, [], { read: answering(outcome).read })

describe("an approval that no event tells of", () => {
  it("is verified by the very allowance at the end of its block, and no event is invented", () => {
    const { asked, read } = answering(returned(1000n))
    assert.deepStrictEqual(judged(approve.call, [], { read }), {
      status: "verified",
      verifier: "approve",
      events: [],
      reason: "no event tells of it, but at the end of its block allowance(address,address) is 1000"
    })
    const { data } = Either.getOrThrow(encodeCall(abi, "allowance(address,address)", [ACCOUNT, BENEFICIARY]))
    assert.deepStrictEqual(asked, [{ to: approve.call.to, data }])
  })

  it.each<[string, CallOutcome]>([
    ["less, as where another transaction of the block has spent of it", returned(999n)],
    ["more", returned(1001n)],
    ["nothing, as of no contract", { _tag: "Returned", data: "0x" }],
    ["two words", { _tag: "Returned", data: `0x${"0".repeat(61)}3e8${"0".repeat(64)}` }],
    ["a revert", { _tag: "Reverted", data: "0x" }],
    ["a block that the node has no state of", { _tag: "Refused", code: -32_000 }]
  ])("is in doubt where the token answers %s", (_, outcome) => {
    assert.strictEqual(judgedBy(outcome).status, "unknown")
  })

  it("keeps what the same receipt was judged to be while its block cannot be read", () => {
    const before = judgedBy(returned(1000n))
    const refused = answering({ _tag: "Refused", code: -32_000 }).read
    for (const read of [refused, unreadable]) {
      assert.deepStrictEqual(judged(approve.call, [], { read, before }), before)
      assert.strictEqual(judged(approve.call, [], { read }).status, "unknown")
    }
    const changed = answering(returned(999n)).read
    assert.strictEqual(judged(approve.call, [], { read: changed, before }).status, "unknown")
  })

  it("is asked of nothing where the token told of any approval", () => {
    const read = () => assert.fail("was asked")
    const [told] = logsOf([approval("999")])
    const unindexed = { ...logOf(approval("1000")), topics: [topicOf(abi, "Approval")] }
    const another = logOf({ ...approval("1000"), fields: { ...approval("1000").fields, owner: OTHER } })
    const others = [
      [told, "unknown"],
      [unindexed, "unknown"],
      [another, "unknown"]
    ] as const
    for (const [log, status] of others)
      assert.strictEqual(judged(approve.call, log === undefined ? [] : [log], { read }).status, status)
  })
})
