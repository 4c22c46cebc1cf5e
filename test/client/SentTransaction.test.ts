/** What is said of a transaction that a wallet sent in another form than it was asked to. */
import { parseTransaction, toHex } from "viem"
import { keccak256 } from "viem/utils"
import { assert, it } from "vitest"
import { checkSent } from "../../src/client/SentTransaction.ts"
import { newKey } from "./support/Parties.ts"
import { planRecord } from "./support/PlanRecords.ts"

const key = newKey()
const [planned = assert.fail("no call")] = planRecord().calls
const BEHIND = "it has bytes behind the planned call: if it succeeded, do not send it again"

type Over = Partial<Pick<typeof planned, "to" | "data" | "value">>

const faultsOf = async (call: typeof planned, over: Over) => {
  const { to, data, value } = { ...call, ...over }
  const signed = { chainId: call.chainId, to, data, value: BigInt(value), type: "eip1559" } as const
  const raw = await key.signTransaction({
    ...signed,
    nonce: 1,
    gas: 50_000n,
    maxFeePerGas: 2n,
    maxPriorityFeePerGas: 1n
  })
  const { r, s, yParity } = parseTransaction(raw)
  const told = {
    ...{ type: "0x2", chainId: toHex(call.chainId), nonce: "0x1", gas: toHex(50_000), from: key.address },
    ...{ maxFeePerGas: "0x2", maxPriorityFeePerGas: "0x1", accessList: [], input: data, to },
    ...{ value: toHex(BigInt(value)), r, s, yParity: toHex(yParity ?? assert.fail("no parity")) }
  }
  const check = await checkSent(told, keccak256(raw), call, key.address)
  return check.fits ? assert.fail("it fits") : check.faults
}

it("the planned call with bytes behind it was made, a plain payment with them too", async () => {
  assert.include(await faultsOf(planned, { data: `${planned.data}c0ffee` }), BEHIND)
  assert.include(await faultsOf({ ...planned, data: "0x" }, { data: "0xc0ffee" }), BEHIND)
})

it("the same bytes to another contract, or with another value, are not the call", async () => {
  const data = `${planned.data}c0ffee` as const
  const elsewhere = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
  assert.notInclude(await faultsOf(planned, { data, to: elsewhere }), BEHIND)
  assert.notInclude(await faultsOf(planned, { data, value: "0" }), BEHIND)
})

const WRAPS = "it wraps the planned call: if it succeeded, do not send it again"
const MAKES = "it makes the planned call: if it succeeded, do not send it again"

/** Bytes of this type are not read: what the node tells is all that is known. */
const delegatedFaults = async (over: Readonly<Record<string, string>>) => {
  const { to, data, value, chainId } = planned
  const told = { type: "0x4", from: key.address, to, input: data, value: toHex(BigInt(value)), ...over }
  const check = await checkSent({ chainId: toHex(chainId), ...told }, keccak256("0x"), planned, key.address)
  return check.fits ? assert.fail("it fits") : check.faults
}

it("the planned call in an envelope that delegates the account was made, with bytes behind it too", async () => {
  const DELEGATES = "it delegates the account to a contract (EIP-7702, type 4)"
  assert.deepStrictEqual(await delegatedFaults({}), [DELEGATES, MAKES])
  assert.deepStrictEqual(await delegatedFaults({ input: `${planned.data}c0ffee` }), [DELEGATES, BEHIND])
})

it("the planned call within a batch of a delegated account was made where that succeeded", async () => {
  const batch = { to: key.address, input: `0x34fcd5be${planned.data.slice(2)}` }
  assert.include(await delegatedFaults(batch), WRAPS)
})

it("another call in such an envelope is not said to be the planned one", async () => {
  const elsewhere = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
  for (const over of [{ to: elsewhere }, { from: elsewhere }, { value: "0x0" }, { chainId: "0x7" }])
    assert.notInclude(await delegatedFaults(over), MAKES)
})
