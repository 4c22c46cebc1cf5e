/** A command carried out: its plan prepared, shown, agreed to, signed, submitted and followed; the same command goes on after a crash. */
import { type CarryProgress, hasExpired } from "../client/CarryOut.ts"
import { nextStep } from "../client/StepStanding.ts"
import { unsentOperations } from "../client/UnsentOperations.ts"
import type { Plan } from "../plans/Plan.ts"
import type { PlanReview } from "../review/PlanReview.ts"
import type { PublicSession } from "../sessions/Session.ts"
import type { PublicUserOperation } from "../useroperations/PublicUserOperation.ts"
import { agreedOnTerminal } from "./Agree.ts"
import type { CommandOutcome, CommandTerminal, Flag } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { keptWork } from "./KeptWork.ts"
import { afterOthers } from "./NotSigned.ts"
import { alone } from "./OneRun.ts"
import { operated } from "./OperateWallet.ts"
import { ownerPartFlags } from "./OwnerParts.ts"
import { type Patience, patience } from "./Patience.ts"
import { keptPlaces, type Pending, type PendingRecord } from "./Pending.ts"
import { endedMeanwhile, expiredBefore, isSpent, LOOK_FIRST, requireOver, restoredSince } from "./PlanEnd.ts"
import { shownPlan } from "./Plans.ts"
import { hasSigned, preparedOnce } from "./PrepareOnce.ts"
import { declined, settle, wasHandedIn } from "./SettlePlan.ts"
import { nonceLeft, pendingOperation } from "./SignedNonces.ts"
import { ownerKeyFlag, type Speech, speechOn, submitOptions, toldOf } from "./Signing.ts"
import { nodeOf, signingFlags, signingTerms } from "./SignTransaction.ts"
import { sponsored } from "./Sponsor.ts"
import { SENT_AGAIN, stepOutcome } from "./SubmitStep.ts"
import { sessionFlag, walletFlag } from "./WalletBindings.ts"
import { noteChange, standing, timedOut, timeoutFlag, timeoutOf } from "./Watch.ts"

export interface Carrying extends Connection {
  readonly input: Input
  /** What the command means: the same finds the plan of an earlier run. */
  readonly meaning: ReadonlyArray<string>
  readonly create: (idempotencyKey: string) => Promise<{ readonly plan: Plan; readonly replayed: boolean }>
  /** A wallet of several owners acts: by an operation that they sign, or a session's key. */
  readonly isWallets?: boolean
  readonly session?: PublicSession | undefined
  /** Its chain does it once, however many operations of it are executed. */
  readonly isOnce?: boolean
}

export const carryingFlags: ReadonlyArray<Flag> = [
  { name: "plan-only", help: "Stop once the plan is prepared and shown." },
  { name: "yes", help: "Agree to the plan beforehand: nobody is asked." },
  {
    name: "anew",
    help: "Prepare another plan, whatever became of that of an earlier run: what that one sent stays sent. Till somebody agrees to it, the command without --anew goes on with the earlier one."
  },
  {
    name: "sponsor",
    help: "Have somebody else pay the gas: the wallet signs requests, which a provider has executed."
  },
  walletFlag,
  sessionFlag,
  ...ownerPartFlags,
  ownerKeyFlag,
  ...signingFlags,
  timeoutFlag
]

/** What a wallet of several owners does is priced and sent by the service. */
const needsNode = (input: Input): boolean => !["plan-only", "wallet", "session"].some(each => input.has(each))

/** Refused before there is a plan: what signing and watching would stumble over after it. */
export const requireMeans = (input: Input): void => {
  timeoutOf(input)
  signingTerms(input)
  if (needsNode(input)) nodeOf(input)
}

/** The same of the node: that it answers at all. */
export const requireNode = async (input: Input): Promise<void> => {
  if (needsNode(input)) await nodeOf(input).request({ method: "eth_chainId" })
}

