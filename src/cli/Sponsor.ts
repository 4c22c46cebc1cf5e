/** A plan whose gas somebody else pays: its requests shown in words, agreed to, signed, published and followed; the same command goes on after a crash. */

import type { CarryProgress } from "../client/CarryOut.ts"
import { baseFee, suggestedTip } from "../client/Node.ts"
import type { SponsorOptions, SponsorProgress } from "../client/SponsorPlan.ts"
import type { Plan } from "../plans/Plan.ts"
import type { PlanReview } from "../review/PlanReview.ts"
import { sponsorSentence } from "../review/SponsorReview.ts"
import { sentence } from "../review/Words.ts"
import type { Sponsorship } from "../sponsorship/Sponsorship.ts"
import { agreedOnTerminal } from "./Agree.ts"
import type { CommandOutcome, CommandTerminal } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { afterOthers, notSigned } from "./NotSigned.ts"
import { patience } from "./Patience.ts"
import { stepText } from "./PlanText.ts"
import { speechOn, submitOptions } from "./Signing.ts"
import { nodeOf } from "./SignTransaction.ts"
import { priceOf, requestsText, sponsorshipText } from "./SponsorshipText.ts"
import { SENT_AGAIN } from "./SubmitStep.ts"
import { standing, timeoutOf } from "./Watch.ts"

export interface Sponsoring extends Connection {
  readonly input: Input
  readonly review: PlanReview
  /** Once somebody agreed to sign. */
  readonly onAgreed?: () => Promise<void>
}

/** Undefined where the node does not say. */
const weiPerGas = async (input: Input): Promise<bigint | undefined> => {
  try {
    const node = nodeOf(input)
    return (await baseFee(node)) + (await suggestedTip(node))
  } catch {
    return undefined
  }
}

/** The requests that are to be signed, or the payment that they wait for. */
const questionOf = (sponsorship: Sponsorship): string => {
  const { nextAction, authorizations } = sponsorship
  if (nextAction.kind !== "sign") return `Pay ${sentence(priceOf(sponsorship))} from the plan's wallet?`
  const { length } = authorizations
  return `Sign and publish ${length === 1 ? "this request" : `these ${length} requests`}?`
}

const agreeing =
  (
    { input, client, onAgreed }: Sponsoring,
    terminal: CommandTerminal
  ): NonNullable<SponsorOptions["agree"]> =>
  async ({ id }, sponsorship) => {
    const now = client.clock.seconds() * 1000
    const isToSign = sponsorship.nextAction.kind === "sign"
    const price = isToSign ? await weiPerGas(input) : undefined
    terminal.note(sentence(sponsorSentence(sponsorship, now, price)))
    terminal.note(isToSign ? requestsText(sponsorship, now) : sponsorshipText(sponsorship))
    const agreed = await agreedOnTerminal(
      input,
      terminal,
      questionOf(sponsorship),
      isToSign ? `the requests of the plan ${id}` : `the payment for the plan ${id}`,
      `The same command with --yes goes on with this plan, and so does "service sponsor ${id}".`
    )
    if (agreed) await onAgreed?.()
    return agreed
  }

const goesOnBy = (id: string) =>
  `It goes on without this command: service sponsor ${id}, or a longer --timeout.`

/** Decided without success, or not yet. */
const exitCodeOf = (sponsorship: Sponsorship | undefined, isConfirmed: boolean): ExitCode => {
  if (isConfirmed) return ExitCode.ok
  return sponsorship?.state === "submission_unknown" ? ExitCode.unknown : ExitCode.unconfirmed
}

const outcomeOf = (plan: Plan, sponsorship: Sponsorship | undefined): CommandOutcome => {
  const shown = standing(plan)
  const text = sponsorship === undefined ? shown.text : `${sponsorshipText(sponsorship)}\n${shown.text}`
  const json = { plan, sponsorship }
  if (sponsorship?.state === "prepared")
    return notSigned(
      plan,
      sponsorship.authorizations.map(({ stepIndex }) => stepIndex),
      json
    )
  return { json, text, exitCode: exitCodeOf(sponsorship, shown.exitCode === ExitCode.ok) }
}

const notDecided = (id: string, seconds: number, last: Sponsorship | undefined) =>
  new CliFailure(
    exitCodeOf(last, false),
    last?.recovery ?? `Not decided after ${seconds} seconds.`,
    goesOnBy(id)
  )

export const sponsored = async (
  work: Sponsoring,
  plan: Plan,
  terminal: CommandTerminal
): Promise<CommandOutcome> => {
  const { client, input } = work
  const seconds = timeoutOf(input)
  const watch = patience(seconds)
  let last: Sponsorship | undefined
  let latest = plan
  let handedIn: number | undefined
  let told = ""
  const tell = (sponsorship: Sponsorship): void => {
    const text = sponsorshipText(sponsorship)
    if (text !== told) terminal.note(text)
    told = text
  }
  const onProgress = ({ kind, sponsorship, plan: now }: SponsorProgress): void => {
    last = sponsorship
    latest = now
    if (sponsorship.submission !== undefined) handedIn = sponsorship.authorizations[0]?.stepIndex
    if (kind === "change") watch.start()
    else watch.stop()
    if (kind === "again") terminal.note(SENT_AGAIN)
    if (kind === "change") tell(sponsorship)
  }
  const signing = submitOptions({ ...work, plan, speech: speechOn(terminal) }, terminal)
  const onPayment = (progress: CarryProgress): void => {
    if (progress.kind === "turn") watch.stop()
    if (progress.kind === "submitted") watch.start()
    if (progress.kind === "change") terminal.note(`payment  ${stepText(progress.step)}`)
  }
  const { signal } = watch
  const options = { ...signing, agree: agreeing(work, terminal), onProgress, onPayment, signal }
  try {
    const carried = await client.sponsorships.carryOut(plan, options)
    return outcomeOf(carried.plan, carried.sponsorship)
  } catch (failure) {
    throw watch.signal.aborted ? notDecided(plan.id, seconds, last) : afterOthers(latest, failure, handedIn)
  } finally {
    watch.stop()
  }
}
