/** What somebody with a session's key, or without, may try on the real entry point, wallet and adapter. */
import { concatHex, type Hex, numberToHex, toFunctionSelector } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { compiledHashSlot } from "../../src/sessions/Compile.ts"
import type { UserOperation } from "../../src/values/UserOperation.ts"
import { executionCalldata, type WalletCall } from "../../src/values/WalletExecution.ts"
import { owner, type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { withCode } from "../smartaccounts/support/Inspections.ts"
import { contracts, ENTRY_POINT, GUARD } from "../smartaccounts/support/Wallets.ts"
import {
  balanceOf,
  entryPointSays,
  fundedSession,
  type GuardedSession,
  guardSays,
  newToken,
  payCall,
  sessionNonceKey,
  sessionOperation,
  signedBySession,
  stateAt,
  succeeded,
  validateData,
  withoutSignature
} from "./support/Guarded.ts"
import { LIMITS, PAYEE, sessionKey, transfer } from "./support/Policies.ts"

let sandbox: Sandbox
let token: Hex

beforeAll(async () => {
  sandbox = await startSandbox()
  token = await newToken(sandbox)
})
afterAll(() => sandbox.stop())

const session = (changes: Parameters<typeof fundedSession>[2] = {}) => fundedSession(sandbox, token, changes)

/** Of calldata that the key signed like any other. */
const saysOf = async (of: GuardedSession, callData: Hex, changes: Partial<UserOperation> = {}) =>
  entryPointSays(sandbox, await signedBySession(of, await withoutSignature(sandbox, of, callData, changes)))

const flipped = (data: Hex, at: number): Hex => {
  const digit = Number.parseInt(data.charAt(at), 16) ^ 1
  return `0x${data.slice(2, at)}${digit.toString(16)}${data.slice(at + 1)}`
}

describe("a session", () => {
  it("makes its calls, each counted, and no other", async () => {
    const own = await session()
    const before = await balanceOf(sandbox, token, PAYEE)
    assert.isTrue(await succeeded(sandbox, await sessionOperation(sandbox, own)))
    assert.isTrue(await succeeded(sandbox, await sessionOperation(sandbox, own, payCall(own, 40n))))
    assert.equal((await balanceOf(sandbox, token, PAYEE)) - before, 50n)
    const state = await stateAt(sandbox, own)
    assert.deepInclude(state, { status: 1, calls: 2, gas: 1_520_000n, cost: 4_560_000_000_000_000n })
    assert.deepEqual([state.actionSpent[0], state.allocationSpent[0]], [50n, 50n])
  })
})

describe("replay", () => {
  it("of an operation already executed", async () => {
    const own = await session()
    const operation = await sessionOperation(sandbox, own)
    assert.isTrue(await succeeded(sandbox, operation))
    assert.equal(await entryPointSays(sandbox, operation), "AA25")
  })

  it("on another wallet, whose owners enabled the same policy", async () => {
    const own = await session()
    const { validAfter, validUntil } = own.policy
    const other = await session({ validAfter, validUntil })
    assert.equal(other.encoded, own.encoded)
    const operation = await sessionOperation(sandbox, own)
    assert.equal(await entryPointSays(sandbox, { ...operation, sender: other.account }), "AA23 rule 22")
    const moved = await signedBySession(
      other,
      await withoutSignature(sandbox, own, executionCalldata([payCall(own)]))
    )
    assert.equal(await entryPointSays(sandbox, { ...moved, sender: other.account }), "AA24")
  })

  it("of a signature on another wallet of the same key and another permission", async () => {
    const [own, other] = [await session(), await session()]
    const bare = await withoutSignature(sandbox, own, executionCalldata([payCall(own)]))
    const { signature } = await signedBySession(other, bare)
    assert.equal(await entryPointSays(sandbox, { ...bare, sender: other.account, signature }), "AA24")
  })

  it("on another chain: the signed hash and the compiled hash name the chain", async () => {
    const own = await session()
    const operation = await sessionOperation(sandbox, own)
    await sandbox.client.transport.request({ method: "anvil_setChainId", params: [31_338] })
    try {
      assert.equal(await guardSays(sandbox, own.account, validateData(operation)), "rule 23")
    } finally {
      await sandbox.client.transport.request({ method: "anvil_setChainId", params: [31_337] })
    }
  })

  it("on another guard that has the first one's storage", async () => {
    const own = await session()
    const data = validateData(await sessionOperation(sandbox, own))
    const other = "0x00000000000000000000000000000000000000f7"
    const slot = BigInt(compiledHashSlot(own.account, own.permissionId))
    await withCode(sandbox, other, (await sandbox.client.getCode({ address: GUARD })) ?? "0x", async () => {
      assert.equal(await guardSays(sandbox, own.account, data, other), "rule 22")
      for (const index of [slot, slot + 1n]) {
        const at = numberToHex(index, { size: 32 })
        const value = (await sandbox.client.getStorageAt({ address: GUARD, slot: at })) ?? "0x"
        await sandbox.client.setStorageAt({ address: other, index: at, value })
      }
      assert.equal(await guardSays(sandbox, own.account, data, other), "rule 23")
    })
  })

  it.each([1n, 2n ** 32n - 1n])("in lane %d", async lane => {
    const own = await session()
    const nonce: Hex = `0x${(sessionNonceKey(GUARD, lane) << 64n).toString(16)}`
    assert.equal(await saysOf(own, executionCalldata([payCall(own)]), { nonce }), "AA23 rule 24")
  })
})

it("burning another's counters: only the sender of an operation may have it validated", async () => {
  const own = await session()
  const data = validateData(await sessionOperation(sandbox, own))
  assert.equal(await guardSays(sandbox, own.account, data), "accepted")
  for (const other of [owner.address, ENTRY_POINT, contracts.adapter, sessionKey.address])
    assert.equal(await guardSays(sandbox, other, data), "rule 20")
  assert.equal((await stateAt(sandbox, own)).calls, 0)
})

describe("another form of execution", () => {
  const MODE = 10
  const inMode = (callData: Hex, mode: string): Hex =>
    `0x${callData.slice(2, MODE)}${mode.padEnd(64, "0")}${callData.slice(MODE + 64)}`

  it.each([
    ["batch", "01"],
    ["try", "0001"],
    ["batch that tries", "0101"],
    ["static call", "fe"],
    ["delegatecall", "ff"],
    ["delegatecall that tries", "ff01"],
    ["default with a mode selector", "0000000000005a"],
    ["default with a payload", `${"00".repeat(31)}01`]
  ])("%s", async (_, mode) => {
    const own = await session()
    const callData = inMode(executionCalldata([payCall(own)]), mode)
    assert.equal(await saysOf(own, callData), "AA23 rule 29")
  })

  it("a real batch of two allowed calls", async () => {
    const own = await session()
    assert.equal(await saysOf(own, executionCalldata([payCall(own), payCall(own)])), "AA23 rule 29")
  })

  it("executeUserOp", async () => {
    const own = await session()
    const callData = concatHex(["0x8dd7712f", executionCalldata([payCall(own)])])
    assert.equal(await saysOf(own, callData), "AA23 rule 29")
  })

  it.each(["executeFromExecutor(bytes32,bytes)", "installModule(uint256,address,bytes)", "setup()"])(
    "%s of the wallet itself",
    async signature => {
      const own = await session()
      const callData: Hex = `${toFunctionSelector(signature)}${executionCalldata([payCall(own)]).slice(10)}`
      assert.equal(await saysOf(own, callData), "AA23 rule 29")
    }
  )

  it("relocated, dirty and extra tails", async () => {
    const own = await session()
    const plain = executionCalldata([payCall(own)])
    const offset = 10 + 64
    const relocated: Hex = `0x${plain.slice(2, offset)}${"60".padStart(64, "0")}${"00".repeat(32)}${plain.slice(offset + 64)}`
    const dirty = flipped(plain, plain.length - 1)
    for (const callData of [
      relocated,
      dirty,
      concatHex([plain, "0x00"]),
      concatHex([plain, `0x${"00".repeat(32)}`])
    ])
      assert.equal(await saysOf(own, callData), "AA23 rule 29")
    assert.equal(await saysOf(own, `0x${plain.slice(2, -2)}`), "AA23 rule 29")
  })
})

const PAID = transfer(PAYEE, 1n)

const OTHERS: ReadonlyArray<readonly [name: string, change: Partial<WalletCall>, rule: number]> = [
  ["selector", { data: `0x095ea7b3${PAID.slice(10)}` }, 34],
  ["target", { to: PAYEE }, 34],
  ["selector of two bytes", { data: "0xa905" }, 34],
  ["length, shorter", { data: `0x${PAID.slice(2, -2)}` }, 30],
  ["length, longer", { data: `${PAID}00` }, 30],
  ["word", { data: transfer("0x00000000000000000000000000000000000000b1", 1n) }, 31],
  ["word with dirty upper bytes", { data: `0xa9059cbb01${PAID.slice(12)}` }, 31],
  ["value", { value: 1n }, 32],
  ["amount of one call", { data: transfer(PAYEE, LIMITS.perCall + 1n) }, 33]
]

describe("another call", () => {
  it.each(OTHERS)("%s", async (_, change, rule) => {
    const own = await session()
    assert.equal(await saysOf(own, executionCalldata([{ ...payCall(own), ...change }])), `AA23 rule ${rule}`)
  })

  it("amount of all calls", async () => {
    const own = await session()
    for (const amount of [40n, 40n])
      assert.isTrue(await succeeded(sandbox, await sessionOperation(sandbox, own, payCall(own, amount))))
    assert.equal(await saysOf(own, executionCalldata([payCall(own, 21n)])), "AA23 rule 33")
    assert.equal(await saysOf(own, executionCalldata([payCall(own, 20n)])), "accepted")
  })

  it("of more calls than allowed", async () => {
    const own = await session({ maximumCalls: 1 })
    assert.isTrue(await succeeded(sandbox, await sessionOperation(sandbox, own)))
    assert.equal(await saysOf(own, executionCalldata([payCall(own)])), "AA23 rule 28")
  })
})
