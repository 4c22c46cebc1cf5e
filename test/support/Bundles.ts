/** Bundles of a plan's steps in short words. */
import type { Hex } from "viem"
import { assert } from "vitest"
import type { Dispatch, Plan } from "../../src/plans/Plan.ts"
import { type CallInput, callOf, payment, planned } from "./PlannedCalls.ts"
import { newPayer, type RelayBench } from "./RelayBench.ts"
import type { RunningService } from "./Service.ts"
import { pendingNonce, signCall } from "./SignedCalls.ts"
import { freshNonce, type Party, type RequestOptions, signedFetch } from "./SignedFetch.ts"
import { approvedStep, signApproval } from "./StepApproval.ts"

export interface Item {
  readonly stepIndex: number
  readonly rawSignedTransaction: Hex
  readonly ownerApproval?: unknown
}

export interface BundleAnswer {
  readonly atomic: false
  readonly complete: boolean
  readonly results: ReadonlyArray<{ readonly stepIndex: number; readonly dispatch: Dispatch }>
  readonly plan: Plan
  readonly stoppedAt?: number
  readonly error?: { readonly code: string; readonly detail: string }
  readonly remainingStepIndices?: ReadonlyArray<number>
}

export const postBundle = (
  service: Pick<RunningService, "url" | "audience">,
  party: Party,
  plan: Pick<Plan, "id">,
  submissions: unknown,
  options: RequestOptions = {}
): Promise<Response> =>
  signedFetch(service, party, "POST", `/api/v1/plans/${plan.id}/submissions`, {
    body: { submissions },
    idempotencyKey: freshNonce(),
    ...options
  })

export const bundled = async (...parameters: Parameters<typeof postBundle>): Promise<BundleAnswer> => {
  const answer = await postBundle(...parameters)
  const body = await answer.json()
  assert.strictEqual(answer.status, 202, JSON.stringify(body))
  return body
}

/** Where it stopped and why, and which steps were done before. */
export const courseOf = ({ complete, results, stoppedAt, error, remainingStepIndices }: BundleAnswer) => ({
  complete,
  done: results.map(({ stepIndex }) => stepIndex),
  ...(stoppedAt === undefined ? {} : { stoppedAt, code: error?.code, remaining: remainingStepIndices })
})

/** Payments of 1000, 1001, … with these dependencies. */
export const payments = (
  bench: Pick<RelayBench, "manifest">,
  beneficiary: string,
  dependencies: ReadonlyArray<ReadonlyArray<number>>
): ReadonlyArray<CallInput> =>
  dependencies.map((dependsOn, index) => {
    const call = payment(bench, beneficiary)
    const amount = String(1000 + index)
    const args = Array.isArray(call.args) ? call.args.with(2, amount) : []
    return { ...call, args, value: amount, dependsOn }
  })

/** Every step signed with the wallet's next nonces, in this order. */
export const signedItems = async (
  bench: Pick<RelayBench, "chain">,
  owner: Party,
  plan: Plan,
  steps: ReadonlyArray<number> = plan.steps.map(({ index }) => index)
): Promise<ReadonlyArray<Item>> => {
  const first = await pendingNonce(bench, owner.key.address)
  return Promise.all(
    steps.map(async (stepIndex, position) => ({
      stepIndex,
      rawSignedTransaction: await signCall(bench, owner, callOf(plan, stepIndex), { nonce: first + position })
    }))
  )
}

/** The same items with the owner's approval for the bot. */
export const approvedItems = (
  bench: Pick<RelayBench, "service">,
  owner: Party,
  bot: Party,
  plan: Plan,
  items: ReadonlyArray<Item>
): Promise<ReadonlyArray<Item>> =>
  Promise.all(
    items.map(async item => {
      const approved = approvedStep(bot, plan, item.rawSignedTransaction, { stepIndex: item.stepIndex })
      return { ...item, ownerApproval: await signApproval(owner.key, bench.service, approved) }
    })
  )

/** A new payer's plan of payments and its signed steps. */
export const bundleOf = async (
  bench: RelayBench,
  dependencies: ReadonlyArray<ReadonlyArray<number>>,
  by?: (owner: Party) => Promise<Party>
) => {
  const owner = await newPayer(bench)
  const party = by === undefined ? owner : await by(owner)
  const calls = payments(bench, owner.key.address, dependencies)
  const plan = await planned(bench, owner, { calls, by: party })
  const items = await signedItems(bench, owner, plan)
  return { owner, party, plan, items }
}
