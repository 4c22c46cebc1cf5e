/** A wallet's plan carried out by operations, one for each step: prepared, said, signed by its owners or a session's key, sent once and followed; the same command goes on after a crash. */
import { checkOperationOfSession } from "../client/CheckSessionOperation.ts"
import { checkUserOperation } from "../client/CheckUserOperation.ts"
import { AlteredPlan, ClientMisuse, ServiceProblem } from "../client/Errors.ts"
import { envelopeOfOwners, ownersPart } from "../client/OwnerSigning.ts"
import { isLastingRefusal } from "../client/Retry.ts"
import { signSessionOperation } from "../client/SessionSigning.ts"
import { hasFailed, nextStep } from "../client/StepStanding.ts"
import type { Plan, Step } from "../plans/Plan.ts"
import type { PublicSession } from "../sessions/Session.ts"
import type { PublicUserOperation } from "../useroperations/PublicUserOperation.ts"
import { agreedOnTerminal } from "./Agree.ts"
import type { CommandOutcome, CommandTerminal } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { afterOthers, notSigned } from "./NotSigned.ts"
import { operationText, requestOf, toSignText } from "./OperationText.ts"
import { leftToOthers, ownerParts } from "./OwnerParts.ts"
import { type Patience, patience } from "./Patience.ts"
import type { Pending, PendingRecord } from "./Pending.ts"
import { toSignByKeyText } from "./SessionText.ts"
import {
  forgetOperation,
  noncesWith,
  pendingOperation,
  requireSameNonce,
  signedNonces
} from "./SignedNonces.ts"
import { isSentPerhaps } from "./SignOperation.ts"
import { SENT_AGAIN } from "./SubmitStep.ts"
import { standing, timeoutOf } from "./Watch.ts"

export interface Operating extends Connection {
  readonly input: Input
  /** Whose key signs, instead of the wallet's owners. */
  readonly session?: PublicSession | undefined
  /** Its chain does it once, however many operations of it are executed. */
  readonly isOnce?: boolean
  /** The nonce that something was signed at for a plan which this one replaces. */
  readonly signedBefore?: string | undefined
  /** Once somebody agreed to sign. */
  readonly onAgreed?: () => Promise<void>
}

interface Round {
  readonly work: Operating
  readonly terminal: CommandTerminal
  readonly plan: Plan
  readonly pending: Pending
  readonly watch: Patience
  /** The service has an operation for the step. */
  readonly onSent: (step: number) => void
}

const OPERATED = "eip4337-user-operation"

const agreedToSend = async ({ work: { input, onAgreed }, terminal, plan }: Round): Promise<boolean> => {
  const agreed = await agreedOnTerminal(
    input,
    terminal,
    "Sign and send it?",
    `the plan ${plan.id}`,
    "The same command with --yes goes on with this operation."
  )
  if (agreed) await onAgreed?.()
  return agreed
}

const nothingSigned = (plan: Plan, operation: PublicUserOperation): CommandOutcome =>
  notSigned(plan, operation.stepIndexes, { ...operation, plan })

/** What is kept of this step: of another it says nothing. A record of an older program names none, and is of whichever is next. */
const keptOf = async ({ pending }: Round, { index }: Step): Promise<PendingRecord | undefined> => {
  const record = await pending.recall()
  return record?.step === undefined || record.step === String(index) ? record : undefined
}

/** That which has the step, or one that is prepared for it. */
const begun = async (round: Round, step: Step): Promise<PublicUserOperation> => {
  const { work, plan, pending } = round
  const { index, execution } = step
  const { userOperations } = work.client
  if (execution?.transport === OPERATED) return userOperations.show(execution.bindingId)
  if (execution !== undefined) throw new ClientMisuse(`Step ${index} left by another way: watch the plan.`)
  const nonces = signedNonces(await pending.recall())
  const kept = await keptOf(round, step)
  const record = { prepare: crypto.randomUUID(), ...nonces, ...kept, step: String(index) }
  await pending.keep(record)
  try {
    const asked = { stepIndexes: [index], sessionId: work.session?.id, idempotencyKey: record.prepare }
    const { operation } = await userOperations.prepare(plan.id, asked)
    return userOperations.show(operation.id)
  } catch (failure) {
    if (isLastingRefusal(failure) && plan.restoredAt === undefined) await forgetOperation(pending)
    throw failure
  }
}

/** The outcome where owners are missing, or nobody agreed. */
const signedByOwners = async (
  round: Round,
  operation: PublicUserOperation
): Promise<CommandOutcome | string> => {
  const { work, terminal, plan } = round
  const { client, input, identity } = work
  await checkUserOperation({ client, plan, operation })
  const request = requestOf(operation, plan)
  const signing = ownersPart(operation)
  if (request.digest !== signing.digest)
    throw new AlteredPlan(plan.id, "its digest differs", "operation for the plan")
  terminal.note(toSignText(operation, plan, client.clock.seconds() * 1000))
  if (!(await agreedToSend(round))) return nothingSigned(plan, operation)
  const parts = await ownerParts({ input, identity }, terminal, request, signing)
  if (parts.length < signing.threshold)
    return leftToOthers({ input, identity }, request, parts, signing.threshold)
  return envelopeOfOwners(signing, parts)
}

