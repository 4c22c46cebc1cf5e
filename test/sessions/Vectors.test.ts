/** The published values of sessions, by the twin and by the guard itself. */

import { Schema } from "effect"
import { Interface } from "ethers"
import { hexToBytes, numberToHex, padHex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import published from "../../schema/vectors/sessions.json" with { type: "json" }
import { revokeCalldata } from "../../src/client/SessionPolicy.ts"
import {
  allocationId,
  compiledHashOf,
  compiledHashSlot,
  historyAfter,
  permissionIdOf,
  policyHash,
  sessionDigest,
  sessionEstimation
} from "../../src/sessions/Compile.ts"
import { installationData } from "../../src/sessions/Enabling.ts"
import { openedEnvelope, sessionEnvelope } from "../../src/sessions/Envelope.ts"
import { decodePolicy, encodePolicy } from "../../src/sessions/Policy.ts"
import { SessionPolicy } from "../../src/sessions/PolicyShape.ts"
import type { Address, Hex } from "../../src/values/Scalars.ts"
import { toHex } from "../../src/values/TypedDataHash.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { ENTRY_POINT, GUARD } from "../smartaccounts/support/Wallets.ts"
import { rpc } from "../support/Rpc.ts"
import { guardAbi } from "./support/Abis.ts"
import { administrationAt, guardSays, validateData } from "./support/Guarded.ts"

const hex = (text: string): Hex => `0x${text.slice(2)}`

const chainId = published.chainId
const guard: Address = hex(published.guard)
const account: Address = hex(published.account)
const place = { chainId, guard, account }
const encoded = hex(published.encodedPolicy)
const permissionId = hex(published.permissionId)
const policy = Schema.decodeUnknownSync(SessionPolicy)(published.policy)
const { enabled, revoked, uninstalled } = published.history

describe("the twin", () => {
  it("encodes the policy and reads it back", () => {
    assert.equal(encodePolicy(policy), encoded)
    assert.deepEqual(decodePolicy(encoded), policy)
    assert.equal(allocationId("tips"), policy.allocations[0]?.id)
  })

  it("knows it by its hashes and its place", () => {
    assert.equal(policyHash(encoded), published.policyHash)
    assert.equal(permissionIdOf(place, policy), permissionId)
    assert.equal(compiledHashOf(place, encoded), published.compiledHash)
    assert.equal(compiledHashSlot(account, permissionId), published.compiledHashSlot)
  })

  it.each([
    ["enable", `0x${"00".repeat(32)}`, enabled],
    ["revoke", enabled.history, revoked],
    ["uninstall", enabled.history, uninstalled]
  ] as const)("appends %s to a history", (action, before, after) => {
    const entry = {
      action,
      permissionId,
      compiledHash: hex(published.compiledHash),
      enableNonce: BigInt(after.enableNonce),
      epoch: BigInt(after.epoch)
    }
    assert.equal(historyAfter(hex(before), entry), after.history)
  })

  it("makes and opens the envelope, and what installs the guard with the policy", () => {
    const signature = hex(published.signature)
    const envelope = hex(published.envelope)
    assert.equal(sessionEnvelope(permissionId, encoded, signature), envelope)
    assert.deepEqual(openedEnvelope(envelope), { permissionId, encoded, signature })
    assert.lengthOf(hexToBytes(envelope), 1_382)
    assert.equal(toHex(sessionDigest(hex(published.operationHash))), published.digest)
    assert.equal(installationData({ expectedEnableNonce: 0n, encoded }), published.calls.installationData)
  })
})

it("is revoked by the owners' own transaction, as another library encodes it", () => {
  const { revokeTransaction } = published
  const revoke = new Interface(["function revoke(bytes32 permissionId)"])
  const data = revoke.encodeFunctionData("revoke", [published.permissionId])
  assert.deepEqual(revokeTransaction, {
    ...{ chainId, wallet: published.account, to: published.guard, value: "0", data, operation: 0 }
  })
  assert.equal(revokeCalldata(permissionId), data)
})

it("has a policy for estimations, and the one word that makes the guard take it", () => {
  const { encodedPolicy, compiledHash } = published.estimation
  assert.deepEqual(sessionEstimation(place, policy), {
    encoded: hex(encodedPolicy),
    stateOverride: { [guard]: { stateDiff: { [hex(published.compiledHashSlot)]: hex(compiledHash) } } }
  })
})

const operation = { ...published.operation, signature: published.envelope }

describe("the guard", () => {
  let sandbox: Sandbox

  const stored = (slot: bigint, value: bigint | Hex) =>
    rpc(sandbox.url, "anvil_setStorageAt", [
      guard,
      numberToHex(slot, { size: 32 }),
      typeof value === "bigint" ? numberToHex(value, { size: 32 }) : padHex(value, { size: 32 })
    ])

  /** As it would be after it took the policy, which no chain can have: nothing has the code that it names. */
  const asEnabled = async () => {
    const state = BigInt(published.compiledHashSlot)
    await stored(state, hex(published.compiledHash))
    const { validAfter, validUntil, sessionKey } = policy
    await stored(state + 1n, 1n | (BigInt(validAfter) << 8n) | (BigInt(validUntil) << 56n))
    await stored(state + 2n, sessionKey)
    const administration = BigInt(
      await rpc(sandbox.url, "web3_sha3", [
        `0x${account.slice(2).padStart(64, "0")}${"01".padStart(64, "0")}`
      ])
    )
    await stored(administration, (1n << 64n) | (1n << 128n))
    await stored(administration + 1n, hex(enabled.history))
    await stored(administration + 2n, permissionId)
  }

  beforeAll(async () => {
    sandbox = await startSandbox()
    await rpc(sandbox.url, "anvil_setCode", [guard, await sandbox.client.getCode({ address: GUARD })])
    await asEnabled()
  })
  afterAll(() => sandbox.stop())

  it("names the permission and the compiled policy", async () => {
    const read = { address: guard, abi: guardAbi } as const
    const { sessionKey, generation, nonce } = policy
    assert.equal(
      await sandbox.client.readContract({
        ...read,
        functionName: "permissionIdOf",
        args: [account, sessionKey, BigInt(generation), nonce]
      }),
      permissionId
    )
    assert.equal(
      await sandbox.client.readContract({
        ...read,
        functionName: "compiledHashOf",
        args: [account, policyHash(encoded)]
      }),
      published.compiledHash
    )
  })

  it("keeps the compiled hash where the twin says", async () => {
    const read = { address: guard, abi: guardAbi, functionName: "stateOf" } as const
    const state = await sandbox.client.readContract({ ...read, args: [permissionId, account] })
    assert.deepInclude(state, {
      compiledHash: hex(published.compiledHash),
      status: 1,
      validAfter: policy.validAfter,
      validUntil: policy.validUntil,
      sessionKey: policy.sessionKey
    })
  })

  it("takes the envelope, but for the code of a token that is none", async () => {
    const packed = {
      ...operation,
      sender: account,
      nonce: hex(operation.nonce),
      callData: hex(operation.callData),
      callGasLimit: hex(operation.callGasLimit),
      verificationGasLimit: hex(operation.verificationGasLimit),
      preVerificationGas: hex(operation.preVerificationGas),
      maxFeePerGas: hex(operation.maxFeePerGas),
      maxPriorityFeePerGas: hex(operation.maxPriorityFeePerGas),
      signature: hex(operation.signature)
    }
    assert.equal(await guardSays(sandbox, account, validateData(packed), guard), "rule 30")
    assert.equal(await guardSays(sandbox, ENTRY_POINT, validateData(packed), guard), "rule 20")
  })

  it("appends the revocation to its history", async () => {
    await rpc(sandbox.url, "anvil_impersonateAccount", [account])
    await rpc(sandbox.url, "anvil_setBalance", [account, "0xde0b6b3a7640000"])
    const { to, data } = published.revokeTransaction
    await sandbox.mined(sandbox.client.sendTransaction({ account, to: hex(to), data: hex(data) }))
    const { history, enableNonce, epoch, live } = await administrationAt(sandbox, account, guard)
    assert.equal(history, revoked.history)
    assert.deepEqual([enableNonce, epoch], [1n, 2n])
    assert.equal(live, `0x${"00".repeat(32)}`)
  })
})