/** A service that was restored from a backup, or that archived the plan, has another one prepared under the same key. */
const requireSame = (begun: PendingRecord | undefined, { id }: Plan): void => {
  if (!hasSigned(begun) || begun?.planId === undefined || begun.planId === id) return
  throw new CliFailure(
    ExitCode.unknown,
    `An earlier run signed for the plan ${begun.planId}, of which the service knows nothing any more.`,
    LOOK_FIRST
  )
}

/** Of what the wallet signed by itself the bytes may be kept here, by which its chain tells. */
const goesByBytes = ({ input, isWallets }: Carrying): boolean => !(input.has("sponsor") || isWallets === true)

const executedPerhaps = ({ id, planId, nextAction }: PublicUserOperation) =>
  new CliFailure(
    ExitCode.unknown,
    `The operation ${id} of the plan ${planId} of an earlier run was perhaps executed: ${nextAction.reason}.`,
    `"service operation submit ${id}" takes up what was, with its own signatures. If it did not do this, the same command with --anew does it.`
  )

/** The nonces at which somebody else may still have operations of it executed. */
const openNonces = async ({ client, isOnce }: Carrying, plan: Plan): Promise<ReadonlyArray<string>> => {
  if (isOnce === true || plan.smartAccount === undefined) return []
  const { doubtful, open } = await unsentOperations(client, plan)
  if (doubtful !== undefined) throw executedPerhaps(doubtful)
  return open.map(({ operation: { nonce } }) => nonce)
}

/** What may be executed of a plan that ended bounds what is signed for the next. */
const forgetPlan = async (
  work: Carrying,
  plan: Plan,
  pending: Pending,
  terminal: CommandTerminal
): Promise<void> => {
  const open = await openNonces(work, plan)
  const { signing = "", nonce: before } = (await pending.recall()) ?? {}
  const signed = await pendingOperation(work, terminal, plan.id).recall()
  const nonce = nonceLeft(plan, signed, { before, open })
  await (nonce === undefined ? pending.forget() : pending.keep({ signing, nonce }))
}

/** Older programs kept no word of what they signed. */
const markLeft = async (pending: Pending, { steps }: Plan): Promise<void> => {
  const begun = await pending.recall()
  if (hasSigned(begun) || !steps.some(wasHandedIn)) return
  await pending.keep({ ...begun, signing: new Date().toISOString() })
}

