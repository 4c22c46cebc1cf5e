/** What may be tried by what an operation costs, by who pays for it, by what it calls, and by how it is signed. */
import { type Hex, parseEventLogs } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import hostileToken from "../../sandbox/artifacts/HostileToken.json" with { type: "json" }
import type { SessionPolicy } from "../../src/sessions/PolicyShape.ts"
import type { Address } from "../../src/values/Scalars.ts"
import type { UserOperation } from "../../src/values/UserOperation.ts"
import { executionCalldata } from "../../src/values/WalletExecution.ts"
import { signed, unsponsored } from "../bundler/support/Operations.ts"
import { type Sandbox, startSandbox, stranger } from "../sandbox/support/Sandbox.ts"
import { withCode, YES } from "../smartaccounts/support/Inspections.ts"
import { contracts, ENTRY_POINT, GUARD } from "../smartaccounts/support/Wallets.ts"
import { hostile } from "./support/Abis.ts"
import {
  bundleData,
  carried,
  codeHashAt,
  deployed,
  entryPointSays,
  fundedSession,
  type GuardedSession,
  guardSays,
  newSession,
  newToken,
  nonceOf,
  payCall,
  revokeData,
  sessionOperation,
  signedBySession,
  stateAt,
  succeeded,
  validateData,
  withoutSignature
} from "./support/Guarded.ts"
import { GAS_BUDGET } from "./support/Policies.ts"

let sandbox: Sandbox
let token: Address
let lying: Address

beforeAll(async () => {
  sandbox = await startSandbox()
  token = await newToken(sandbox)
  lying = await deployed(sandbox, hostileToken.bytecode)
})
afterAll(() => sandbox.stop())

const session = (changes: Partial<SessionPolicy> = {}) => fundedSession(sandbox, token, changes)

const saysOf = async (of: GuardedSession, changes: Partial<UserOperation> = {}) =>
  entryPointSays(sandbox, await sessionOperation(sandbox, of, payCall(of), changes))

describe("gas griefing", () => {
  const limit = (value: bigint): Hex => `0x${value.toString(16)}`
  const most = BigInt(GAS_BUDGET.maxGasPerOperation)

  it.each([
    ["more gas in one operation", { callGasLimit: limit(most - 500_000n - 60_000n + 1n) }, 26],
    ["gas before the verification without end", { preVerificationGas: limit(2n ** 128n) }, 26],
    ["a higher fee", { maxFeePerGas: limit(BigInt(GAS_BUDGET.maxFeePerGas) + 1n) }, 26],
    ["a higher priority", { maxPriorityFeePerGas: limit(BigInt(GAS_BUDGET.maxPriorityFeePerGas) + 1n) }, 26]
  ] as const)("%s", async (_, changes, rule) => {
    const own = await session()
    const says = await guardSays(
      sandbox,
      own.account,
      validateData(await sessionOperation(sandbox, own, payCall(own), changes))
    )
    assert.equal(says, `rule ${rule}`)
  })

  it("more gas, or more cost, than all operations may have, whether they succeeded or not", async () => {
    const failing = payCall({ token }, 40n)
    for (const totals of [{ totalGas: "2000000" }, { totalCost: "10000000000000000" }]) {
      const own = await newSession(sandbox, token, { gas: { ...GAS_BUDGET, ...totals } })
      const expensive = { callGasLimit: limit(1_000_000n) }
      assert.isFalse(await succeeded(sandbox, await sessionOperation(sandbox, own, failing, expensive)))
      assert.deepInclude(await stateAt(sandbox, own), { calls: 1, gas: 1_560_000n })
      const changes = { ...expensive, maxFeePerGas: limit(5_000_000_000n) }
      assert.equal(await saysOf(own, changes), "AA23 rule 27")
    }
  })
})

describe("a paymaster", () => {
  const limits = { paymasterVerificationGasLimit: "0x186a0", paymasterPostOpGasLimit: "0x186a0" } as const
  const agreed = async (data: number) => {
    const paymasterCodeHash = await codeHashAt(sandbox, lying)
    return session({
      gas: { ...GAS_BUDGET, paymaster: lying, paymasterCodeHash, paymasterDataLength: data }
    })
  }
  const says = async (own: GuardedSession, changes: Partial<UserOperation>) =>
    guardSays(sandbox, own.account, validateData(await sessionOperation(sandbox, own, payCall(own), changes)))

  it("swapped, longer, shorter, absent or brought to a wallet that pays itself", async () => {
    const own = await agreed(4)
    const paid = { paymaster: lying, paymasterData: "0x11223344", ...limits } as const
    assert.equal(await says(own, paid), "accepted")
    assert.equal(await says(own, { ...paid, paymaster: token }), "rule 25")
    assert.equal(await says(own, { ...paid, paymasterData: "0x1122334455" }), "rule 25")
    assert.equal(await says(own, { ...paid, paymasterData: "0x112233" }), "rule 25")
    assert.equal(await says(own, {}), "rule 25")
    assert.equal(await says(await session(), paid), "rule 25")
  })

  it("replaced by other code", async () => {
    const own = await agreed(0)
    const paid = { paymaster: lying, paymasterData: "0x", ...limits } as const
    assert.equal(await says(own, paid), "accepted")
    await withCode(sandbox, lying, YES, async () => assert.equal(await says(own, paid), "rule 25"))
  })
})

