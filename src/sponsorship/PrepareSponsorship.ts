/** Prepares forward requests for steps of a plan, each chain's at one head of it; nothing is reserved by that. */
import { createHash } from "node:crypto"
import { Effect, Option } from "effect"
import { type Actor, Principal } from "../accounts/Principal.ts"
import { requestKey } from "../auth/Idempotency.ts"
import { believingReverts } from "../chain/BelievedRevert.ts"
import { findOwnPlan } from "../dispatch/OwnPlan.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { PlanAccountMismatch, PlanTooLarge } from "../plans/refusals.ts"
import { PinnedContracts, type PinnedSnapshot } from "../protocol/PinnedContracts.ts"
import { Settings } from "../settings/Settings.ts"
import { eachAtOnce } from "../values/EachAtOnce.ts"
import { failpoint } from "../values/Failpoint.ts"
import { forEachAtOnce } from "../values/ForEachAtOnce.ts"
import { RandomIds } from "../values/RandomIds.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import { committedSponsorshipText, type SponsorshipTerms } from "./CommittedSponsorship.ts"
import { forwarderAt, theForwarder } from "./ForwarderAt.ts"
import { publicSponsorship } from "./PublicSponsorship.ts"
import { storedSponsorship } from "./ReadSponsorships.ts"
import { gasOfCalls } from "./RunCalls.ts"
import { ForwardGasBound, SponsorshipUnavailable } from "./refusals.ts"
import { refuseUnpayable } from "./SentValue.ts"
import { type SponsoredStep, sponsoredSteps } from "./SponsoredSteps.ts"
import { type Authorization, MAXIMUM_SPONSORSHIP_BYTES } from "./Sponsorship.ts"
import type { StoredSponsorship } from "./SponsorshipRow.ts"
import { SponsorshipStore } from "./SponsorshipStore.ts"
import type { NewSponsorship } from "./StoreSponsorship.ts"
import { trustingTargets } from "./TrustingTarget.ts"

export interface AskedSponsorship {
  readonly planId: string
  readonly stepIndexes?: ReadonlyArray<number> | undefined
}

const requestsAt = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  steps: ReadonlyArray<SponsoredStep>,
  wallet: Address
) {
  const { maximumGas, requestSeconds } = (yield* Settings).sponsorship
  const { chainId, evidence, block } = snapshot
  const calls = steps.map(({ call }) => call)
  const deployed = yield* theForwarder(snapshot)
  const forwarder = deployed.address
  const [found, trusted, run] = yield* eachAtOnce([
    forwarderAt(snapshot, deployed, wallet),
    trustingTargets(
      snapshot,
      steps.map(({ stepIndex, call: { to } }) => ({ stepIndex, to })),
      forwarder
    ),
    gasOfCalls(snapshot, calls, wallet)
  ])
  const { domain, forwarderCodeHash, nonce } = yield* found
  const targets = yield* trusted
  const gas = yield* run
  const deadline = String(block.timestamp + BigInt(requestSeconds))
  return yield* Effect.forEach(steps, ({ stepIndex, call: { to, value, data } }, position) => {
    const needed = gas[position] ?? 0n
    const targetCodeHash = targets[position]
    if (targetCodeHash === undefined) return Effect.dieMessage("a sponsored step has no target")
    if (needed > maximumGas)
      return Effect.fail(
        new ForwardGasBound({ context: { stepIndex, gas: String(needed), maximum: String(maximumGas) } })
      )
    const numbers = { gas: String(needed), nonce: String(nonce + BigInt(position)), deadline }
    const message = { from: wallet, to, value, ...numbers, data }
    const about = { stepIndex, chainId, forwarder, forwarderCodeHash, targetCodeHash }
    const authorization: Authorization = { ...about, domain, message, evidence }
    return Effect.succeed(authorization)
  })
})

