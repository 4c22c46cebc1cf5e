/** A plan carried out at another's cost: each round's requests prepared, signed, published once, paid for and followed; a second call goes on where the first ended. */
import type { Plan, Step } from "../plans/Plan.ts"
import { SPONSORED } from "../sponsorship/CommittedSponsorship.ts"
import type { Sponsorship } from "../sponsorship/Sponsorship.ts"
import { newIdempotencyKey } from "./Caller.ts"
import {
  BOT,
  type CarryMeans,
  type CarryProgress,
  carryOut,
  currentPlan,
  isBot,
  NEEDS_OWNER,
  type SubmitOptions
} from "./CarryOut.ts"
import type { CheckingClient } from "./CheckSponsorship.ts"
import { chosenPayment } from "./ChosenPayment.ts"
import { checkedPlan } from "./Commitment.ts"
import { AlteredPlan, ClientMisuse, isRefusedBy } from "./Errors.ts"
import { approveSponsorship } from "./OwnerApproval.ts"
import { checkPayment, checkQuote } from "./PayForSponsorship.ts"
import { isLastingRefusal } from "./Retry.ts"
import type { Signer } from "./Signer.ts"
import { signForwardRequests } from "./SignForwardRequests.ts"
import { isEnded, isOpen, isUnderWay } from "./SponsorshipStanding.ts"
import type { SponsorshipCalls, SponsorshipPublication } from "./Sponsorships.ts"
import { hasFailed, isDone, nextStep } from "./StepStanding.ts"
import { type Kept, keptSponsorship, type StepRecord } from "./Store.ts"
import type { TransactionWallet } from "./TransactionWallet.ts"

/** `turn`: requests are to be signed; `again`: those signed before go; `change`: what became of them. */
export interface SponsorProgress {
  readonly kind: "turn" | "again" | "change"
  readonly plan: Plan
  readonly sponsorship: Sponsorship
}

export interface SponsorOptions extends Pick<SubmitOptions, "owner" | "store" | "signal" | "rpc" | "terms"> {
  /** The plan's own, which pays too. */
  readonly wallet: Signer & TransactionWallet
  /** Asked before the owner signs and pays. */
  readonly agree?: ((plan: Plan, sponsorship: Sponsorship) => boolean | Promise<boolean>) | undefined
  readonly onProgress?: ((progress: SponsorProgress) => void) | undefined
  /** Of the plan that pays. */
  readonly onPayment?: ((progress: CarryProgress) => void) | undefined
}

export interface SponsoredPlan {
  readonly plan: Plan
  /** The last that there was, as it is. */
  readonly sponsorship?: Sponsorship | undefined
}

export interface SponsorMeans extends CarryMeans {
  readonly client: CheckingClient
  readonly sponsorships: SponsorshipCalls
}

/** One round. */
interface Round {
  readonly means: SponsorMeans
  readonly options: SponsorOptions
  readonly plan: Plan
  readonly kept: Kept<StepRecord>
}

/** That which has the step, or one that is prepared for it. */
const begun = async ({ means, plan, kept }: Round, { index, execution }: Step): Promise<Sponsorship> => {
  const { sponsorships, system } = means
  if (execution?.transport === SPONSORED) return sponsorships.show(execution.bindingId, { refresh: true })
  if (execution !== undefined)
    throw new ClientMisuse(
      `Step ${index} left as the wallet's own transaction, which has to confirm first: watch the plan.`
    )
  const before = await kept.recall()
  const record = { create: newIdempotencyKey(system), ...before }
  await kept.keep(record)
  try {
    return (await sponsorships.create(plan.id, { idempotencyKey: record.create })).sponsorship
  } catch (failure) {
    if (isLastingRefusal(failure) && !plan.restoredAt) await kept.forget()
    throw failure
  }
}

const approved = async (
  { means, options }: Round,
  sponsorship: Sponsorship,
  signatures: ReadonlyArray<string>
): Promise<SponsorshipPublication> => {
  if (!isBot(means)) return { signatures }
  if (options.owner === undefined) throw new ClientMisuse(NEEDS_OWNER)
  const { own, audience, clock, system } = means
  const ownerApproval = await approveSponsorship(options.owner, {
    audience: await audience(),
    accountId: own.accountId,
    grantId: own.principalId.slice(BOT.length),
    sponsorship,
    signatures,
    issuedAt: clock.seconds(),
    system
  })
  return { signatures, ownerApproval }
}

