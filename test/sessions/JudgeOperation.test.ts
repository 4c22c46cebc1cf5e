/** What is left of a session, to the last unit, and what goes beyond it by one. */
import { Effect, Either } from "effect"
import { assert, describe, it } from "vitest"
import { compiledHashOf, permissionIdOf } from "../../src/sessions/Compile.ts"
import { sessionEnvelope } from "../../src/sessions/Envelope.ts"
import {
  EMPTY_RECORD,
  PERMISSION_STATUS,
  type PermissionState,
  permissionIn
} from "../../src/sessions/GuardState.ts"
import { checkSessionCall, checkSessionOperation } from "../../src/sessions/JudgeOperation.ts"
import { encodePolicy } from "../../src/sessions/Policy.ts"
import type { SessionPolicy } from "../../src/sessions/PolicyShape.ts"
import { keccak256Utf8 } from "../../src/values/Keccak.ts"
import { packedOperation } from "../../src/values/PackedOperation.ts"
import type { Address, Hex } from "../../src/values/Scalars.ts"
import type { UserOperation } from "../../src/values/UserOperation.ts"
import { executionCalldata, type WalletCall } from "../../src/values/WalletExecution.ts"
import { GAS_BUDGET, LIMITS, PAYEE, policyFor, transfer } from "./support/Policies.ts"

const TOKEN: Address = "0x00000000000000000000000000000000000000C1"
const CODE: Hex = `0x${"cc".repeat(32)}`
const wallet = {
  chainId: 31_337,
  guard: "0x5E55100000000000000000000000000000000001",
  account: "0x78Cc8715095294fe4770323739760993dbCbA466",
  entryPoint: "0x0000000071727De22E5E9d8BAf0edAc6f37da032",
  adapter: "0x27b102239A4082fCC1B4E9Abe2349fa88156f78b"
} as const
const policy: SessionPolicy = {
  ...policyFor(TOKEN, CODE, 1_790_000_000),
  allocations: [{ id: keccak256Utf8("tips"), asset: TOKEN, limit: "100" }]
}
const encoded = encodePolicy(policy)
const permissionId = permissionIdOf(wallet, policy)
const HASH: Hex = `0x${"0a".repeat(32)}`

const fresh: PermissionState = {
  ...permissionIn(EMPTY_RECORD, permissionId),
  status: PERMISSION_STATUS.enabled,
  compiledHash: compiledHashOf(wallet, encoded),
  validAfter: policy.validAfter,
  validUntil: policy.validUntil,
  sessionKey: policy.sessionKey
}

const pay = (amount: bigint, changes: Partial<WalletCall> = {}): Hex =>
  executionCalldata([{ to: TOKEN, value: 0n, data: transfer(PAYEE, amount), ...changes }])

const quantity = (value: bigint): Hex => `0x${value.toString(16)}`

const operationOf = (callData: Hex, changes: Partial<UserOperation> = {}): UserOperation => ({
  sender: wallet.account,
  nonce: quantity(BigInt(wallet.guard) << 96n),
  callData,
  callGasLimit: quantity(200_000n),
  verificationGasLimit: quantity(500_000n),
  preVerificationGas: quantity(300_000n),
  maxFeePerGas: quantity(1_000n),
  maxPriorityFeePerGas: quantity(1_000n),
  signature: sessionEnvelope(permissionId, encoded, `0x${"11".repeat(64)}1b`),
  ...changes
})

const told = (
  operation: UserOperation,
  state: Partial<PermissionState> = {},
  codeHash: Hex = CODE,
  of: SessionPolicy = policy
) =>
  Effect.runSync(
    Effect.either(
      checkSessionOperation(
        { ...wallet, codeHashOf: () => codeHash },
        { policy: of, permissionId, allocationIds: ["tips"] },
        { ...fresh, ...state },
        packedOperation(operation),
        HASH
      )
    )
  )

const saidOf = (verdict: ReturnType<typeof told>) =>
  Either.match(verdict, {
    onLeft: ({ _tag, context }) => `${_tag} ${context?.rule ?? context?.counter}`,
    onRight: () => "passed"
  })

const spent = (amount: bigint) => [amount, ...Array.from({ length: 15 }, () => 0n)]
const GAS = 1_000_000n

