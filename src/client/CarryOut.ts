/** A plan carried out step by step: signed or sent by its wallet, approved, submitted and followed; a second call goes on where the first ended. */

import type { PlanOwnership } from "../plans/CommittedText.ts"
import type { Call, Plan, Step } from "../plans/Plan.ts"
import { checkedPlan, requireWalletOf } from "./Commitment.ts"
import { AlteredPlan, ClientMisuse } from "./Errors.ts"
import { type NodeAddress, nodeAt } from "./Node.ts"
import { approveStep } from "./OwnerApproval.ts"
import type { TransactionTerms } from "./PlannedTransaction.ts"
import type { PlanCalls, StepSubmission } from "./Plans.ts"
import { retryDelay } from "./Retry.ts"
import type { ServiceClock } from "./ServiceClock.ts"
import type { Signer } from "./Signer.ts"
import { hasFailed, isDecided, isDone, mustGoAgain, nextStep } from "./StepStanding.ts"
import { keptStep, type Store } from "./Store.ts"
import { forgotten, heldByRestoration, type StepWork, submitOnce } from "./SubmitOnce.ts"
import type { System } from "./System.ts"
import type { TransactionWallet } from "./TransactionWallet.ts"
import { walletBytes } from "./WalletBytes.ts"
import { inTurn, releaseNonce, type WalletNonces } from "./WalletNonces.ts"
import type { StepChange } from "./WatchPlan.ts"

/** `turn`: the step is next; `again`: the bytes of an earlier call go; `submitted`; `change`: what watching it shows. */
export type CarryProgress =
  | { readonly kind: "turn" | "again" | "submitted"; readonly plan: Plan; readonly step: Step }
  | ({ readonly kind: "change" } & StepChange)