const prepared = async (work: Carrying, pending: Pending, terminal: CommandTerminal): Promise<Plan> => {
  const begun = await pending.recall()
  const { plan, replayed } = await preparedOnce(pending, terminal, work.create)
  requireSame(begun, plan)
  await pending.keep({ ...(await pending.recall()), planId: plan.id })
  if (!replayed) return plan
  const current = await work.client.plans.show(plan.id, { refresh: true })
  if (!isSpent(work, current)) {
    await markLeft(pending, current)
    return current
  }
  if (current.restoredAt !== undefined && hasSigned(begun)) {
    if (goesByBytes(work)) return current
    throw restoredSince(current)
  }
  if (goesByBytes(work)) await requireOver(work, current, terminal)
  await forgetPlan(work, current, pending, terminal)
  terminal.note("The plan of the earlier run has expired; preparing another one for what is left.")
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

interface Reviewing extends Carrying {
  readonly review: PlanReview
}

const tellingOf =
  (work: Reviewing, speech: Speech, terminal: CommandTerminal, watch: Patience) =>
  (progress: CarryProgress): void => {
    const { kind, plan, step } = progress
    if (kind === "turn") {
      const told = toldOf(work.review, step)
      watch.stop()
      speech.about(told, true)
      terminal.note(`step ${step.index + 1} of ${plan.steps.length}: ${told}`)
    }
    if (kind === "again") terminal.note(SENT_AGAIN)
    if (kind === "submitted") watch.start()
    if (kind === "change") noteChange(terminal, progress)
  }

const outcomeOf = (work: Carrying, plan: Plan): CommandOutcome => {
  const step = nextStep(plan)
  if (step === undefined) return standing(plan)
  if (step.transaction === undefined && hasExpired(work.client, plan)) throw expiredBefore(plan, step)
  return step.dispatch?.status === "unknown" ? stepOutcome(plan, step.index) : standing(plan, false)
}

const carried = async (work: Reviewing, plan: Plan, terminal: CommandTerminal): Promise<CommandOutcome> => {
  const { client, input } = work
  const seconds = timeoutOf(input)
  const speech = speechOn(terminal)
  const watch = patience(seconds)
  const tell = tellingOf(work, speech, terminal, watch)
  let latest = plan
  let handedIn: number | undefined
  try {
    const options = submitOptions({ ...work, plan, speech }, terminal)
    const onProgress = (progress: CarryProgress) => {
      latest = progress.plan
      if (progress.kind === "submitted") handedIn = progress.step.index
      tell(progress)
    }
    const { signal } = watch
    return outcomeOf(work, await client.plans.carryOut(plan, { ...options, onProgress, signal }))
  } catch (failure) {
    if (watch.signal.aborted) throw timedOut(plan.id, seconds)
    throw afterOthers(latest, await endedMeanwhile(failure, work, latest, terminal), handedIn)
  } finally {
    watch.stop()
  }
}

const nextOf = ({ isWallets, session }: Carrying, { id }: Plan): string => {
  if (session !== undefined) return `service session use ${session.id} ${id}`
  return isWallets === true
    ? "its owners sign an operation for it on that page"
    : `service plan submit ${id} 0`
}

const AS_BEFORE = "the same command without --plan-only goes on with it, as an earlier run began"

const planOnly = (shown: CommandOutcome, next: string): CommandOutcome => ({
  ...shown,
  text: `${shown.text}\n\nNext: ${next}.`
})

/** A program that reads no remarks learns by this that an earlier run had begun it. */
const continued = (outcome: CommandOutcome): CommandOutcome => ({
  ...outcome,
  json: { ...Object(outcome.json), continued: true }
})

export const carryPlan = async (work: Carrying, terminal: CommandTerminal): Promise<CommandOutcome> => {
  const { input } = work
  const kept = keptWork(work, terminal)
  const pending = kept.pending()
  await kept.requireOwn()
  const told = hasSigned(await pending.recall()) ? continued : (outcome: CommandOutcome) => outcome
  const plan = await prepared(work, pending, terminal)
  const { review, ...shown } = await shownPlan(work, plan)
  if (shown.exitCode !== ExitCode.ok || input.has("plan-only")) {
    const isBegun = hasSigned(await pending.recall())
    if (!isBegun) await pending.forget()
    if (shown.exitCode !== ExitCode.ok) return shown
    return planOnly(shown, isBegun ? AS_BEFORE : nextOf(work, plan))
  }
  terminal.note(shown.text)
  const onAgreed = () => kept.signing(plan)
  if (!goesByBytes(work)) {
    if (!input.has("anew")) await onAgreed()
    const signedBefore = (await pending.recall())?.nonce
    const outcome = work.isWallets
      ? await operated({ ...work, signedBefore, onAgreed }, plan, terminal)
      : await sponsored({ ...work, review, onAgreed }, plan, terminal)
    await settle(work, plan, kept.pending(), terminal)
    return told(outcome)
  }
  if (!(await mayGoOn(work, plan, terminal))) return declined(work, plan, pending)
  await onAgreed()
  const outcome = await carried({ ...work, review }, plan, terminal)
  await settle(work, plan, kept.pending(), terminal)
  return told(outcome)
}

/** One run at a time, whichever key of the account signs. */
export const carryAlone = (work: Carrying, terminal: CommandTerminal): Promise<CommandOutcome> =>
  alone(terminal, keptPlaces(work, work.client.account, ...work.meaning), () => carryPlan(work, terminal))