it("target's code replaced", async () => {
  const own = await session()
  await withCode(sandbox, token, YES, async () => assert.equal(await saysOf(own), "AA23 rule 30"))
  assert.equal(await saysOf(own), "accepted")
})

describe("envelopes", () => {
  const ownersSigned = async (own: GuardedSession, nonce: bigint) => {
    const bare = await withoutSignature(sandbox, own, executionCalldata([payCall(own)]))
    return signed({ sandbox }, own.wallet, { ...bare, nonce: `0x${nonce.toString(16)}` })
  }

  it("of owners and of the session exchanged", async () => {
    const own = await session()
    const byOwners = await ownersSigned(own, await nonceOf(sandbox, own.wallet))
    assert.equal(await entryPointSays(sandbox, byOwners), "AA23 rule 21")
    const bare = await withoutSignature(sandbox, own, executionCalldata([payCall(own)]), {
      nonce: (await unsponsored({ sandbox }, own.wallet, [payCall(own)])).nonce
    })
    assert.notEqual(await entryPointSays(sandbox, await signedBySession(own, bare)), "accepted")
    assert.equal(await entryPointSays(sandbox, await ownersSigned(own, 0n)), "accepted")
  })

  it("signed by another key, or in the high half, end as a wrong signature and nothing else", async () => {
    const own = await session()
    const other = privateKeyToAccount(generatePrivateKey())
    const bare = await withoutSignature(sandbox, own, executionCalldata([payCall(own)]))
    assert.equal(await entryPointSays(sandbox, await signedBySession(own, bare, other)), "AA24")
    const { signature } = await signedBySession(own, bare)
    assert.equal(await entryPointSays(sandbox, { ...bare, signature: highHalf(signature) }), "AA24")
    assert.equal(await entryPointSays(sandbox, { ...bare, signature }), "accepted")
  })
})

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The other signature of the same key over the same hash. */
const highHalf = (envelope: Hex): Hex => {
  const s = envelope.slice(-66, -2)
  const other = (ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, "0")
  return `0x${envelope.slice(2, -66)}${other}${envelope.endsWith("1b") ? "1c" : "1b"}`
}

describe("a token", () => {
  const onLying = async () => {
    const own = await newSession(sandbox, lying)
    return {
      own,
      told: (to: Address, data: Hex) =>
        sandbox.mined(
          sandbox.client.sendTransaction({ account: stranger, to: lying, data: hostile.told(to, data) })
        )
    }
  }

  it("that lies is counted as if it had moved what it says", async () => {
    const { own } = await onLying()
    assert.isTrue(await succeeded(sandbox, await sessionOperation(sandbox, own)))
    assert.equal((await stateAt(sandbox, own)).actionSpent[0], 10n)
  })

  it("that calls guard, wallet, adapter and entry point again gets nothing by it", async () => {
    const { own, told } = await onLying()
    const again = validateData(await sessionOperation(sandbox, own))
    const reentries: ReadonlyArray<readonly [Address, Hex]> = [
      [GUARD, again],
      [GUARD, revokeData(own.permissionId)],
      [own.account, executionCalldata([payCall(own)])],
      [contracts.adapter, executionCalldata([payCall(own)])],
      [ENTRY_POINT, bundleData([await sessionOperation(sandbox, own)])]
    ]
    for (const [calls, [to, data]] of reentries.entries()) {
      await told(to, data)
      const { logs } = await carried(sandbox, [await sessionOperation(sandbox, own)])
      const [entry = assert.fail("not called")] = parseEventLogs({
        abi: hostile.abi,
        logs,
        eventName: "HostileToken_Called"
      })
      assert.isFalse(entry.args.success, `${to} ${data}`)
      assert.equal((await stateAt(sandbox, own)).calls, calls + 1)
    }
  })
})
