/** What a false service may tell of a wallet's operation: refused before any owner is asked to sign. */
import { zeroAddress } from "viem"
import { assert, describe, it } from "vitest"
import type { OperationToCheck } from "../../src/client/CheckUserOperation.ts"
import { commitmentOf, textDigest } from "../../src/client/Commitment.ts"
import { signUserOperation } from "../../src/client/OwnerSigning.ts"
import type { Signer } from "../../src/client/Signer.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import type { SmartAccountCapabilities } from "../../src/smartaccounts/SmartAccount.ts"
import { committedOperationText } from "../../src/useroperations/CommittedOperation.ts"
import type { PublicUserOperation } from "../../src/useroperations/PublicUserOperation.ts"
import { operationHash } from "../../src/values/PackedOperation.ts"
import { safeOperationDigest, safeOperationTypedData } from "../../src/values/SafeOperation.ts"
import type { Address, Bytes32 } from "../../src/values/Scalars.ts"
import { executionCalldata } from "../../src/values/WalletExecution.ts"
import { changed } from "../smartaccounts/support/Inspections.ts"
import { contracts, ENTRY_POINT, walletOwners } from "../smartaccounts/support/Wallets.ts"
import { altered, counting, first, isRefused, OTHER } from "./support/Lies.ts"
import { accountOf } from "./support/Parties.ts"
import { plannedWallet, planRecord } from "./support/PlanRecords.ts"

const owners = walletOwners.map(({ address }) => address)
const account = accountOf(first.address)
const HASH: Bytes32 = `0x${"77".repeat(32)}`
const NOW = 1_800_000_000
const address: Address = "0x78Cc8715095294fe4770323739760993dbCbA466"

const PAYMASTER: Address = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"
const standing = changed({})
const manifest = changed({
  pins: {
    ...standing.pins,
    paymasters: [{ address: PAYMASTER, runtimeCodeHash: HASH, source: "a test" }]
  }
})

