/** What the service tells is checked against the chain at once: nothing is confirmed that is not, and every answer is valid. */
import { assert } from "vitest"
import type { Dispatch, Plan } from "../../../src/plans/Plan.ts"
import { problemIn } from "../../support/Problem.ts"
import { rpc } from "../../support/Rpc.ts"
import type { Stand } from "./Stand.ts"

const CONFIRMATIONS = 2

export interface Heard {
  readonly code: string | undefined
  readonly plan: Plan | undefined
  readonly dispatch: Dispatch | undefined
}

export const checkConfirmed = async (chainUrl: string, plan: Plan): Promise<void> => {
  for (const step of plan.steps) {
    if (step.state !== "confirmed") continue
    const receipt = await rpc(chainUrl, "eth_getTransactionReceipt", [step.transaction?.hash])
    assert.isNotNull(receipt, "confirmed without a receipt")
    assert.strictEqual(step.receipt?.blockHash, receipt.blockHash, "confirmed in another block")
    const head = Number(await rpc(chainUrl, "eth_blockNumber"))
    assert.isAtLeast(head - Number(receipt.blockNumber) + 1, CONFIRMATIONS, "confirmed too early")
  }
}

/** Its problem is one that a bad node explains, never one of the service's own making. */
const FOREIGN_FAULTS =
  /^(RPC_|BLOCK_|PLAN_EVIDENCE|NONCE_NOT_READY|INSUFFICIENT_BALANCE|SIGNED_|SIMULATION_|DEPLOYMENT_|RUNTIME_|CONTRACT_)/

const noteAdmission = ({ admitted }: Stand, { id, steps }: Plan) => {
  const hash = steps[0]?.transaction?.hash
  const before = admitted.get(id)
  if (before !== undefined) assert.strictEqual(hash, before, "an admission changed")
  if (hash !== undefined) admitted.set(id, hash)
}

export const heard = async (stand: Stand, answer: Response): Promise<Heard> => {
  const { bench } = stand
  if (!answer.ok) {
    const { code } = await problemIn(answer, bench.service.audience)
    assert.match(code, FOREIGN_FAULTS)
    return { code, plan: undefined, dispatch: undefined }
  }
  const body: { readonly plan?: Plan; readonly dispatch?: Dispatch } & Partial<Plan> = await answer.json()
  const plan = body.plan ?? shownPlan(body)
  if (plan !== undefined) {
    noteAdmission(stand, plan)
    await checkConfirmed(bench.chain.url, plan)
  }
  return { code: undefined, plan, dispatch: body.dispatch }
}

const shownPlan = (body: Partial<Plan>): Plan | undefined => {
  const isPlan = (value: Partial<Plan>): value is Plan => value.steps !== undefined
  return isPlan(body) ? body : undefined
}
