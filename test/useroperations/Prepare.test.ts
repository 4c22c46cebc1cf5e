/** What is prepared for a wallet's plan, by the real bundler's estimate, and what the chain's own entry point makes of it. */
import { createHash } from "node:crypto"
import { Redacted } from "effect"
import { type Hex, hashTypedData } from "viem"
import { getUserOperationHash } from "viem/account-abstraction"
import { afterAll, assert, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { committedOperationText } from "../../src/useroperations/CommittedOperation.ts"
import { ownerEnvelope } from "../../src/values/OwnerEnvelope.ts"
import { maximumCostOf } from "../../src/values/PackedOperation.ts"
import type { UserOperation } from "../../src/values/UserOperation.ts"
import { executionCalldata } from "../../src/values/WalletExecution.ts"
import { asked, bundlerClient } from "../bundler/support/Bundler.ts"
import { contracts, ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { payment } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import type { ProxyFault } from "../support/RecordingProxy.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { testSettings } from "../support/Settings.ts"
import {
  askOperation,
  type BoundTestWallet,
  boundWallet,
  type OwnersOperation,
  startOperatingBench,
  walletPlan
} from "./support/Operating.ts"

const bench = await startOperatingBench()
const { service, sandbox, bundler, bundling } = bench
afterAll(() => bench.stop())

const CHAIN_ID = 31_337
const prepared = async (
  { owner }: BoundTestWallet,
  plan: Plan,
  stepIndexes = [0],
  by = service
): Promise<OwnersOperation> => {
  const answer = await askOperation(by, owner, { planId: plan.id, stepIndexes })
  const operation = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(operation))
  return operation
}

const signed = async (
  { owners }: BoundTestWallet,
  { signing, operation }: OwnersOperation
): Promise<UserOperation> => {
  const signers = owners.slice(0, signing.threshold)
  const parts = await Promise.all(
    signers.map(async each => ({
      signer: each.address,
      signature: await each.sign({ hash: signing.digest })
    }))
  )
  return { ...operation, signature: ownerEnvelope(signing, parts) }
}

/** By the real bundler, which the service has nothing to do with here. */
const executed = async (bound: BoundTestWallet, operation: OwnersOperation) => {
  const carried = await signed(bound, operation)
  const answer = await asked(bundler.url, "eth_sendUserOperation", [carried, ENTRY_POINT])
  assert.strictEqual(answer.result, operation.operationHash, JSON.stringify(answer.error))
  return bundlerClient({ sandbox, bundler }).waitForUserOperationReceipt({ hash: operation.operationHash })
}

const ofNewWallet = async () => {
  const bound = await boundWallet(bench)
  return prepared(bound, await walletPlan(bench, bound))
}

describe("a prepared operation", () => {
  it("is executed by the chain's own entry point once its owners signed it", async () => {
    const bound = await boundWallet(bench)
    const plan = await walletPlan(bench, bound)
    const operation = await prepared(bound, plan)
    const { success, actualGasCost } = await executed(bound, operation)
    assert.isTrue(success)
    assert.isAtMost(Number(actualGasCost), Number(operation.maximumCost))
  })

  it("says what is executed, for which wallet in which state, at what cost and until when", async () => {
    const bound = await boundWallet(bench)
    const plan = await walletPlan(bench, bound)
    const { smartAccount = assert.fail("no wallet") } = plan
    const [{ to, value, data } = assert.fail("no call")] = plan.calls
    const told = await prepared(bound, plan)
    const { operation, signing, createdAt, expiresAt, id: _, ...rest } = told
    const { operationHash, commitment, maximumCost, ...others } = rest
    assert.deepStrictEqual(others, {
      planId: plan.id,
      planCommitment: plan.commitment,
      stepIndexes: [0],
      chainId: CHAIN_ID,
      entryPoint: ENTRY_POINT,
      bindingId: smartAccount.bindingId,
      stateHash: smartAccount.stateHash,
      gasPolicyId: "self-funded",
      providerId: `bundler:${CHAIN_ID}`,
      revision: plan.revision,
      state: "prepared",
      nextAction: { kind: "sign" }
    })
    assert.strictEqual(operation.sender, bound.wallet.address)
    assert.deepStrictEqual([operation.nonce, operation.signature], ["0x0", "0x"])
    assert.strictEqual(operation.callData, executionCalldata([{ to, value: BigInt(value), data }]))
    assert.strictEqual(maximumCost, String(maximumCostOf(operation)))
    assert.strictEqual(expiresAt, (signing.validUntil - 40) * 1000)
    assert.isAtMost(expiresAt, Math.min(plan.expiresAt, createdAt + 300_000))
    assert.strictEqual(signing.threshold, bound.wallet.threshold)
    assert.sameMembers(
      [...signing.owners],
      bound.owners.map(({ address }) => address)
    )
    const { accountId } = bound.owner
    const text = committedOperationText(told, {
      accountId,
      principalId: `owner:${accountId}`
    })
    assert.strictEqual(commitment, `0x${createHash("sha256").update(text).digest("hex")}`)
    const known = await rpc(bench.chain.url, "eth_getBlockByNumber", ["latest", false])
    assert.isAtMost(signing.validAfter, Number(known.timestamp) - 30)
    assert.match(operationHash, /^0x[0-9a-f]{64}$/)
  })

  it("has the hash and the digest that another library computes", async () => {
    const { operation, operationHash, signing } = await ofNewWallet()
    const { nonce, callGasLimit, verificationGasLimit, preVerificationGas, ...fees } = operation
    const hash = getUserOperationHash({
      chainId: CHAIN_ID,
      entryPointAddress: ENTRY_POINT,
      entryPointVersion: "0.7",
      userOperation: {
        sender: operation.sender,
        callData: operation.callData,
        signature: "0x",
        nonce: BigInt(nonce),
        callGasLimit: BigInt(callGasLimit),
        verificationGasLimit: BigInt(verificationGasLimit),
        preVerificationGas: BigInt(preVerificationGas),
        maxFeePerGas: BigInt(fees.maxFeePerGas),
        maxPriorityFeePerGas: BigInt(fees.maxPriorityFeePerGas)
      }
    })
    assert.strictEqual(operationHash, hash)
    const { typedData, digest, validAfter, validUntil } = signing
    const SafeOp = [...typedData.types.SafeOp]
    const { domain, message } = typedData
    assert.strictEqual(hashTypedData({ types: { SafeOp }, primaryType: "SafeOp", domain, message }), digest)
    assert.strictEqual(typedData.domain.verifyingContract, contracts.adapter)
    assert.deepInclude(typedData.message, { validAfter, validUntil, entryPoint: ENTRY_POINT })
  })

  it("is another one than whatever was prepared of the same steps before", async () => {
    const bound = await boundWallet(bench)
    const plan = await walletPlan(bench, bound)
    const [one, other] = [await prepared(bound, plan), await prepared(bound, plan)]
    assert.strictEqual(one.operation.nonce, other.operation.nonce)
    assert.notStrictEqual(one.operationHash, other.operationHash)
  })

  it("bids for its gas what the bundler asks for, and twice the base fee at least", async () => {
    const bound = await boundWallet(bench)
    const plan = await walletPlan(bench, bound)
    const standard = { maxFeePerGas: "0x174876e800", maxPriorityFeePerGas: "0x2540be400" } as const
    bundling.fault({
      method: "pimlico_getUserOperationGasPrice",
      phase: "before",
      act: { kind: "result", result: { standard } }
    })
    const { operation } = await prepared(bound, plan)
    assert.deepInclude(operation, standard)
  })

  it("bids the priority that another kind of bundler asks for, and by its node's where none is asked", async () => {
    const bound = await boundWallet(bench)
    const plan = await walletPlan(bench, bound)
    const { baseFeePerGas } = await rpc(bench.chain.url, "eth_getBlockByNumber", ["latest", false])
    const nodes = BigInt(await rpc(bench.chain.url, "eth_maxPriorityFeePerGas", []))
    const bid = async (asked: ProxyFault["act"]) => {
      const unknown = { kind: "error", code: -32_601, message: "no such method" } as const
      bundling.fault({ method: "pimlico_getUserOperationGasPrice", phase: "before", act: unknown })
      bundling.fault({ method: "rundler_maxPriorityFeePerGas", phase: "before", act: asked })
      const { maxFeePerGas, maxPriorityFeePerGas } = (await prepared(bound, plan)).operation
      const priority = BigInt(maxPriorityFeePerGas)
      assert.strictEqual(BigInt(maxFeePerGas), 2n * BigInt(baseFeePerGas) + priority)
      return priority
    }
    assert.strictEqual(await bid({ kind: "result", result: "0x2540be400" }), 10_000_000_000n)
    assert.strictEqual(await bid({ kind: "error", code: -32_601, message: "no such method" }), nodes)
  })
})

describe("several steps", () => {
  const chained = async () => {
    const bound = await boundWallet(bench)
    const own = payment(bench, bound.wallet.address)
    return { bound, plan: await walletPlan(bench, bound, { calls: [own, { ...own, dependsOn: [0] }] }) }
  }

  it("are executed together, though one waits for the other", async () => {
    const { bound, plan } = await chained()
    const operation = await prepared(bound, plan, [0, 1])
    const calls = plan.calls.map(({ to, value, data }) => ({ to, value: BigInt(value), data }))
    assert.strictEqual(operation.operation.callData, executionCalldata(calls))
    assert.isTrue((await executed(bound, operation)).success)
  })

  it("do not wait for one that is left out", async () => {
    const { bound, plan } = await chained()
    const answer = await askOperation(service, bound.owner, { planId: plan.id, stepIndexes: [1] })
    const { context } = await assertProblem(answer, "DEPENDENCIES_UNCONFIRMED")
    assert.deepStrictEqual(context, { stepIndex: 1, blockedBy: [0] })
  })
})

describe("preparation", () => {
  it("takes three round trips to the chain at most, and two to the bundler", async () => {
    const bound = await boundWallet(bench)
    const plan = await walletPlan(bench, bound)
    await prepared(bound, plan)
    const before = [bench.proxy.roundTrips(), bundling.roundTrips()] as const
    await prepared(bound, plan)
    assert.isAtMost(bench.proxy.roundTrips() - before[0], 3)
    assert.strictEqual(bundling.roundTrips() - before[1], 2)
  })
})

/** Once, as a bundler does whose node runs a call at a head that is overtaken just then. */
const refuseEstimate = (meanwhile: () => void) =>
  bundling.fault({
    method: "eth_estimateUserOperationGas",
    phase: "after",
    within: () => {
      meanwhile()
      return true
    },
    act: { kind: "error", code: -32_521, message: "UserOperation reverted during simulation" }
  })

describe("a call that a bundler says to fail", () => {
  it("is asked about once more where the chain went on meanwhile", async () => {
    const bound = await boundWallet(bench)
    const plan = await walletPlan(bench, bound)
    refuseEstimate(() => void mine(bench, 1))
    await prepared(bound, plan)
  })

  it("is taken at its word where the chain did not", async () => {
    const bound = await boundWallet(bench)
    const plan = await walletPlan(bench, bound)
    refuseEstimate(() => {})
    const answer = await askOperation(service, bound.owner, { planId: plan.id, stepIndexes: [0] })
    await assertProblem(answer, "SIMULATION_REVERTED")
  })
})

describe("a paymaster", () => {
  it("pays for a wallet that has nothing, in two round trips more", async () => {
    const paying = await bench.replica({
      userOperations: {
        ...testSettings().userOperations,
        bundlers: [{ chainId: CHAIN_ID, urls: [Redacted.make(bundling.url)] }],
        paymasters: [
          { chainId: CHAIN_ID, url: Redacted.make(bundler.paymasterUrl), context: Redacted.make({}) }
        ]
      }
    })
    const bound = await boundWallet(bench)
    const none: Hex = "0x0"
    const call = payment(bench, bound.wallet.address, {
      args: ["2", "0x000000000000000000000000000000000000EEEe", "0", bound.wallet.address, "0", "", "0x"],
      value: "0"
    })
    const plan = await walletPlan(bench, bound, { calls: [call] })
    await rpc(bench.chain.url, "anvil_setBalance", [bound.wallet.address, none])
    const operation = await prepared(bound, plan, [0], paying)
    assert.strictEqual(operation.gasPolicyId, `paymaster:${CHAIN_ID}`)
    assert.strictEqual(operation.maximumCost, String(maximumCostOf(operation.operation)))
    assert.isTrue((await executed(bound, operation)).success)
    assert.strictEqual(
      BigInt(await rpc(bench.chain.url, "eth_getBalance", [bound.wallet.address, "latest"])),
      0n
    )
    await paying.stop()
  })
})