describe("a call", () => {
  it.each<readonly [what: string, callData: Hex, verdict: string]>([
    ["of the policy", pay(LIMITS.perCall), "passed"],
    ["with one unit more than a call may", pay(LIMITS.perCall + 1n), "SESSION_CALL_REFUSED 33"],
    ["with a wei", pay(1n, { value: 1n }), "SESSION_CALL_REFUSED 32"],
    ["to another payee", pay(1n, { data: transfer(TOKEN, 1n) }), "SESSION_CALL_REFUSED 31"],
    ["a byte too long", pay(1n, { data: `${transfer(PAYEE, 1n)}00` }), "SESSION_CALL_REFUSED 30"],
    ["of another target", pay(1n, { to: PAYEE }), "SESSION_CALL_REFUSED 34"],
    [
      "of another selector",
      pay(1n, { data: `0x095ea7b3${transfer(PAYEE, 1n).slice(10)}` }),
      "SESSION_CALL_REFUSED 34"
    ],
    ["that is not one", `${pay(1n)}00`, "SESSION_CALL_REFUSED 29"]
  ])("%s: %s", (_, callData, verdict) => {
    assert.equal(saidOf(told(operationOf(callData))), verdict)
    const alone = Effect.runSync(Effect.either(checkSessionCall(policy, callData)))
    assert.equal(saidOf(alone), verdict)
  })

  it("of a target that has other code now is refused by what the chain says", () => {
    const operation = operationOf(pay(1n))
    assert.equal(saidOf(told(operation, {}, HASH)), "SESSION_CALL_REFUSED 30")
    assert.isTrue(Either.isRight(Effect.runSync(Effect.either(checkSessionCall(policy, operation.callData)))))
  })
})

describe("what is left", () => {
  const totalGas = BigInt(GAS_BUDGET.totalGas)
  const totalCost = BigInt(GAS_BUDGET.totalCost)

  it.each<readonly [what: string, state: Partial<PermissionState>, verdict: string]>([
    ["the last call", { calls: policy.maximumCalls - 1 }, "passed"],
    ["no call", { calls: policy.maximumCalls }, "SESSION_BUDGET_EXHAUSTED calls"],
    ["the last unit of gas", { gas: totalGas - GAS }, "passed"],
    ["a unit of gas too few", { gas: totalGas - GAS + 1n }, "SESSION_BUDGET_EXHAUSTED gas"],
    ["the last wei", { cost: totalCost - 1_000n * GAS }, "passed"],
    ["a wei too few", { cost: totalCost - 1_000n * GAS + 1n }, "SESSION_BUDGET_EXHAUSTED cost"],
    ["all of the action", { actionSpent: spent(60n) }, "passed"],
    ["a unit of the action too few", { actionSpent: spent(61n) }, "SESSION_BUDGET_EXHAUSTED action:0"],
    ["all of the allocation", { allocationSpent: spent(60n) }, "passed"],
    [
      "a unit of the allocation too few",
      { allocationSpent: spent(61n) },
      "SESSION_BUDGET_EXHAUSTED allocation:tips"
    ],
    ["nothing, for it was revoked", { status: PERMISSION_STATUS.revoked }, "SESSION_CALL_REFUSED 22"],
    ["another policy", { compiledHash: HASH }, "SESSION_CALL_REFUSED 23"]
  ])("%s: %s", (_, state, verdict) => {
    assert.equal(saidOf(told(operationOf(pay(40n)), state)), verdict)
  })

  it("says how much was used, is needed and may be", () => {
    const verdict = told(operationOf(pay(40n)), { actionSpent: spent(61n) })
    assert.deepEqual(Either.flip(verdict).pipe(Either.getOrThrow).context, {
      counter: "action:0",
      used: "61",
      needed: "40",
      limit: "100"
    })
  })
})

describe("one operation", () => {
  it.each<readonly [what: string, changes: Partial<UserOperation>, verdict: string]>([
    ["at its ceilings", { preVerificationGas: quantity(1_300_000n) }, "passed"],
    ["a unit of gas above", { preVerificationGas: quantity(1_300_001n) }, "SESSION_CALL_REFUSED 26"],
    ["at the highest fee", { maxFeePerGas: quantity(BigInt(GAS_BUDGET.maxFeePerGas)) }, "passed"],
    [
      "a wei above the highest fee",
      { maxFeePerGas: quantity(BigInt(GAS_BUDGET.maxFeePerGas) + 1n) },
      "SESSION_CALL_REFUSED 26"
    ],
    [
      "a wei above the highest tip",
      { maxPriorityFeePerGas: quantity(BigInt(GAS_BUDGET.maxPriorityFeePerGas) + 1n) },
      "SESSION_CALL_REFUSED 26"
    ],
    [
      "of another lane",
      { nonce: quantity((BigInt(wallet.guard) << 96n) | (1n << 64n)) },
      "SESSION_CALL_REFUSED 24"
    ],
    ["of the owners' nonces", { nonce: "0x0" }, "SESSION_CALL_REFUSED 24"],
    [
      "that a paymaster pays for",
      {
        paymaster: TOKEN,
        paymasterVerificationGasLimit: "0x1",
        paymasterPostOpGasLimit: "0x1",
        paymasterData: "0x"
      },
      "SESSION_CALL_REFUSED 25"
    ]
  ])("%s: %s", (_, changes, verdict) => {
    assert.equal(saidOf(told(operationOf(pay(40n), changes))), verdict)
  })
})
