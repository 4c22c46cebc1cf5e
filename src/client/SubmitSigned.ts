/** One step by itself, for who goes from step to step. */
import type { Plan, Step } from "../plans/Plan.ts"
import { type CarryMeans, type SubmitOptions, workOf } from "./CarryOut.ts"
import type { SubmittedStep } from "./Plans.ts"
import { isOnChain } from "./StepStanding.ts"
import { forgotten, submitOnce } from "./SubmitOnce.ts"
import { inTurn } from "./WalletNonces.ts"

/** Signs and submits one step, once; undefined where it has its transaction already. The plan is not looked at: check it before. */
export const submitSigned = async (
  means: CarryMeans,
  options: SubmitOptions & { readonly given?: string | undefined },
  plan: Plan,
  step: Step
): Promise<SubmittedStep | undefined> => {
  const { given } = options
  const { work, nonces } = workOf(means, options, plan, step)
  const answer = await inTurn(nonces, () => submitOnce({ ...work, given }))
  if (isOnChain(answer === undefined ? step : answer.plan.steps[step.index])) await forgotten(work)
  return answer
}
