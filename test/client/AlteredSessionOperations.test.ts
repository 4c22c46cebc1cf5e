/** What a false service may tell of an operation under a session: refused before the session's key signs. */
import { assert, describe, it } from "vitest"
import { commitmentOf, textDigest } from "../../src/client/Commitment.ts"
import { ClientMisuse } from "../../src/client/Errors.ts"
import { signUserOperation } from "../../src/client/OwnerSigning.ts"
import { decodedPolicy, envelopeOfSession, signSessionOperation } from "../../src/client/SessionSigning.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { sessionDigest } from "../../src/sessions/Compile.ts"
import { openedEnvelope, sessionEnvelope } from "../../src/sessions/Envelope.ts"
import { committedOperationText } from "../../src/useroperations/CommittedOperation.ts"
import type { PublicUserOperation } from "../../src/useroperations/PublicUserOperation.ts"
import { operationHash } from "../../src/values/PackedOperation.ts"
import type { Bytes32, Hex } from "../../src/values/Scalars.ts"
import { toHex } from "../../src/values/TypedDataHash.ts"
import { executionCalldata } from "../../src/values/WalletExecution.ts"
import { sessionKey } from "../sessions/support/Policies.ts"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { altered, counting, first, isAltered, OTHER } from "./support/Lies.ts"
import { accountOf } from "./support/Parties.ts"
import { plannedWallet, planRecord } from "./support/PlanRecords.ts"
import { GUARD, policy, sessionClient, sessionManifest, sessionOf, WALLET } from "./support/SessionRecords.ts"

const account = accountOf(first.address)
const session = sessionOf(account)
const client = sessionClient(account)
const HASH: Bytes32 = `0x${"77".repeat(32)}`
const { encodedPolicy: encoded, permissionId } = session.compiled
const own = { accountId: account, principalId: client.principalId }

const planned = async (): Promise<Plan> => {
  const plan = planRecord({
    account: WALLET,
    smartAccount: {
      ...plannedWallet(WALLET),
      ...{ bindingId: session.bindingId as Bytes32, manifestId: sessionManifest.id },
      manifestRevision: sessionManifest.revision
    }
  })
  return { ...plan, commitment: (await commitmentOf(plan, own)) as Bytes32 }
}

interface Lie {
  readonly operation?: Partial<Record<string, unknown>>
  readonly record?: Partial<PublicUserOperation>
  readonly validUntil?: number
}

const quantity = (value: number | bigint) => `0x${value.toString(16)}` as const

const NONCE = BigInt(GUARD) << 96n

/** As the service makes it, whatever it is told to make it of. */
const operationOf = async (plan: Plan, lie: Lie = {}): Promise<PublicUserOperation> => {
  const [call = assert.fail("no call")] = plan.calls
  const operation = {
    ...{ sender: WALLET, nonce: quantity(NONCE), signature: "0x" },
    callData: executionCalldata([{ to: call.to, value: BigInt(call.value), data: call.data }]),
    ...{ callGasLimit: quantity(100_000), verificationGasLimit: quantity(300_000) },
    ...{ preVerificationGas: quantity(50_000), maxFeePerGas: quantity(5_000) },
    maxPriorityFeePerGas: quantity(2_000),
    ...lie.operation
  } as PublicUserOperation["operation"]
  const place = { chainId: 31_337, entryPoint: ENTRY_POINT }
  const hash = operationHash(operation, place)
  const { id, generation, grantId, validAfter, validUntil, compiled } = session
  const unsigned: PublicUserOperation = {
    ...{ id: "6f0c8a52-0b1c-4f0a-9f53-000000000001", planId: plan.id, stepIndexes: [0], ...place },
    ...{ planCommitment: plan.commitment as Bytes32, operation, operationHash: hash, commitment: HASH },
    ...{ bindingId: session.bindingId as Bytes32, stateHash: plannedWallet(WALLET).stateHash },
    session: {
      ...{ id, compiledHash: compiled.compiledHash, generation, grantId, permissionId },
      sessionKey: sessionKey.address
    },
    ...{ gasPolicyId: "self-funded", providerId: "bundler:31337", maximumCost: "2250000000" },
    ...{ createdAt: validAfter * 1000, expiresAt: (validAfter + 300) * 1000, revision: 0, state: "prepared" },
    signing: {
      ...{ scheme: "eip191-session-operation", operationHash: hash, digest: toHex(sessionDigest(hash)) },
      ...{ message: { raw: hash }, permissionId },
      signaturePrefix: sessionEnvelope(permissionId, encoded, "0x")
    },
    nextAction: { kind: "sign" },
    ...lie.record
  }
  const signing = { validAfter, validUntil: lie.validUntil ?? validUntil }
  const text = committedOperationText({ ...unsigned, signing }, own)
  return { ...unsigned, commitment: await textDigest(text) }
}

