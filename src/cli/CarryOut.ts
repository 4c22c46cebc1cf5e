/** An operation carried out: its plan prepared, shown, agreed to, signed, submitted and followed; the same command goes on after a crash. */
import type { Plan, Step } from "../plans/Plan.ts"
import type { PlanReview } from "../review/PlanReview.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { agreedOnTerminal } from "./Agree.ts"
import type { CommandOutcome, CommandTerminal, Flag } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { type Pending, pendingWork } from "./Pending.ts"
import { shownPlan } from "./Plans.ts"
import { preparedOnce } from "./PrepareOnce.ts"
import { ownerKeyFlag, toldOf } from "./Signing.ts"
import { signingFlags, signingMeans } from "./SignTransaction.ts"
import { AGAIN, bytesOf, signAndSubmit } from "./SubmitStep.ts"
import { isDone, isUnderWay, standing, timeoutFlag, timeoutOf, watched } from "./Watch.ts"

export interface Carrying extends Connection {
  readonly input: Input
  readonly operation: string
  readonly members: Readonly<Record<string, unknown>>
}

export const carryingFlags: ReadonlyArray<Flag> = [
  { name: "plan-only", help: "Stop once the plan is prepared and shown." },
  { name: "yes", help: "Agree to the plan beforehand: nobody is asked." },
  ownerKeyFlag,
  ...signingFlags,
  timeoutFlag
]

/** Refused before there is a plan: what signing and watching would stumble over after it. */
export const requireMeans = (input: Input): void => {
  timeoutOf(input)
  if (!input.has("plan-only")) signingMeans(input)
}

/** The same of the node: that it answers at all. */
export const requireNode = async (input: Input): Promise<void> => {
  if (!input.has("plan-only")) await signingMeans(input).rpc.call("eth_chainId")
}

const hasExpired = ({ client }: Connection, plan: Plan): boolean =>
  plan.expiresAt <= client.clock.seconds() * 1000

/** Nothing more of it can be sent, and nothing that was sent is undecided. */
const isSpent = (connection: Connection, plan: Plan): boolean =>
  hasExpired(connection, plan) &&
  plan.status !== "transactions_confirmed" &&
  plan.status !== "blocked" &&
  !plan.steps.some(step => isUnderWay(plan, step))

/** The same command means another plan from then on. */
const isOver = (plan: Plan): boolean =>
  plan.status === "transactions_confirmed" ||
  (plan.status === "blocked" && !plan.steps.some(step => isUnderWay(plan, step)))

const prepared = async (work: Carrying, pending: Pending, terminal: CommandTerminal): Promise<Plan> => {
  const { client, operation, members } = work
  const create = (idempotencyKey: string) => client.operations.askPlan(operation, members, { idempotencyKey })
  const { plan, replayed } = await preparedOnce(pending, terminal, create)
  if (!replayed) return plan
  const current = await client.plans.show(plan.id, { refresh: true })
  if (!isSpent(work, current)) return current
  terminal.note("The plan of the earlier run has expired; preparing another one for what is left.")
  await pending.forget()
  return prepared(work, pending, terminal)
}

const agreedTo = (input: Input, { id, steps }: Plan, terminal: CommandTerminal): Promise<boolean> => {
  const left = steps.filter(({ transaction }) => transaction === undefined)
  const count = left.length === 1 ? "this step" : `these ${left.length} steps, one by one`
  return agreedOnTerminal(
    input,
    terminal,
    `Sign and submit ${count}?`,
    `the plan ${id}`,
    `Read it: "service plan show ${id}". The same command with --yes goes on with this plan, and so does "service plan submit ${id} ${left[0]?.index ?? 0}" step by step.`
  )
}

/** Where nothing is left to be signed, there is nothing to agree to. */
const mayGoOn = async (work: Carrying, plan: Plan, terminal: CommandTerminal): Promise<boolean> =>
  plan.steps.every(({ transaction }) => transaction !== undefined) || agreedTo(work.input, plan, terminal)

const expiredBefore = (step: Step) =>
  new CliFailure(
    ExitCode.unconfirmed,
    `The plan expired before step ${step.index} was sent.`,
    "Run the same command again: it prepares another plan for what is left."
  )

interface Reviewing extends Carrying {
  readonly review: PlanReview
}

const carriedStep = async (
  work: Reviewing,
  plan: Plan,
  step: Step,
  terminal: CommandTerminal
): Promise<CommandOutcome> => {
  const { client, input, review } = work
  const told = toldOf(review, step)
  terminal.note(`step ${step.index + 1} of ${plan.steps.length}: ${told}`)
  if (step.transaction === undefined && hasExpired(work, plan)) throw expiredBefore(step)
  if (step.transaction === undefined || AGAIN.includes(step.state)) {
    const submitted = await signAndSubmit({ ...work, plan, step }, terminal, told)
    if (submitted.exitCode !== ExitCode.ok) return submitted
  }
  const outcome = await watched(client, terminal, plan.id, { step: step.index, seconds: timeoutOf(input) })
  if (outcome.exitCode === ExitCode.ok) await bytesOf(terminal, work, plan.id, step.index).forget()
  return outcome
}

/** In the order of the calls, in which each comes after those that it depends on. */
const carried = async (work: Reviewing, id: string, terminal: CommandTerminal): Promise<CommandOutcome> => {
  const plan = await work.client.plans.show(id, { refresh: true })
  const step = plan.steps.find(({ index }) => !isDone(plan, index))
  if (step === undefined || plan.status === "blocked") return standing(plan)
  const outcome = await carriedStep(work, plan, step, terminal)
  return outcome.exitCode === ExitCode.ok ? carried(work, id, terminal) : outcome
}

const planOnly = (plan: Plan, shown: CommandOutcome): CommandOutcome => ({
  ...shown,
  text: `${shown.text}\n\nNext: service plan submit ${plan.id} 0.`
})

export const carryOut = async (work: Carrying, terminal: CommandTerminal): Promise<CommandOutcome> => {
  const { baseUrl, client, input, operation, members } = work
  const parts = [baseUrl, client.account, client.principalId, operation, canonicalJson(members)]
  const pending = pendingWork(terminal, parts)
  const plan = await prepared(work, pending, terminal)
  const { review, ...shown } = await shownPlan(work, plan)
  if (shown.exitCode !== ExitCode.ok || input.has("plan-only")) {
    await pending.forget()
    return shown.exitCode === ExitCode.ok ? planOnly(plan, shown) : shown
  }
  terminal.note(shown.text)
  if (!(await mayGoOn(work, plan, terminal))) {
    await pending.forget()
    return { json: plan, text: `Nothing of the plan ${plan.id} was signed.`, exitCode: ExitCode.usage }
  }
  const outcome = await carried({ ...work, review }, plan.id, terminal)
  if (isOver(await client.plans.show(plan.id))) await pending.forget()
  return outcome
}
