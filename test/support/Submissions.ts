/** Submits a step of a plan, and asks for the plan again. */
import { assert } from "vitest"
import type { Dispatch, Plan } from "../../src/plans/Plan.ts"
import type { RunningService } from "./Service.ts"
import { freshNonce, type Party, type RequestOptions, signedFetch } from "./SignedFetch.ts"

type Service = Pick<RunningService, "url" | "audience">

export const submit = (
  service: Service,
  party: Party,
  plan: Pick<Plan, "id">,
  body: Readonly<Record<string, unknown>>,
  options: RequestOptions & { readonly step?: number } = {}
) => {
  const { step = 0, ...request } = options
  const target = `/api/v1/plans/${plan.id}/steps/${step}/submissions`
  return signedFetch(service, party, "POST", target, { body, idempotencyKey: freshNonce(), ...request })
}

export interface Submission {
  readonly plan: Plan
  readonly dispatch: Dispatch
}

export const submitted = async (...parameters: Parameters<typeof submit>): Promise<Submission> => {
  const answer = await submit(...parameters)
  const body = await answer.json()
  assert.strictEqual(answer.status, 202, JSON.stringify(body))
  return body
}

export const shown = async (service: Service, party: Party, plan: Pick<Plan, "id">): Promise<Plan> => {
  const answer = await signedFetch(service, party, "GET", `/api/v1/plans/${plan.id}`)
  const body = await answer.json()
  assert.strictEqual(answer.status, 200, JSON.stringify(body))
  return body
}

export const refreshed = async (service: Service, party: Party, plan: Pick<Plan, "id">): Promise<Plan> => {
  const answer = await signedFetch(service, party, "GET", `/api/v1/plans/${plan.id}?refresh=true`)
  const body = await answer.json()
  assert.strictEqual(answer.status, 200, JSON.stringify(body))
  return body
}
