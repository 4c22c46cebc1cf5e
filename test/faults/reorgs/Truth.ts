/** Compares what the service tells of a plan with what the chain shows of it, step by step. */
import { keccak256, stringToBytes } from "viem"
import { assert } from "vitest"
import type { Plan, Step } from "../../../src/plans/Plan.ts"
import { canonicalJson } from "../../../src/values/CanonicalJson.ts"
import { LOG_MEMBERS } from "../../support/LogMembers.ts"
import { rpc } from "../../support/Rpc.ts"

const CONFIRMATIONS = 2

const logsHashOf = (logs: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  keccak256(
    stringToBytes(
      canonicalJson(logs.map(log => Object.fromEntries(LOG_MEMBERS.map(name => [name, log[name]]))))
    )
  )

interface Shown {
  readonly word: string
  readonly receipt?: { readonly blockHash: string; readonly logsHash: string; readonly confirmations: number }
}

/** What an honest look at the chain makes of a step that showed this receipt before. */
const truthOf = async (url: string, step: Step, before: Step["receipt"]): Promise<Shown> => {
  const hash = step.transaction?.hash
  const receipt = await rpc(url, "eth_getTransactionReceipt", [hash])
  const head = Number(await rpc(url, "eth_blockNumber"))
  if (receipt !== null) {
    const confirmations = head - Number(receipt.blockNumber) + 1
    const { blockHash } = receipt
    const word = confirmations < CONFIRMATIONS ? "confirming" : "confirmed"
    return { word, receipt: { blockHash, logsHash: logsHashOf(receipt.logs), confirmations } }
  }
  if (before !== undefined) return { word: "reorged" }
  const isHeld = (await rpc(url, "eth_getTransactionByHash", [hash])) !== null
  return { word: isHeld ? "submitted" : step.state }
}

const compareReceipts = (step: Step, receipt: Shown["receipt"]) => {
  if (receipt === undefined) return
  assert.strictEqual(step.receipt?.blockHash, receipt.blockHash)
  assert.strictEqual(step.receipt?.logsHash, receipt.logsHash)
  if (step.receipt?.finality === "finalized")
    assert.isAtLeast(step.receipt.confirmations, receipt.confirmations)
  else assert.strictEqual(step.receipt?.confirmations, receipt.confirmations)
  assert.isTrue(step.receipt?.canonical)
  if (step.state === "confirmed") assert.strictEqual(step.semantic?.status, "verified")
}

/** Admitted steps are where the chain has them, the others wait for exactly what is not confirmed. */
export const assertTrue = async (url: string, plan: Plan, before: Plan): Promise<void> => {
  const confirmed: Array<boolean> = []
  for (const step of plan.steps) {
    if (step.transaction === undefined) {
      const needed = plan.calls[step.index]?.dependsOn ?? []
      assert.deepStrictEqual(
        step.blockedBy,
        needed.filter(index => confirmed[index] !== true)
      )
      assert.strictEqual(step.state, step.blockedBy.length === 0 ? "ready" : "blocked")
    } else {
      const truth = await truthOf(url, step, before.steps[step.index]?.receipt)
      assert.strictEqual(step.state, truth.word, `step ${step.index}`)
      compareReceipts(step, truth.receipt)
      if (truth.word === "reorged") assert.isFalse(step.receipt?.canonical)
    }
    confirmed.push(step.state === "confirmed")
  }
  assert.strictEqual(plan.status === "transactions_confirmed", confirmed.every(Boolean))
}