const countingKey = (address: string = sessionKey.address) => {
  let asked = 0
  const key = {
    address,
    signMessage: async (text: { readonly message: { readonly raw: Hex } }) => {
      asked += 1
      return sessionKey.signMessage(text)
    }
  }
  return { key, asked: () => asked }
}

const isRefused = async (plan: Plan, operation: PublicUserOperation, of = session) => {
  const { key, asked } = countingKey()
  await isAltered(signSessionOperation(key, { client, plan, operation, session: of }))
  assert.strictEqual(asked(), 0)
}

describe("an operation under a session", () => {
  it("is signed where it is its plan's and the session's, as the envelope that the guard takes", async () => {
    const plan = await planned()
    const operation = await operationOf(plan)
    const { key, asked } = countingKey()
    const envelope = await signSessionOperation(key, { client, plan, operation, session })
    assert.strictEqual(asked(), 1)
    const signature = await sessionKey.signMessage({ message: { raw: operation.operationHash } })
    assert.deepStrictEqual(openedEnvelope(envelope), { permissionId, encoded, signature })
    assert.strictEqual(envelopeOfSession(session, signature), envelope)
    assert.deepStrictEqual(decodedPolicy(encoded), policy)
    assert.isUndefined(decodedPolicy(`${encoded}00`))
  })

  it("is signed by no other key, and by no owner", async () => {
    const plan = await planned()
    const operation = await operationOf(plan)
    const { key, asked } = countingKey(OTHER)
    const failure = await signSessionOperation(key, { client, plan, operation, session }).catch(
      (caught: unknown) => caught
    )
    assert.instanceOf(failure, ClientMisuse)
    const { signer, asked: ofOwner } = counting()
    await isAltered(signUserOperation(signer, { client, plan, operation }))
    assert.deepStrictEqual([asked(), ofOwner()], [0, 0])
  })

  it.each([
    ...["planId", "stepIndexes", "chainId", "entryPoint", "operationHash", "commitment", "bindingId"],
    ...["stateHash", "gasPolicyId", "providerId", "expiresAt"],
    ...["sender", "nonce", "callData", "callGasLimit", "maxFeePerGas", "signature"].map(
      name => `operation.${name}`
    ),
    ...["id", "compiledHash", "generation", "grantId", "permissionId", "sessionKey"].map(
      name => `session.${name}`
    ),
    ...["scheme", "operationHash", "digest", "message.raw", "permissionId", "signaturePrefix"].map(
      name => `signing.${name}`
    )
  ])("is refused with another %s", async path => {
    const plan = await planned()
    await isRefused(plan, altered(await operationOf(plan), path))
  })

  const elsewhere = executionCalldata([{ to: OTHER, value: 5n, data: "0x" }])
  const { session: named, ...ofOwners } = { session: undefined }
  const lies: ReadonlyArray<readonly [string, Lie]> = [
    ["other calls", { operation: { callData: elsewhere } }],
    ["the owners' nonce", { operation: { nonce: "0x0" } }],
    ["another validator's nonce", { operation: { nonce: quantity(BigInt(OTHER) << 96n) } }],
    ["another lane", { operation: { nonce: quantity(NONCE + (1n << 64n)) } }],
    ["more gas than one operation may use", { operation: { callGasLimit: quantity(1_650_001) } }],
    ["a higher price", { operation: { maxFeePerGas: quantity(5_001) } }],
    ["a higher tip", { operation: { maxPriorityFeePerGas: quantity(2_001) } }],
    ["a signature already", { operation: { signature: "0x00" } }],
    ["a lower cost than it has", { record: { maximumCost: "1" } }],
    ["no session", { record: { ...ofOwners, session: named } as never }],
    ["an expiry after the session's", { record: { expiresAt: session.validUntil * 1000 + 1 } }],
    ["other times committed to", { validUntil: session.validUntil + 1 }]
  ]
  it.each(lies)("is refused with %s, all of it computed anew", async (_, lie) => {
    const plan = await planned()
    const maximumCost = "100000000000"
    await isRefused(plan, await operationOf(plan, { ...lie, record: { maximumCost, ...lie.record } }))
  })

  it("is refused under a session that is not what it tells, or for a plan that was altered", async () => {
    const plan = await planned()
    const operation = await operationOf(plan)
    await isRefused(plan, operation, { ...session, maximumCalls: 21 })
    await isRefused({ ...plan, calls: plan.calls.map(call => ({ ...call, value: "6" })) }, operation)
  })
})