/** What leaves is kept before. */
const recorded = async (
  round: Round,
  sponsorship: Sponsorship,
  signatures: ReadonlyArray<string>
): Promise<StepRecord> => {
  const publication = JSON.stringify(await approved(round, sponsorship, signatures))
  const publish = newIdempotencyKey(round.means.system)
  const record = { ...(await round.kept.recall()), sponsorship: sponsorship.id, publication, publish }
  await round.kept.keep(record)
  return record
}

const publicationIn = ({ publication = "{}" }: StepRecord): SponsorshipPublication => JSON.parse(publication)

const toPublish = async (round: Round, sponsorship: Sponsorship): Promise<StepRecord> => {
  const { means, options, plan, kept } = round
  const before = await kept.recall()
  const isKept = before?.sponsorship === sponsorship.id
  options.onProgress?.({ kind: isKept ? "again" : "turn", plan, sponsorship })
  if (isKept) return before
  const [about, signed] = [{ client: means.client, plan, sponsorship }, { ...before }]
  try {
    return await recorded(round, sponsorship, await signForwardRequests(options.wallet, about, signed))
  } catch (failure) {
    await kept.keep(signed)
    throw failure
  }
}

const CHANGED = ["FORWARD_REQUEST_CHANGED", "FORWARD_REQUEST_EXPIRED"]

/** Undefined where nothing left, and other requests are to be prepared. */
const published = async (round: Round, sponsorship: Sponsorship): Promise<Sponsorship | undefined> => {
  const { means, kept, options } = round
  const { sponsorships } = means
  const publish = async (record: StepRecord) => {
    const keyed = { idempotencyKey: record.publish, signal: options.signal }
    return (await sponsorships.submit(sponsorship.id, publicationIn(record), keyed)).sponsorship
  }
  const record = await toPublish(round, sponsorship)
  const anew = async (failure: unknown) => {
    if (!isRefusedBy(failure, "OWNER_APPROVAL_EXPIRED")) throw failure
    return publish(await recorded(round, sponsorship, publicationIn(record).signatures))
  }
  try {
    return await publish(record).catch(anew)
  } catch (failure) {
    if (!isLastingRefusal(failure)) throw failure
    const now = await sponsorships.show(sponsorship.id)
    if (now.submission) return now
    await kept.forget()
    if (CHANGED.includes(failure.code)) return undefined
    throw failure
  }
}

/** That which is open, or one for the payment that was agreed to. */
const paymentPlan = async (round: Round, sponsorship: Sponsorship): Promise<Plan> => {
  const { means, options, plan, kept } = round
  const { id, funding } = sponsorship
  if (funding !== undefined) return currentPlan(means, { id: funding.planId }, options.signal)
  const record = { pay: newIdempotencyKey(means.system), ...(await kept.recall()) }
  await kept.keep(record)
  const asked = { chainId: chosenPayment(sponsorship)?.chainId ?? 0, payer: plan.account }
  return (await means.sponsorships.createFundingPlan(id, asked, { idempotencyKey: record.pay })).plan
}

/** Whether the payment is confirmed. */
const pay = async ({ means, options, kept }: Round, payment: Plan): Promise<boolean> => {
  const { status } = await carryOut(means, payment, { ...options, onProgress: options.onPayment })
  if (status === "expired") {
    const { pay: _, agreed: __, payment: ___, ...rest } = (await kept.recall()) ?? {}
    await kept.keep(rest)
  }
  return status === "transactions_confirmed"
}

/** That which was proved and agreed to here: its bytes may have to go again. Of another, nothing is signed. */
const ownPayment = async ({ means, options, kept }: Round, { funding }: Sponsorship) => {
  const payment = (await kept.recall())?.payment
  if (payment === undefined || funding === undefined) return undefined
  const shown = await currentPlan(means, { id: funding.planId }, options.signal)
  return shown.commitment === payment ? shown : undefined
}

/** An agreement is to one payment of one quote. */
const isAgreed = async ({ options, plan, kept }: Round, sponsorship: Sponsorship): Promise<boolean> => {
  const record = await kept.recall()
  const agreed = `${sponsorship.quote?.commitment}:${chosenPayment(sponsorship)?.chainId}`
  if (record?.agreed === agreed) return true
  if (!(await options.agree?.(plan, sponsorship))) return false
  await kept.keep({ ...record, agreed })
  return true
}