export interface SubmitOptions {
  /** The plan's own: a viem account, or `eip1193Wallet(provider, address)`. */
  readonly wallet: TransactionWallet
  /** Of the calls' chain: a URL, an EIP-1193 provider, or either by chain id. */
  readonly rpc: NodeAddress | ((chainId: number) => NodeAddress)
  /** Approves a bot's steps. */
  readonly owner?: Signer | undefined
  /** In memory when absent, for this process alone. */
  readonly store?: Store | undefined
  /** When absent the estimate and a quarter, and the node's fees. */
  readonly terms?: TransactionTerms | undefined
  /** Hashes by step, of what a wallet sent unseen. */
  readonly sent?: Readonly<Record<number, string>> | undefined
  readonly onProgress?: ((progress: CarryProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** What carrying out has of its client. */
export interface CarryMeans {
  readonly plans: PlanCalls
  readonly own: PlanOwnership
  readonly audience: () => Promise<string>
  readonly clock: ServiceClock
  readonly system: System
  readonly store: Store
}

/** By both clocks: this one may be ahead of that which admits. Of a while ago the service's word says nothing, but that a restored plan admits none. */
export const hasExpired = (
  { clock }: Pick<CarryMeans, "clock">,
  { status, expiresAt, restoredAt }: Plan,
  secondsAgo = 0
): boolean =>
  (status === "expired" && !(secondsAgo && !restoredAt)) ||
  (status !== "prepared" && expiresAt / 1000 + secondsAgo <= clock.seconds())

/** What arrived in time is admitted or refused by then. */
export const ADMITTED_SECONDS = 60

const noncesOf = (means: CarryMeans, { store, wallet }: SubmitOptions, chainId: number): WalletNonces => ({
  store: store ?? means.store,
  chainId,
  wallet: wallet.address,
  principal: async () => `${await means.audience()} ${means.own.principalId}`,
  show: planId => means.plans.show(planId, { refresh: true }),
  hasExpired: plan => hasExpired(means, plan, ADMITTED_SECONDS)
})

export const BOT = "bot:"
export const NEEDS_OWNER = "The owner approves a bot's steps."

export const isBot = ({ own }: CarryMeans): boolean => own.principalId.startsWith(BOT)

/** Nothing when the owner submits: the signed request is the approval. */
export const approving =
  (means: CarryMeans, { owner }: Pick<SubmitOptions, "owner">, plan: Plan, step: Step) =>
  async (rawSignedTransaction: string): Promise<StepSubmission> => {
    const { own, audience, clock, system } = means
    const { accountId, principalId } = own
    if (!isBot(means)) return { rawSignedTransaction }
    if (owner === undefined) throw new ClientMisuse(NEEDS_OWNER)
    const ownerApproval = await approveStep(owner, {
      audience: await audience(),
      accountId,
      grantId: principalId.slice(BOT.length),
      plan,
      stepIndex: step.index,
      rawSignedTransaction,
      issuedAt: clock.seconds(),
      system
    })
    return { rawSignedTransaction, ownerApproval }
  }

const callOf = ({ id, calls }: Plan, { index }: Step): Call => {
  const call = calls[index]
  if (call === undefined) throw new ClientMisuse(`The plan ${id} has no call ${index}.`)
  return call
}

/** The step's work, and the nonces of its wallet. */
export const workOf = (means: CarryMeans, options: SubmitOptions, plan: Plan, step: Step) => {
  const { wallet, rpc, terms = {}, sent, signal, onProgress } = options
  const call = callOf(plan, step)
  const nonces = noncesOf(means, options, call.chainId)
  const kept = keptStep(nonces.store, plan.id, step.index)
  const estimatedGas = async () => BigInt((await means.plans.simulate(plan.id, step.index)).estimatedGas)
  const node = nodeAt(typeof rpc === "function" ? rpc(call.chainId) : rpc)
  const about = { plan, step, call, wallet, node, terms, estimatedGas, kept, nonces, signal }
  const work: StepWork = {
    plan,
    step,
    kept,
    signal,
    system: means.system,
    bytes: before => walletBytes({ ...about, sentHash: sent?.[step.index] }, before),
    approved: approving(means, options, plan, step),
    submit: means.plans.submit,
    again: () => onProgress?.({ kind: "again", plan, step }),
    release: () => releaseNonce(nonces, { planId: plan.id, step: step.index })
  }
  return { work, nonces }
}

/** The plan that was given, as it is now; rejects where another one is shown in its place. */
export const currentPlan = async (
  { plans, own }: CarryMeans,
  { id, commitment }: { readonly id: string; readonly commitment?: string },
  signal: AbortSignal | undefined
): Promise<Plan> => {
  const plan = await checkedPlan(await plans.show(id, { refresh: true, signal }), own)
  if (plan.id !== id || (commitment ?? plan.commitment) !== plan.commitment) throw new AlteredPlan(id)
  return plan
}

/** Whether the chain has not shown it either. */
const isUnknown = async ({ plans }: CarryMeans, { id }: Plan, { index }: Step): Promise<boolean> =>
  (await plans.show(id, { refresh: true })).steps[index]?.state === "unknown"

/** Of looks that show a step's bytes nowhere, before the same bytes go again. */
const MOST_IN_VAIN = 4

/**
 * Whether the step is done, and the next one can go; undefined where its bytes were lost meanwhile. Of bytes that were
 * lost what became of the first is followed on where they cannot go again now.
 */
const carriedStep = async (
  means: CarryMeans,
  options: SubmitOptions,
  plan: Plan,
  step: Step,
  wasLost: boolean
): Promise<boolean | undefined> => {
  const { onProgress, signal } = options
  const { work, nonces } = workOf(means, options, plan, step)
  const tell = wasLost ? undefined : onProgress
  tell?.({ kind: "turn", plan, step })
  if (step.transaction === undefined && step.execution !== undefined)
    throw new ClientMisuse(`Step ${step.index} is sponsored: go on with sponsorships.carryOut.`)
  const { asked, submission } = (await work.kept.recall()) ?? {}
  const mayHaveLeft = asked ?? (plan.restoredAt && submission)
  const isOver = hasExpired(means, plan, submission === undefined ? 0 : ADMITTED_SECONDS)
  if (step.transaction === undefined && isOver && !mayHaveLeft) {
    if (plan.restoredAt) throw heldByRestoration(plan, step)
    await inTurn(nonces, () => forgotten(work))
    return false
  }
  if (step.transaction === undefined || mustGoAgain(step)) {
    const answer = await inTurn(nonces, () => submitOnce(work)).catch(failure => {
      if (!wasLost || retryDelay(failure, 0, means.system) === undefined) throw failure
    })
    if (answer?.dispatch.status === "unknown" && (await isUnknown(means, plan, step))) return false
  }
  tell?.({ kind: "submitted", plan, step })
  let inVain = 0
  const watched = await means.plans.watch(plan.id, {
    signal,
    until: each => {
      const shown = each.steps[step.index] ?? step
      inVain = mustGoAgain(shown) ? inVain + 1 : 0
      return inVain > MOST_IN_VAIN || isDecided(each, shown)
    },
    onProgress: change => onProgress?.({ kind: "change", ...change })
  })
  return inVain > MOST_IN_VAIN ? undefined : isDone(watched, step.index)
}

/** What is kept of steps that are done, until nothing more of the plan is signed: they may be shown as undone again. */
const tidied = async (means: CarryMeans, options: SubmitOptions, plan: Plan): Promise<Plan> => {
  for (const step of plan.steps) {
    const { work, nonces } = workOf(means, options, plan, step)
    if (isDone(plan, step.index)) await inTurn(nonces, () => forgotten(work))
  }
  return plan
}

export const carryOut = async (means: CarryMeans, plan: Plan, options: SubmitOptions): Promise<Plan> => {
  requireWalletOf(plan, options.wallet)
  if (isBot(means) && options.owner === undefined) throw new ClientMisuse(NEEDS_OWNER)
  await checkedPlan(plan, means.own)
  let carried: boolean | undefined = true
  do {
    const now = await currentPlan(means, plan, options.signal)
    const step = nextStep(now)
    if (step === undefined || hasFailed(now, step.index)) return tidied(means, options, now)
    const wasLost: boolean = carried === undefined && step.transaction !== undefined
    carried = await carriedStep(means, options, now, step, wasLost)
  } while (carried !== false)
  const last = await currentPlan(means, plan, options.signal)
  return hasExpired(means, last) ? tidied(means, options, last) : last
}
