/** A user operation whose bundler or paymaster lies, from its preparation to what its chain has of it. */
import { assert } from "vitest"
import type { LieCase, Method } from "../../bundler/scripted/Lies.ts"
import { payment } from "../../support/PlannedCalls.ts"
import { problemIn } from "../../support/Problem.ts"
import { mine } from "../../support/RelayBench.ts"
import {
  askOperation,
  type ShownOperation,
  sendOperation,
  walletPlan
} from "../../useroperations/support/Operating.ts"
import type { Chance } from "../crash/Chance.ts"
import { type CarriedStand, heldMeanwhile, lookAt, newBoundWallet, type Ready, readied } from "./Stand.ts"

const PREPARING: ReadonlyArray<Method> = [
  "eth_supportedEntryPoints",
  "pimlico_getUserOperationGasPrice",
  "eth_estimateUserOperationGas",
  "pm_getPaymasterStubData",
  "pm_getPaymasterData"
]

/** What a preparation or a submission may be refused with where somebody lies. */
const REFUSALS = [
  ...["BUNDLER_UNAVAILABLE", "BUNDLER_INVALID_RESPONSE", "BUNDLER_TIMEOUT"],
  ...["PAYMASTER_UNAVAILABLE", "PAYMASTER_REFUSED", "PAYMASTER_CHANGED"],
  ...["USER_OPERATION_GAS_BOUND", "USER_OPERATION_FEE_BOUND", "USER_OPERATION_COST_BOUND"],
  ...["USER_OPERATION_REFUSED", "USER_OPERATION_FUNDING_REQUIRED"]
]

const OPEN = ["submitting", "submission_unknown", "pending", "confirming", "confirmed", "reverted", "unknown"]
/** As often as it may be asked. */
const ALWAYS = 1_000

/** Only what was lied about may be refused: what is told after it is nobody's reason. */
const refused = async (answer: Response, method: Method): Promise<undefined> => {
  const { code } = await problemIn(answer)
  assert.include(PREPARING, method, `refused with ${code}`)
  assert.include(REFUSALS, code, JSON.stringify(code))
  assert.notStrictEqual(answer.status, 500)
}

const look = async (stand: CarriedStand, ready: Ready): Promise<void> => {
  const { state } = await lookAt(stand, ready)
  assert.include(OPEN, state)
}

/** The operation that left; undefined where it was refused before. */
export const runCarriedLie = async (
  stand: CarriedStand,
  { method, lie }: LieCase,
  chance: Chance
): Promise<Ready | undefined> => {
  const { service, script } = stand
  const standing = await newBoundWallet(stand)
  const { owner, wallet } = standing
  const calls = Array.from({ length: 1 + chance.below(2) }, () => payment(stand, wallet.address))
  const plan = await walletPlan(stand, standing, { calls })
  const before = script.sent.length
  if (PREPARING.includes(method)) script.arm(method, lie, ALWAYS)
  const stepIndexes = calls.map((_, index) => index)
  const prepared = await askOperation(service, owner, { planId: plan.id, stepIndexes })
  if (prepared.status !== 201) {
    await script.disarm()
    assert.strictEqual(script.sent.length, before)
    return refused(prepared, method)
  }
  const operation: ShownOperation = await prepared.json()
  const ready = await readied(standing, operation)
  if (!PREPARING.includes(method)) script.arm(method, lie, method === "eth_sendUserOperation" ? 1 : ALWAYS)
  const sending = sendOperation(service, owner, operation, ready.signature)
  if (lie.name === "silence") assert.deepStrictEqual(await heldMeanwhile(stand, sending), [])
  const answer = await sending
  if (answer.status !== 202) {
    await script.disarm()
    assert.strictEqual(script.sent.length, before)
    return refused(answer, method)
  }
  await look(stand, ready)
  await mine(stand)
  await look(stand, ready)
  await script.disarm()
  return ready
}
