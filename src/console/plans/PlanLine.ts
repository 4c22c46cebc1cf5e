/** A plan in one line each: what it does, where it stands, and what it waits for. */
import type { Client } from "../../client/Client.ts"
import type { Capabilities } from "../../http/api/Capabilities.ts"
import type { Plan, Step } from "../../plans/Plan.ts"
import { committedFor } from "../../review/CommittedFor.ts"
import { contractsOf } from "../../review/GatherFacts.ts"
import { reviewPlan } from "../../review/PlanReview.ts"
import { exact, type Piece, words } from "../../review/Words.ts"

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

/** What has to happen next, and by whom. */
export const waitsFor = ({ status, steps, expiresAt }: Plan, nowMillis: number): string => {
  const within = (...states: ReadonlyArray<Step["state"]>) =>
    steps.filter(({ state }) => states.includes(state))
  const [ready, reverted, open] = [
    within("ready"),
    within("reverted"),
    within("reserved", "submitted", "unknown", "reorged")
  ]
  if (status === "transactions_confirmed") return "Nothing more: all of it is confirmed."
  if (reverted.length > 0) return `Nothing more: ${stepsText(reverted)} reverted.`
  if (open.length > 0) return `The chain: ${stepsText(open)} to be confirmed.`
  if (expiresAt <= nowMillis) return "Nothing more: nobody began it in time."
  return ready.length > 0 ? `You: ${stepsText(ready)} to be signed.` : "The steps before the next one."
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