const requestsOn = Effect.fnUntraced(function* (
  chainId: number,
  steps: ReadonlyArray<SponsoredStep>,
  wallet: Address
) {
  const head = Effect.flatMap(PinnedContracts, ({ snapshotOf }) => snapshotOf(chainId))
  return yield* believingReverts(yield* head, {
    headOf: ({ block }) => block.hash,
    anew: head,
    run: snapshot => requestsAt(snapshot, steps, wallet)
  })
})

const authorizationsFor = Effect.fnUntraced(function* (
  plan: StoredPlan,
  steps: ReadonlyArray<SponsoredStep>
) {
  const chainIds = [...new Set(steps.map(({ call }) => call.chainId))]
  const perChain = yield* forEachAtOnce(chainIds, chainId => {
    const own = steps.filter(({ call }) => call.chainId === chainId)
    return requestsOn(chainId, own, plan.terms.account)
  })
  return perChain.flat().toSorted((a, b) => a.stepIndex - b.stepIndex)
})

const proposed = Effect.fnUntraced(function* (actor: Actor, terms: SponsorshipTerms, createdAt: number) {
  if (Buffer.byteLength(JSON.stringify(terms.authorizations)) > MAXIMUM_SPONSORSHIP_BYTES)
    return yield* new PlanTooLarge({ context: { limitBytes: MAXIMUM_SPONSORSHIP_BYTES } })
  const text = committedSponsorshipText(terms, { accountId: actor.accountId, principalId: actor.id })
  const commitment: Bytes32 = `0x${createHash("sha256").update(text).digest("hex")}`
  const id = yield* (yield* RandomIds).uuid
  const asked: NewSponsorship = { ...terms, id, commitment, createdAt }
  return asked
})

/** A forwarder takes the word of a key alone. */
const checkWallet = ({ terms: { account, smartAccount } }: StoredPlan, { ownerAddress }: Actor) => {
  if (account.toLowerCase() === ownerAddress) return Effect.void
  const detail = `The plan is for the smart account ${account}, which signs no forward requests: prepare a user operation of its steps (POST /api/v1/user-operations).`
  return new PlanAccountMismatch(smartAccount === undefined ? {} : { detail, context: { wallet: account } })
}

/** The record as its insertion left it, so that it need not be read again. */
const asStored = (asked: NewSponsorship, plan: StoredPlan): StoredSponsorship => ({
  ...asked,
  principalId: plan.principalId,
  planCommitment: plan.commitment,
  endsAt: plan.expiresAt,
  revision: 0,
  now: asked.createdAt,
  publication: undefined,
  isRestored: false,
  isPaidPerhaps: false,
  funding: undefined,
  facts: plan.facts
})

export const prepareSponsorship = Effect.fn("PrepareSponsorship.prepare")(function* ({
  planId,
  stepIndexes
}: AskedSponsorship) {
  const actor = yield* Principal
  const key = yield* requestKey
  const { plan, outcome } = yield* findOwnPlan(actor, planId, key)
  const known = Option.getOrUndefined(outcome)?.subject
  if (known !== undefined) return yield* storedSponsorship(actor, known, true)
  if ((yield* Settings).sponsorship.providerUrl === undefined) return yield* new SponsorshipUnavailable()
  yield* checkWallet(plan, actor)
  const steps = yield* sponsoredSteps(plan, stepIndexes)
  yield* refuseUnpayable(steps.map(({ call }) => call))
  const authorizations = yield* authorizationsFor(plan, steps)
  const { commitment: planCommitment, expiresAt: publicationExpiresAt } = plan
  const terms: SponsorshipTerms = { planId, planCommitment, publicationExpiresAt, authorizations }
  const asked = yield* proposed(actor, terms, plan.now)
  yield* failpoint("sponsor.prepared")
  const id = yield* (yield* SponsorshipStore).store(actor, key, asked)
  yield* Effect.annotateCurrentSpan({ plan: planId, sponsorship: id })
  yield* failpoint("sponsor.stored")
  return id === asked.id
    ? { sponsorship: publicSponsorship(asStored(asked, plan)), replayed: false }
    : yield* storedSponsorship(actor, id, true)
})