const signedBySession = async (
  round: Round,
  operation: PublicUserOperation,
  session: PublicSession
): Promise<CommandOutcome | string> => {
  const { work, terminal, plan } = round
  const { client, identity } = work
  const about = { client, plan, operation, session }
  await checkOperationOfSession(about)
  terminal.note(toSignByKeyText(operation, session, client.clock.seconds() * 1000))
  return (await agreedToSend(round))
    ? signSessionOperation(identity.wallet, about)
    : nothingSigned(plan, operation)
}

const signed = async (round: Round, operation: PublicUserOperation): Promise<CommandOutcome | string> => {
  const { work, terminal, pending } = round
  const record = (await pending.recall()) ?? {}
  if (record.operation === operation.id && record.signature !== undefined) {
    terminal.note(SENT_AGAIN)
    return record.signature
  }
  if (work.isOnce !== true) requireSameNonce(record, operation, work.signedBefore)
  const signature =
    work.session === undefined
      ? await signedByOwners(round, operation)
      : await signedBySession(round, operation, work.session)
  if (typeof signature !== "string") return signature
  const submitting = { operation: operation.id, signature, submit: crypto.randomUUID() }
  await pending.keep({ ...noncesWith(record, operation), ...submitting })
  return signature
}

const CHANGED = ["USER_OPERATION_EXPIRED", "USER_OPERATION_NONCE_CHANGED", "SMART_ACCOUNT_CHANGED"]

const notTakenUp = ({ id, nextAction }: PublicUserOperation) =>
  new CliFailure(
    ExitCode.unknown,
    `The operation ${id} is not known to be executed: ${nextAction.reason}.`,
    "The same command tries again, and prepares no other one."
  )

/** Undefined where nothing left, and another operation is to be prepared. */
const sent = async (
  { work, plan, pending }: Round,
  operation: PublicUserOperation,
  signature: string
): Promise<PublicUserOperation | undefined> => {
  const { userOperations } = work.client
  const idempotencyKey = (await pending.recall())?.submit
  try {
    return (await userOperations.submit(operation.id, { signature }, { idempotencyKey })).operation
  } catch (failure) {
    if (!(failure instanceof ServiceProblem)) throw failure
    const now = await userOperations.show(operation.id).catch(() => {
      throw failure
    })
    if (now.submission !== undefined) return now
    if (!CHANGED.includes(failure.code)) throw failure
    if (isSentPerhaps(now, plan)) throw notTakenUp(now)
    await forgetOperation(pending)
    return undefined
  }
}

const followed = async ({ work, terminal, watch }: Round, operation: PublicUserOperation) => {
  watch.start()
  const { signal } = watch
  const onProgress = (now: PublicUserOperation): void => terminal.note(operationText(now))
  const done = await work.client.userOperations.watch(operation.id, { onProgress, signal })
  watch.stop()
  return done
}

/** Each time owners sign anew. */
const MOST_PREPARATIONS = 3

/** The outcome where the work ends here. */
const stepDone = async (round: Round, step: Step): Promise<CommandOutcome | undefined> => {
  for (let prepared = 0; prepared < MOST_PREPARATIONS; prepared++) {
    let operation: PublicUserOperation | undefined = await begun(round, step)
    const isLate = isSentPerhaps(operation, round.plan)
    if (isLate) round.terminal.note(operationText(operation))
    if (isLate || operation.nextAction.kind === "sign") {
      const answer = await signed(round, operation)
      if (typeof answer !== "string") return answer
      operation = await sent(round, operation, answer)
    }
    if (operation === undefined) continue
    if (operation.submission !== undefined) round.onSent(step.index)
    const ended = operation.nextAction.kind === "wait" ? await followed(round, operation) : operation
    if ((await keptOf(round, step)) !== undefined) await forgetOperation(round.pending)
    if (ended.nextAction.kind !== "prepare-again" || ended.submission !== undefined) return undefined
    round.terminal.note(operationText(ended))
  }
  throw new ClientMisuse(`The operation for step ${step.index} ended each time before it was sent.`)
}

const carried = async (started: Omit<Round, "onSent">): Promise<CommandOutcome> => {
  const { work, plan } = started
  let now = plan
  let handedIn: number | undefined
  const onSent = (step: number): void => {
    handedIn = step
  }
  try {
    for (;;) {
      const step = nextStep(now)
      if (step === undefined && now.status !== "blocked") await started.pending.forget()
      if (step === undefined || hasFailed(now, step.index)) return standing(now)
      const ended = await stepDone({ ...started, plan: now, onSent }, step)
      if (ended !== undefined) return ended
      const after = await work.client.plans.show(plan.id, { refresh: true })
      if (nextStep(after)?.index === step.index) return standing(after)
      now = after
    }
  } catch (failure) {
    throw afterOthers(now, failure, handedIn)
  }
}

export const operated = async (
  work: Operating,
  plan: Plan,
  terminal: CommandTerminal
): Promise<CommandOutcome> => {
  const seconds = timeoutOf(work.input)
  const watch = patience(seconds)
  const pending = pendingOperation(work, terminal, plan.id)
  try {
    return await carried({ work, terminal, plan, pending, watch })
  } catch (failure) {
    if (!watch.signal.aborted) throw failure
    throw new CliFailure(
      ExitCode.unconfirmed,
      `Not decided after ${seconds} seconds.`,
      "It goes on without this command; the same command, or a longer --timeout, follows it."
    )
  } finally {
    watch.stop()
  }
}
