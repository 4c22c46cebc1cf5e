/** Prepares operations as plans on the sandbox and relays them step by step. */
import { assert } from "vitest"
import type { PrepareId } from "../../src/operations/generated/OperationIds.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { enroll } from "./Bots.ts"
import { type OperationAnswer, type OperationBench, startOperationBench } from "./Operations.ts"
import { stepOf } from "./PlannedCalls.ts"
import { mine } from "./RelayBench.ts"
import { fundedOwner } from "./Sandbox.ts"
import type { ServiceOptions } from "./Service.ts"
import { signCall } from "./SignedCalls.ts"
import { freshNonce, type Party, signedFetch } from "./SignedFetch.ts"
import { refreshed, submitted } from "./Submissions.ts"

export interface PlanBench extends OperationBench {
  /** The sandbox's account 0: it deployed every contract and owns every project. */
  readonly projectOwner: Party
  /** Account 1, which holds the demo project's first tokens. */
  readonly holder: Party
}

/** An enrolled owner of an account that the local chain has funded. */
export const enrolled = async (
  { service }: Pick<OperationBench, "service">,
  index: number,
  chainId?: number
): Promise<Party> => {
  const party = fundedOwner(index, chainId)
  assert.strictEqual((await enroll(service, party)).status, 200)
  return party
}

export const startPlanBench = async (options: ServiceOptions = {}): Promise<PlanBench> => {
  const bench = await startOperationBench(options)
  return { ...bench, projectOwner: await enrolled(bench, 0), holder: await enrolled(bench, 1) }
}

type Served = Pick<OperationBench, "service">

export interface PreparingOptions {
  readonly idempotencyKey?: string
}

/** Any answer, refusals too. */
export const prepare = async (
  { service }: Served,
  party: Party,
  id: PrepareId,
  input: unknown,
  { idempotencyKey = freshNonce() }: PreparingOptions = {}
): Promise<OperationAnswer> => {
  const target = `/api/v1/operations/${id}/plans`
  const answer = await signedFetch(service, party, "POST", target, { body: input, idempotencyKey })
  return { status: answer.status, body: await answer.json() }
}

export const prepared = async (
  bench: Served,
  party: Party,
  id: PrepareId,
  input: unknown,
  options: PreparingOptions = {}
): Promise<Plan> => {
  const { status, body } = await prepare(bench, party, id, input, options)
  assert.strictEqual(status, 201, JSON.stringify(body))
  return Object(body)
}

/** The code of the refusal. */
export const refused = async (
  bench: Served,
  party: Party,
  id: PrepareId,
  input: unknown
): Promise<string> => {
  const { status, body } = await prepare(bench, party, id, input)
  assert.isAtLeast(status, 400, JSON.stringify(body))
  return Object(body).code
}

/** Signs and submits each step in its order, and mines until it is confirmed and its effect verified. */
export const relayed = async (
  bench: Pick<OperationBench, "service" | "chain">,
  owner: Party,
  plan: Plan
): Promise<Plan> => {
  let shown = plan
  for (const [index, call] of plan.calls.entries()) {
    const rawSignedTransaction = await signCall(bench, owner, call, { gas: 8_000_000n })
    await submitted(bench.service, owner, plan, { rawSignedTransaction }, { step: index })
    await mine(bench)
    shown = await refreshed(bench.service, owner, plan)
    const { state, semantic } = stepOf(shown, index)
    assert.deepStrictEqual([state, semantic?.status], ["confirmed", "verified"], JSON.stringify(semantic))
  }
  assert.strictEqual(shown.status, "transactions_confirmed")
  return shown
}
