/** A bot tips for a week under a session, and beyond each limit the real entry point and guard refuse what its key signed, whoever carries it. */
import type { Hex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { UserOperation } from "../../src/values/UserOperation.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { rpc } from "../support/Rpc.ts"
import {
  balanceOf,
  entryPointSays,
  fundedSession,
  type GuardedSession,
  newToken,
  nowOf,
  payCall,
  sessionOperation,
  stateAt,
  succeeded
} from "./support/Guarded.ts"
import { GAS_BUDGET, LIMITS, PAYEE } from "./support/Policies.ts"

const DAY = 86_400
const DAYS = 7
/** What an operation here may use at most, and at which price. */
const GAS = 760_000n
const FEE = 3_000_000_000n
const CALL_GAS = 200_000n

let sandbox: Sandbox
let token: Hex

beforeAll(async () => {
  sandbox = await startSandbox()
  token = await newToken(sandbox)
})
afterAll(() => sandbox.stop())

const quantity = (value: bigint): Hex => `0x${value.toString(16)}`

const nextBlockAt = (seconds: number) => rpc(sandbox.url, "evm_setNextBlockTimestamp", [seconds])

const blockAt = async (seconds: number) => {
  await nextBlockAt(seconds)
  await rpc(sandbox.url, "evm_mine", [])
  assert.strictEqual(await nowOf(sandbox), seconds)
}

const session = (gas: Partial<typeof GAS_BUDGET> = {}) =>
  fundedSession(sandbox, token, { gas: { ...GAS_BUDGET, ...gas } })

const saysOf = async (own: GuardedSession, changes: Partial<UserOperation> = {}, amount = 1n) =>
  entryPointSays(sandbox, await sessionOperation(sandbox, own, payCall(own, amount), changes))

const tips = async (own: GuardedSession, amount = 1n) =>
  assert.isTrue(await succeeded(sandbox, await sessionOperation(sandbox, own, payCall(own, amount))))

describe("gas beyond a limit", () => {
  it("by one, of an operation", async () => {
    const own = await session({ maxGasPerOperation: String(GAS) })
    assert.strictEqual(await saysOf(own), "accepted")
    assert.strictEqual(await saysOf(own, { callGasLimit: quantity(CALL_GAS + 1n) }), "AA23 rule 26")
  })

  it("by one wei of its price or its tip", async () => {
    const own = await session({ maxFeePerGas: String(FEE), maxPriorityFeePerGas: "1000000000" })
    assert.strictEqual(await saysOf(own), "accepted")
    assert.strictEqual(await saysOf(own, { maxFeePerGas: quantity(FEE + 1n) }), "AA23 rule 26")
    assert.strictEqual(await saysOf(own, { maxPriorityFeePerGas: quantity(1_000_000_001n) }), "AA23 rule 26")
  })

  it.each([
    ["gas", { maxGasPerOperation: String(GAS), totalGas: String(2n * GAS - 1n) }],
    [
      "cost",
      { maxGasPerOperation: String(GAS), maxFeePerGas: String(FEE), totalCost: String(2n * GAS * FEE - 1n) }
    ]
  ])("by one, of all operations' %s", async (_, gas) => {
    const own = await session(gas)
    await tips(own)
    assert.strictEqual(await saysOf(own), "AA23 rule 27")
    assert.strictEqual(await saysOf(own, { callGasLimit: quantity(CALL_GAS - 1n) }), "accepted")
  })
})

/** Its chain is more than a week ahead in the end. */
it("tips every day of a week to its last second, and is refused a unit and a second beyond", {
  timeout: 120_000
}, async () => {
  const begins = (await nowOf(sandbox)) + DAY / 2
  const ends = begins + DAYS * DAY
  const own = await fundedSession(sandbox, token, { validAfter: begins, validUntil: ends })
  const before = await balanceOf(sandbox, token, PAYEE)
  await blockAt(begins - 1)
  assert.strictEqual(await saysOf(own), "AA22")
  await blockAt(begins)
  const each = LIMITS.total / BigInt(DAYS + 1)
  for (let day = 1; day <= DAYS; day++) {
    await tips(own, each)
    await nextBlockAt(begins + day * DAY)
  }
  const last = LIMITS.total - each * BigInt(DAYS) - 1n
  await tips(own, last)
  assert.strictEqual(await nowOf(sandbox), ends)
  assert.strictEqual(await saysOf(own, {}, 2n), "AA23 rule 33")
  assert.strictEqual(await saysOf(own, {}, 1n), "accepted")
  await blockAt(ends + 1)
  assert.strictEqual(await saysOf(own, {}, 1n), "AA22")
  assert.deepInclude(await stateAt(sandbox, own), { status: 1, calls: DAYS + 1 })
  assert.strictEqual((await balanceOf(sandbox, token, PAYEE)) - before, LIMITS.total - 1n)
})
