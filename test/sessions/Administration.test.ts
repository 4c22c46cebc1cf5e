/** What may be tried on a guard by those who administer it, by what it stands on, and around its signatures. */
import { encodeAbiParameters, encodeFunctionData, type Hex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { SessionPolicy } from "../../src/sessions/PolicyShape.ts"
import type { Address } from "../../src/values/Scalars.ts"
import { type Sandbox, startSandbox, stranger } from "../sandbox/support/Sandbox.ts"
import { ownersDo } from "../smartaccounts/support/Inspections.ts"
import { contracts, ENTRY_POINT, GUARD, type Wallet } from "../smartaccounts/support/Wallets.ts"
import { guardAbi, walletAbi } from "./support/Abis.ts"
import {
  administrationAt,
  balanceOf,
  bundleData,
  codeHashAt,
  enableData,
  entryPointSays,
  fundedSession,
  type GuardedSession,
  guardSays,
  newToken,
  nowOf,
  revokeData,
  sessionOf,
  sessionOperation,
  stateAt,
  succeeded,
  toldGuard,
  validateData
} from "./support/Guarded.ts"
import { PAYEE, policyFor, sessionKey } from "./support/Policies.ts"

let sandbox: Sandbox
let token: Address

beforeAll(async () => {
  sandbox = await startSandbox()
  token = await newToken(sandbox)
})
afterAll(() => sandbox.stop())

const session = (changes: Partial<SessionPolicy> = {}) => fundedSession(sandbox, token, changes)

const policyOn = async (target: Address, changes: Partial<SessionPolicy> = {}) =>
  policyFor(target, await codeHashAt(sandbox, target), await nowOf(sandbox), changes)

/** What the guard says when the wallet enables this after the session that it has. */
const enabling = (of: GuardedSession, policy: SessionPolicy, nonce = 0n) =>
  guardSays(sandbox, of.account, enableData(sessionOf(of.wallet, of.token, policy).encoded, nonce))

describe("administering itself", () => {
  it("by a policy whose target is the wallet, the guard, the entry point or the adapter", async () => {
    const own = await session()
    await toldGuard(sandbox, own.wallet, revokeData(own.permissionId))
    for (const target of [own.account, GUARD, ENTRY_POINT, contracts.adapter])
      assert.equal(await enabling(own, await policyOn(target), 1n), "rule 11")
  })

  it("by a call that no policy can allow", async () => {
    const own = await session()
    for (const call of [
      { to: GUARD, value: 0n, data: revokeData(own.permissionId) },
      { to: GUARD, value: 0n, data: enableData(own.encoded) },
      { to: own.account, value: 0n, data: "0x610b5925" },
      { to: ENTRY_POINT, value: 0n, data: bundleData([]) }
    ] as const)
      assert.equal(await entryPointSays(sandbox, await sessionOperation(sandbox, own, call)), "AA23 rule 34")
  })
})

describe("enabling", () => {
  it("twice, again or by a stale plan", async () => {
    const own = await session()
    const next = { ...own.policy, nonce: `0x${"03".repeat(32)}` } as const
    assert.equal(await enabling(own, own.policy), "rule 5")
    assert.equal(await enabling(own, next), "rule 5")
    await toldGuard(sandbox, own.wallet, revokeData(own.permissionId))
    assert.equal(await enabling(own, next, 0n), "rule 4")
    assert.equal(await enabling(own, own.policy, 1n), "rule 14")
    assert.equal(await enabling(own, { ...own.policy, maximumCalls: 1 }, 1n), "rule 14")
    assert.equal(await enabling(own, next, 1n), "accepted")
  })

  it("for another account, or by the key itself", async () => {
    const own = await session()
    for (const other of [sessionKey.address, stranger.address, contracts.adapter, ENTRY_POINT]) {
      assert.equal(await guardSays(sandbox, other, enableData(own.encoded)), "rule 2")
      assert.equal(await guardSays(sandbox, other, revokeData(own.permissionId)), "rule 2")
    }
  })

  it("by a policy with a byte more, or with a member out of its bounds", async () => {
    const own = await session()
    await toldGuard(sandbox, own.wallet, revokeData(own.permissionId))
    const encoded: Hex = `${own.encoded}00`
    assert.equal(await guardSays(sandbox, own.account, enableData(encoded, 1n)), "rule 6")
  })
})

it("ERC-1271 misuse: the guard vouches for no message, whoever signed it", async () => {
  const own = await session()
  const hash: Hex = `0x${"ab".repeat(32)}`
  const signature = await sessionKey.signMessage({ message: { raw: hash } })
  const read = { abi: walletAbi, address: own.account, functionName: "isValidSignature" } as const
  const answer = await sandbox.client
    .readContract({ ...read, args: [hash, `${GUARD}${signature.slice(2)}`] })
    .catch(() => "refused")
  assert.notEqual(answer, "0x1626ba7e")
  const direct = { abi: guardAbi, address: GUARD, functionName: "isValidSignatureWithSender" } as const
  assert.equal(
    await sandbox.client.readContract({ ...direct, args: [own.account, hash, signature] }),
    "0xffffffff"
  )
})

it("revocation against an operation in flight: what comes second is refused", async () => {
  const own = await session()
  const operation = await sessionOperation(sandbox, own)
  assert.equal(await entryPointSays(sandbox, operation), "accepted")
  await toldGuard(sandbox, own.wallet, revokeData(own.permissionId))
  assert.equal(await entryPointSays(sandbox, operation), "AA23 rule 22")
  assert.equal(await balanceOf(sandbox, token, own.account), 1_000n)
  assert.deepInclude(await stateAt(sandbox, own), { status: 2, calls: 0 })
})

describe("uninstall, reinstall", () => {
  const SENTINEL: Address = "0x0000000000000000000000000000000000000001"
  const uninstalled = (wallet: Wallet) => {
    const taken = encodeAbiParameters([{ type: "address" }, { type: "bytes" }], [SENTINEL, "0x"])
    const args = [1n, GUARD, taken] as const
    return ownersDo(
      sandbox,
      wallet,
      encodeFunctionData({ abi: walletAbi, functionName: "uninstallModule", args })
    )
  }
  const installed = (wallet: Wallet, data: Hex) =>
    ownersDo(
      sandbox,
      wallet,
      encodeFunctionData({ abi: walletAbi, functionName: "installModule", args: [1n, GUARD, data] })
    )

  it("revokes what lived, and gives no id back", async () => {
    const own = await session()
    const operation = await sessionOperation(sandbox, own)
    await uninstalled(own.wallet)
    assert.deepInclude(await administrationAt(sandbox, own.account), {
      installed: false,
      enableNonce: 1n,
      epoch: 2n
    })
    assert.notEqual(await entryPointSays(sandbox, operation), "accepted")
    assert.equal(await guardSays(sandbox, own.account, validateData(operation)), "rule 22")
    assert.equal(await enabling(own, own.policy, 1n), "rule 2")
    await installed(own.wallet, "0x")
    assert.equal(await entryPointSays(sandbox, operation), "AA23 rule 22")
    assert.equal(await enabling(own, own.policy, 1n), "rule 14")
  })

  it("may enable at once, by the same rules", async () => {
    const own = await session()
    await uninstalled(own.wallet)
    const policy = { ...own.policy, generation: "2" }
    const next = sessionOf(own.wallet, token, policy)
    const data = encodeAbiParameters([{ type: "uint64" }, { type: "bytes" }], [1n, next.encoded])
    await installed(own.wallet, data)
    const { live, enableNonce, epoch } = await administrationAt(sandbox, own.account)
    assert.deepEqual([live, enableNonce, epoch], [next.permissionId, 1n, 3n])
    assert.isTrue(await succeeded(sandbox, await sessionOperation(sandbox, next)))
    assert.equal((await balanceOf(sandbox, token, PAYEE)) > 0n, true)
  })
})
