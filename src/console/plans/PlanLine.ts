/** A plan in one line each: what it does, where it stands, and what it waits for. */
import type { Client } from "../../client/Client.ts"
import { committedFor } from "../../client/Commitment.ts"
import { isReplaced } from "../../client/StepStanding.ts"
import type { Capabilities } from "../../http/api/Capabilities.ts"
import type { Plan, Step } from "../../plans/Plan.ts"
import { contractsOf } from "../../review/GatherFacts.ts"
import { reviewPlan } from "../../review/PlanReview.ts"
import { isUntold } from "../../review/Restored.ts"
import { exact, type Piece, words } from "../../review/Words.ts"
import { recallSent } from "../SentRecord.ts"

const STATES: Readonly<Record<Plan["status"], string>> = {
  prepared: "prepared",
  pending: "under way",
  partial: "partly confirmed",
  transactions_confirmed: "confirmed",
  blocked: "blocked",
  reorged: "out of the chain again",
  expired: "expired"
}

export const stateWords = ({ status }: Plan): string => STATES[status]

const stepsText = (steps: ReadonlyArray<Step>): string =>
  `step${steps.length === 1 ? "" : "s"} ${steps.map(({ index }) => index).join(", ")}`

const proofOf = ({ semantic }: Step): string => semantic?.status ?? "unknown"

/** What has to happen next, and by whom. */
export const waitsFor = (
  plan: Pick<Plan, "id" | "status" | "steps" | "expiresAt" | "restoredAt">,
  nowMillis: number
): string => {
  const { id, status, steps, expiresAt } = plan
  const within = (...states: ReadonlyArray<Step["state"]>) =>
    steps.filter(({ state }) => states.includes(state))
  const [ready, reverted, confirmed] = [within("ready"), within("reverted"), within("confirmed")]
  const gone = steps.filter(isReplaced)
  const open = within("reserved", "submitted", "unknown", "confirming", "reorged").filter(
    step => !isReplaced(step)
  )
  const untold = steps.filter(step => isUntold(plan, step))
  const unbegun = within("ready", "blocked")
  const failed = confirmed.filter(step => proofOf(step) === "failed")
  const unproved = confirmed.filter(step => proofOf(step) === "unknown")
  const asked = steps.filter(
    ({ index, transaction, execution }) =>
      transaction === undefined &&
      execution === undefined &&
      recallSent({ planId: id, step: index }) !== undefined
  )
  if (asked.length > 0) return `The wallet was asked to send ${stepsText(asked)}: look there first.`
  if (status === "transactions_confirmed") return "Nothing is left to be done."
  if (reverted.length > 0) return `Nothing more comes of it: ${stepsText(reverted)} reverted.`
  if (failed.length > 0) return `Nothing more comes of it: ${stepsText(failed)} did not do what was planned.`
  if (open.length > 0) return `Waits for the chain to confirm ${stepsText(open)}.`
  if (gone.length > 0)
    return `Nothing more comes of it: another has the nonce of ${stepsText(gone)} for good. Look at what the wallet sent.`
  if (unproved.length > 0) return `Waits for proof of what ${stepsText(unproved)} did.`
  if (untold.length > 0)
    return `Look at the wallet's own transactions: ${stepsText(untold)} may have left before the service was restored from a backup.`
  if (expiresAt <= nowMillis)
    return `Nothing more comes of it: ${stepsText(unbegun)} ${unbegun.length === 1 ? "was" : "were"} not begun in time.`
  return ready.length > 0
    ? `Waits for you to sign ${stepsText(ready)}.`
    : "Waits for the steps that the others depend on."
}

/** In words where this browser can vouch for them, by the operation's name otherwise. */
export const planLine = async (
  { catalog, account }: Client,
  { chains }: Capabilities,
  plan: Plan,
  principals: ReadonlyArray<string>,
  now: number
): Promise<ReadonlyArray<Piece>> => {
  const contracts = await contractsOf(catalog, plan).catch(() => undefined)
  const principal = await committedFor(plan, account, principals)
  if (contracts === undefined || principal === undefined) return [words("operation "), exact(plan.operation)]
  const facts = {
    asked: plan.id,
    committedFor: principal,
    contracts,
    chains: new Map(chains.map(({ id, name }) => [id, name])),
    tokens: new Map(),
    clones: new Map(),
    now
  }
  return reviewPlan(plan, facts).sentence
}
