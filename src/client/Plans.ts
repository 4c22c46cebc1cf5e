/** Plans from preparation to confirmation; times are Unix milliseconds, amounts decimal strings in the smallest unit. */
import type { ContractCallsInput } from "../http/api/Transactions.ts"
import type { Plan } from "../plans/Plan.ts"
import type { Caller, Keyed } from "./Caller.ts"
import type { CarryMeans, SubmitOptions } from "./CarryOut.ts"
import { checkCommitment, checkedPlan, type PlanOwnership } from "./Commitment.ts"
import { endpoints } from "./Endpoints.ts"
import { everyItem } from "./EveryItem.ts"
import type { OwnerApproval } from "./OwnerApproval.ts"
import type { System } from "./System.ts"
import { type WatchOptions, watchPlan } from "./WatchPlan.ts"

export interface PlansQuery {
  /** Only plans of this wallet. */
  readonly account?: string
  /** 1 to 100; 20 when absent. */
  readonly limit?: number
  readonly cursor?: string
}

export interface StepSubmission {
  /** The exact serialized signed transaction in hexadecimal. */
  readonly rawSignedTransaction: string
  /** Needed from bots; see `approveStep`. */
  readonly ownerApproval?: OwnerApproval
}

export interface BundleSubmission extends StepSubmission {
  /** The position of the call in its plan, from 0. */
  readonly stepIndex: number
}

/** An owner may also read plans that bots prepared; their commitment names the bot. */
const ownershipOf = (own: PlanOwnership, preparedBy: string | undefined): PlanOwnership => ({
  accountId: own.accountId,
  principalId: preparedBy ?? own.principalId
})

const writing = (caller: Caller, system: System, own: PlanOwnership) => ({
  /**
   * Prepares `contract_calls`, stores them and checks what the plan commits to: rejects with `AlteredPlan` where that
   * differs. The same key with the same input gives the stored plan again (`replayed`).
   */
  create: async (input: typeof ContractCallsInput.Encoded, keyed: Keyed = {}) => {
    const parts = { body: { operation: "contract_calls", input } }
    const { body, told } = await caller.keyed(endpoints.createPlan, system, keyed, parts)
    return { plan: await checkedPlan(body, own), ...told }
  },
  /** Relays exactly these bytes once. Success acknowledges processing, not confirmation: watch the plan. */
  submit: async (id: string, step: number, submission: StepSubmission, keyed: Keyed = {}) => {
    const parts = { path: { id, step }, body: submission }
    const { body, told } = await caller.keyed(endpoints.submitStep, system, keyed, parts)
    return { ...body, ...told }
  },
  /**
   * Relays 1 to 32 steps in this order, without atomicity, up to the first that cannot go: then `complete` is false,
   * `stoppedAt` its position and `error` the reason. The same key with the same submissions goes on from there.
   */
  submitBundle: async (id: string, submissions: ReadonlyArray<BundleSubmission>, keyed: Keyed = {}) => {
    const parts = { path: { id }, body: { submissions } }
    const { body, told } = await caller.keyed(endpoints.submitBundle, system, keyed, parts)
    return { ...body, ...told }
  }
})

const reading = (caller: Caller) => {
  const list = (query: PlansQuery = {}) => caller.call(endpoints.listPlans, { query: { ...query } })
  return {
    /** One page, newest first. */
    list,
    /** Every plan, newest first, page after page. */
    iterate: (query: Omit<PlansQuery, "cursor"> = {}): AsyncGenerator<Plan> =>
      everyItem(after => list({ ...query, ...after })),
    /** From storage; with `refresh` after reconciling it with the chains. */
    show: (
      id: string,
      { refresh = false, signal }: { refresh?: boolean; signal?: AbortSignal | undefined } = {}
    ) => caller.call(endpoints.getPlan, { path: { id }, query: refresh ? { refresh: "true" } : {}, signal }),
    /** The exact call as the planned wallet at one block; needs satisfied dependencies and an unexpired plan. */
    simulate: (id: string, step: number) => caller.call(endpoints.simulateStep, { path: { id, step } })
  }
}

export type SubmittedStep = Awaited<ReturnType<ReturnType<typeof writing>["submit"]>>

/** What carrying a plan out calls. */
export interface PlanCalls
  extends Pick<ReturnType<typeof reading>, "show" | "simulate">,
    Pick<ReturnType<typeof writing>, "submit"> {
  readonly watch: (id: string, options?: WatchOptions) => Promise<Plan>
}

const watching =
  ({ show }: ReturnType<typeof reading>, system: System, { conversation }: Caller) =>
  (id: string, options: WatchOptions = {}): Promise<Plan> => {
    const { signal } = options
    const refreshed = () => show(id, { refresh: true, signal })
    return watchPlan(refreshed, system, options, conversation.clock)
  }

const carrying =
  (means: CarryMeans) =>
  async (plan: Plan, options: SubmitOptions): Promise<Plan> => {
    const { carriers } = await import("./Carrying.ts")
    return carriers.carryOut(means, plan, options)
  }

export const planMethods = (caller: Caller, means: Omit<CarryMeans, "plans">) => {
  const { system, own } = means
  const reads = reading(caller)
  const writes = writing(caller, system, own)
  const watch = watching(reads, system, caller)
  return {
    plans: {
      ...reads,
      ...writes,
      /** Refreshes the plan until it is confirmed, blocked or expired, or `until` says so; rejects with the signal's reason. */
      watch,
      /**
       * Has each step signed or sent by its wallet, approved where a bot submits it, relayed once and followed until it is
       * decided; resolves to the plan as it then is: done where `transactions_confirmed`. What is signed is kept in
       * `store` before it leaves: call again after a failure, a crash or an outcome that is `unknown`, and the same bytes
       * go on. Rejects with `StepHeld` where something might be sent twice, and as the other methods do.
       */
      carryOut: carrying({ ...means, plans: { ...reads, submit: writes.submit, watch } }),
      /** Whether the plan shown is the plan committed to; `preparedBy` is `bot:<grantId>` for another principal's plan. */
      checkCommitment: (plan: Plan, preparedBy?: string) =>
        checkCommitment(plan, ownershipOf(own, preparedBy))
    }
  }
}