describe("a wallet's operation", () => {
  const own = { accountId: account, principalId: `owner:${account}` }
  const smartAccount = {
    ...plannedWallet(address),
    manifestId: manifest.id,
    manifestRevision: manifest.revision
  }
  const capabilities = (by = manifest): SmartAccountCapabilities => ({
    deployments: [
      {
        manifestId: by.id,
        mode: "execution",
        chainId: 31_337,
        revision: by.revision,
        state: "verified",
        checkedAt: NOW * 1000,
        manifest: by
      }
    ],
    accountOwnershipVerification: "safe-current-eoa-owner-threshold",
    sessionDurationsDays: [7, 30],
    walletCreation: "stateless-factory-calldata",
    exclusions: []
  })

  const planned = async ({ revision } = manifest): Promise<Plan> => {
    const { calls } = planRecord()
    const wallet = { ...smartAccount, manifestRevision: revision }
    const plan = planRecord({ account: address, smartAccount: wallet, calls: [...calls, ...calls] })
    return { ...plan, commitment: (await commitmentOf(plan, own)) as Bytes32 }
  }

  type Operation = PublicUserOperation["operation"]

  interface Preparing {
    readonly operation?: Partial<Record<string, unknown>>
    readonly validity?: { readonly validAfter: number; readonly validUntil: number }
    readonly adapter?: Address
    readonly record?: Partial<PublicUserOperation>
  }

  const quantity = (value: number) => `0x${value.toString(16)}` as const

  /** As the service makes it, whatever it is told to make it of. */
  const operationOf = async (plan: Plan, lie: Preparing = {}): Promise<PublicUserOperation> => {
    const [call = assert.fail("no call")] = plan.calls
    const operation = {
      sender: address,
      nonce: "0x0",
      callData: executionCalldata([{ to: call.to, value: BigInt(call.value), data: call.data }]),
      callGasLimit: quantity(100_000),
      verificationGasLimit: quantity(200_000),
      preVerificationGas: quantity(50_000),
      maxFeePerGas: quantity(1_000),
      maxPriorityFeePerGas: quantity(1),
      paymaster: PAYMASTER,
      paymasterVerificationGasLimit: quantity(30_000),
      paymasterPostOpGasLimit: quantity(20_000),
      paymasterData: "0x",
      signature: "0x",
      ...lie.operation
    } as Operation
    const { validAfter, validUntil } = lie.validity ?? { validAfter: NOW - 30, validUntil: NOW + 300 }
    const { chainId = 31_337, entryPoint = ENTRY_POINT } = lie.record ?? {}
    const { adapter = contracts.adapter } = lie
    const adapted = { operation, chainId, entryPoint, validAfter, validUntil, adapter }
    const unsigned: PublicUserOperation = {
      id: "6f0c8a52-0b1c-4f0a-9f53-000000000001",
      planId: plan.id,
      planCommitment: plan.commitment as Bytes32,
      stepIndexes: [0],
      chainId,
      entryPoint,
      operation,
      operationHash: operationHash(operation, { chainId, entryPoint }),
      commitment: HASH,
      bindingId: smartAccount.bindingId,
      stateHash: smartAccount.stateHash,
      gasPolicyId: "paymaster:31337",
      providerId: "bundler:31337",
      maximumCost: "400000000",
      createdAt: NOW * 1000,
      expiresAt: validUntil * 1000,
      revision: 0,
      state: "prepared",
      signing: {
        scheme: "eip712-safe-operation",
        digest: safeOperationDigest(adapted),
        validAfter,
        validUntil,
        threshold: 2,
        owners,
        typedData: safeOperationTypedData(adapted)
      },
      nextAction: { kind: "sign" },
      ...lie.record
    }
    const text = committedOperationText({ ...unsigned, signing: { validAfter, validUntil } }, own)
    return { ...unsigned, commitment: await textDigest(text) }
  }

  const clientOf = (by = manifest): OperationToCheck["client"] => ({
    account,
    principalId: own.principalId,
    clock: { seconds: () => NOW, offsetMillis: 0 },
    smartAccounts: { capabilities: async () => capabilities(by) }
  })

  const signing =
    (plan: Plan, operation: PublicUserOperation, client = clientOf()) =>
    (signer: Signer) =>
      signUserOperation(signer, { client, plan, operation })

  it("is signed where it is its plan's", async () => {
    const plan = await planned()
    const { signer, asked } = counting()
    const { signer: by } = await signing(plan, await operationOf(plan))(signer)
    assert.deepStrictEqual([by, asked()], [first.address, 1])
  })

  it.each([
    ...["planId", "planCommitment", "stepIndexes", "chainId", "entryPoint", "operationHash", "commitment"],
    ...["bindingId", "stateHash", "gasPolicyId", "providerId", "expiresAt"],
    ...["sender", "nonce", "callData", "callGasLimit", "verificationGasLimit", "preVerificationGas"].map(
      name => `operation.${name}`
    ),
    ...["maxFeePerGas", "maxPriorityFeePerGas", "signature", "paymaster", "paymasterData"].map(
      name => `operation.${name}`
    ),
    ...["paymasterVerificationGasLimit", "paymasterPostOpGasLimit"].map(name => `operation.${name}`),
    ...["digest", "validAfter", "validUntil"].map(name => `signing.${name}`),
    ...["chainId", "verifyingContract"].map(name => `signing.typedData.domain.${name}`),
    ...["safe", "nonce", "initCode", "callData", "verificationGasLimit", "callGasLimit", "entryPoint"].map(
      name => `signing.typedData.message.${name}`
    ),
    ...["preVerificationGas", "maxPriorityFeePerGas", "maxFeePerGas", "paymasterAndData"].map(
      name => `signing.typedData.message.${name}`
    ),
    ...["validAfter", "validUntil"].map(name => `signing.typedData.message.${name}`),
    ...["primaryType", "types.SafeOp", "types.EIP712Domain"].map(name => `signing.typedData.${name}`)
  ])("is refused with another %s", async path => {
    const plan = await planned()
    await isRefused(signing(plan, altered(await operationOf(plan), path)))
  })

  const elsewhere = executionCalldata([{ to: OTHER, value: 5n, data: "0x" }])
  const lies: ReadonlyArray<readonly [string, Preparing]> = [
    ["other calls", { operation: { callData: elsewhere } }],
    ["the calls of other steps", { record: { stepIndexes: [0, 1] } }],
    ["steps that the plan has not", { record: { stepIndexes: [2] } }],
    ["a step twice", { record: { stepIndexes: [0, 0] } }],
    ["another wallet", { operation: { sender: OTHER } }],
    ["the nonce of another key", { operation: { nonce: `0x1${"0".repeat(16)}` } }],
    ["another entry point", { record: { entryPoint: OTHER } }],
    ["another chain", { record: { chainId: 1 } }],
    ["another adapter", { adapter: OTHER }],
    ["a paymaster that is not pinned", { operation: { paymaster: OTHER } }],
    ["a signature already", { operation: { signature: "0x00" } }],
    ["more gas than it tells the cost of", { operation: { callGasLimit: quantity(10_000_000) } }],
    ["higher fees than it tells the cost of", { operation: { maxFeePerGas: quantity(1_001) } }],
    ["a lower cost than it has", { record: { maximumCost: "399999999" } }],
    ["more than an hour", { validity: { validAfter: NOW, validUntil: NOW + 3_601 } }],
    ["no end", { validity: { validAfter: 0, validUntil: 0 }, record: { expiresAt: 0 } }],
    ["an end before its beginning", { validity: { validAfter: NOW + 60, validUntil: NOW + 60 } }],
    ["an expiry after its validity", { record: { expiresAt: (NOW + 301) * 1000 } }],
    ["another plan", { record: { planId: "5f0c8a52-0b1c-4f0a-9f53-000000000002" } }],
    ["another plan's commitment", { record: { planCommitment: HASH } }],
    ["another binding", { record: { bindingId: HASH } }],
    ["another state of the wallet", { record: { stateHash: HASH } }]
  ]
  it.each(lies)("is refused with %s, all of it computed anew", async (_, lie) => {
    const plan = await planned()
    await isRefused(signing(plan, await operationOf(plan, lie)))
  })

  it("is refused for a plan that was altered, or is of no wallet", async () => {
    const plan = await planned()
    const operation = await operationOf(plan)
    const calls = plan.calls.map(call => ({ ...call, value: "6" }))
    await isRefused(signing({ ...plan, calls }, operation))
    const { smartAccount: _, ...bare } = plan
    const own_ = { ...bare, commitment: (await commitmentOf(bare, own)) as Bytes32 }
    await isRefused(signing(own_, await operationOf(own_)))
  })

  it("is refused where its service's time is more than a day ahead of this machine's", async () => {
    const plan = await planned()
    const operation = await operationOf(plan)
    const ahead = (seconds: number) => ({
      ...clientOf(),
      clock: { seconds: () => NOW, offsetMillis: seconds * 1000 }
    })
    const { signer } = counting()
    await signing(plan, operation, ahead(86_400))(signer)
    await isRefused(signing(plan, operation, ahead(2 * 86_400)))
  })

  it("is refused under a manifest that is not the plan's", async () => {
    const plan = await planned()
    const operation = await operationOf(plan)
    await isRefused(signing(plan, operation, clientOf(changed({ mode: "ownership-only" }))))
    const forged = { ...manifest, pins: { ...manifest.pins, paymasters: [] } }
    await isRefused(signing(plan, operation, clientOf(forged)))
  })

  it("is refused where it names nobody as paymaster, though a manifest pins nobody", async () => {
    const [pin = assert.fail("no pin")] = manifest.pins.paymasters
    const nobody = changed({ pins: { ...manifest.pins, paymasters: [{ ...pin, address: zeroAddress }] } })
    const plan = await planned(nobody)
    const operation = await operationOf(plan, { operation: { paymaster: zeroAddress } })
    await isRefused(signing(plan, operation, clientOf(nobody)))
  })

  it("is refused where it was committed to for somebody else", async () => {
    const plan = await planned()
    const operation = await operationOf(plan)
    const validity = { validAfter: NOW - 30, validUntil: NOW + 300 }
    const text = committedOperationText({ ...operation, signing: validity }, { ...own, principalId: "bot:1" })
    await isRefused(signing(plan, { ...operation, commitment: await textDigest(text) }))
  })
})