/** Whether the payment is agreed to, made and confirmed. */
const paid = async (round: Round, sponsorship: Sponsorship): Promise<boolean> => {
  const { means, kept } = round
  if (isBot(means)) return sponsorship.nextAction.kind === "wait"
  const record = await kept.recall()
  const isKept = record?.sponsorship === sponsorship.id
  await checkQuote(sponsorship, isKept ? publicationIn(record).signatures : undefined)
  if (!(await isAgreed(round, sponsorship))) return false
  const payment = await paymentPlan(round, sponsorship)
  const chosen = chosenPayment(sponsorship)
  checkPayment(sponsorship, payment, chosen && [chosen])
  const agreed = { payment: payment.commitment, ...(await kept.recall()) }
  if (agreed.payment !== payment.commitment)
    throw new AlteredPlan(sponsorship.planId, "another plan was to pay for it")
  await kept.keep(agreed)
  return pay(round, payment)
}

/** Of one that ended nothing more is sent by this client. */
const settled = async (round: Round, sponsorship: Sponsorship): Promise<Sponsorship> => {
  if (!isEnded(sponsorship)) return sponsorship
  const isPaid = sponsorship.funding?.state === "confirmed"
  const payment = isPaid ? await ownPayment(round, sponsorship) : undefined
  if (payment) await pay(round, payment)
  await round.kept.forget()
  return sponsorship
}

/** As far as it goes by itself and by what the wallet signs. Undefined where another is to be prepared. */
const followed = async (round: Round, step: Step): Promise<Sponsorship | undefined> => {
  const { means, options, plan, kept } = round
  const { agree, onProgress, signal } = options
  const change = (now: Sponsorship) => onProgress?.({ kind: "change", plan, sponsorship: now })
  let sponsorship: Sponsorship | undefined = await begun(round, step)
  while (sponsorship) {
    const { kind } = sponsorship.nextAction
    if (kind === "sign") {
      const isSigned = (await kept.recall())?.sponsorship === sponsorship.id
      if (!isSigned && agree && !(await agree(plan, sponsorship))) return sponsorship
      sponsorship = await published(round, sponsorship)
      if (sponsorship) change(sponsorship)
    } else if (isOpen(sponsorship)) {
      const begun = isUnderWay(sponsorship) ? await ownPayment(round, sponsorship) : undefined
      const isToPay = kind !== "wait" || begun !== undefined
      if (isToPay && !(await (begun ? pay(round, begun) : paid(round, sponsorship))))
        return means.sponsorships.show(sponsorship.id)
      const until = !isToPay ? undefined : (now: Sponsorship) => !isOpen(now)
      sponsorship = await means.sponsorships.watch(sponsorship.id, { signal, onProgress: change, until })
    } else {
      await settled(round, sponsorship)
      /** What ended for steps that are done by now is an earlier call's. */
      return sponsorship.authorizations.some(each => each.stepIndex === step.index) ? sponsorship : undefined
    }
  }
  return undefined
}

/** That which an earlier call began, and which went on without this client. */
const ofBefore = async (round: Round): Promise<Sponsorship | undefined> => {
  const record = await round.kept.recall()
  if (record?.sponsorship === undefined) return undefined
  return settled(round, await round.means.sponsorships.show(record.sponsorship, { refresh: true }))
}

/** Each time the requests are signed anew. */
const MOST_PREPARATIONS = 3

export const sponsorPlan = async (
  means: SponsorMeans,
  plan: Plan | string,
  options: SponsorOptions
): Promise<SponsoredPlan> => {
  if (!options.agree && !isBot(means)) throw new ClientMisuse("Give agree: it is asked before paying.")
  const asked = typeof plan === "string" ? { id: plan } : await checkedPlan(plan, means.own)
  const kept = keptSponsorship(options.store ?? means.store, asked.id)
  let sponsorship: Sponsorship | undefined
  let done = -1
  for (let refused = 0; refused < MOST_PREPARATIONS; ) {
    const now = await currentPlan(means, asked, options.signal)
    const step = nextStep(now)
    const round = { means, options, plan: now, kept }
    /** One that was done is not prepared again, however it is shown by now. */
    const isAgain = step !== undefined && step.index <= done && step.execution === undefined
    if (step === undefined || isAgain || hasFailed(now, step.index))
      return { plan: now, sponsorship: sponsorship ?? (await ofBefore(round)) }
    const ended = await followed(round, step)
    if (!ended) refused += 1
    else {
      sponsorship = ended
      const after = await currentPlan(means, asked, options.signal)
      if (!isDone(after, step.index)) return { plan: after, sponsorship }
      done = step.index
    }
  }
  throw new ClientMisuse(`The requests of the plan ${asked.id} changed each time.`)
}
