import { assert, it } from "vitest"
import { policyDifferences } from "../../../src/console/sessions/PolicyDifferences.ts"
import { encodePolicy } from "../../../src/sessions/Policy.ts"
import type { SessionPolicy } from "../../../src/sessions/PolicyShape.ts"
import { PAYEE, policyFor, transferAction, ZERO_HASH } from "../../sessions/support/Policies.ts"

const asked = policyFor(PAYEE, ZERO_HASH, 1_700_000_000)
const [action = assert.fail("no right"), ...moreActions] = asked.actions
const [allocation = assert.fail("no limit"), ...moreAllocations] = asked.allocations
const ONE: `0x${string}` = `0x${"00".repeat(31)}01`
const OTHER: `0x${string}` = "0x00000000000000000000000000000000000000C1"

const withAction = (over: Partial<SessionPolicy["actions"][number]>) => ({
  actions: [{ ...action, ...over }, ...moreActions]
})
const withAllocation = (over: Partial<SessionPolicy["allocations"][number]>) => ({
  allocations: [{ ...allocation, ...over }, ...moreAllocations]
})
const withGas = (over: Partial<SessionPolicy["gas"]>) => ({ gas: { ...asked.gas, ...over } })

/** Each member of a policy with another value. */
const LIES: ReadonlyArray<readonly [Partial<SessionPolicy>, string]> = [
  [{ sessionKey: OTHER }, "The key: "],
  [{ generation: "9" }, "The generation: "],
  [{ nonce: ONE }, "The nonce: "],
  [{ validAfter: 5 }, "The start: 1"],
  [{ validUntil: 6 }, "The end: 1"],
  [{ maximumCalls: 99_999 }, "The number of calls: "],
  [withAction({ target: OTHER }), "Right 1: the contract: "],
  [withAction({ codeHash: ONE }), "Right 1: the contract's code: "],
  [withAction({ selector: "0x00000001" }), "Right 1: the function: "],
  [withAction({ valueMode: 1 }), "Right 1: whether it carries native currency: no "],
  [withAction({ allocation: 7 }), "Right 1: the limit that counts it: 0 "],
  [withAction({ minimumLength: 4 }), "Right 1: the length of its arguments: 68 to 68 "],
  [withAction({ maximumLength: 99 }), "Right 1: the length of its arguments: 68 to 68 "],
  [withAction({ perCall: "41" }), "Right 1: the most of one call: 40 "],
  [withAction({ total: "101" }), "Right 1: the most in all: 100 "],
  [withAction({ rules: [] }), "Right 1: what its arguments are held to: "],
  [withAllocation({ id: ONE }), "Limit 1: its name: "],
  [withAllocation({ asset: OTHER }), "Limit 1: its asset: "],
  [withAllocation({ limit: "123456" }), "Limit 1: how much it is: "],
  [withGas({ paymaster: OTHER }), "Gas: who pays: "],
  [withGas({ paymasterCodeHash: ONE }), "Gas: the payer's code: "],
  [withGas({ paymasterDataLength: 3 }), "Gas: the bytes that the payer is told: 0 "],
  [withGas({ maxGasPerOperation: "1" }), "Gas: the most of one operation: "],
  [withGas({ maxFeePerGas: "1" }), "Gas: the highest price: "],
  [withGas({ maxPriorityFeePerGas: "1" }), "Gas: the highest tip: "],
  [withGas({ totalGas: "1" }), "Gas: the most in all: "],
  [withGas({ totalCost: "1" }), "Gas: the highest cost in all: "]
]

it("names each member of a policy in which the bytes differ from what was asked for, and nothing else", () => {
  assert.deepStrictEqual(policyDifferences(asked, encodePolicy(asked)), [])
  for (const [over, beginning] of LIES) {
    const [only = "", ...others] = policyDifferences(asked, encodePolicy({ ...asked, ...over }))
    assert.isTrue(only.startsWith(beginning), `${beginning}… is told as ${only}`)
    assert.deepStrictEqual(others, [], only)
  }
})

it("tells of rights that were not asked for, and of bytes that are no policy", () => {
  const actions = [...asked.actions, transferAction(OTHER, ONE)]
  const told = policyDifferences(asked, encodePolicy({ ...asked, actions }))
  assert.include(told, "The number of rights: 1 was asked for, and the bytes say 2.")
  assert.include(told, `Right 2: the contract: nothing was asked for, and the bytes say ${OTHER}.`)
  assert.deepStrictEqual(policyDifferences(asked, "0x1234"), [
    "The bytes that would be enabled are no policy of a session."
  ])
})
