/** Shows a sponsorship as its provider and its chains have it now; it sends nothing, and who does not answer changes nothing. */
import { Effect } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { relaying } from "../chain/Work.ts"
import { refresh, refreshTogether } from "../dispatch/Reconcile.ts"
import { factsSeenHere } from "../dispatch/SeenHere.ts"
import { publicSponsorship, stateOf } from "./PublicSponsorship.ts"
import type { Sponsorship, SponsorshipStatus } from "./Sponsorship.ts"
import type { StoredFunding, StoredSponsorship } from "./SponsorshipRow.ts"
import { SponsorshipStore } from "./SponsorshipStore.ts"
import { hearQuote, judgeQuote } from "./VerifyQuote.ts"

const ENDED = new Set<SponsorshipStatus>(["completed", "execution_verified", "failed", "lapsed"])

/** In the round trips of one, where it can be. */
const refreshAll = Effect.fnUntraced(function* (planIds: ReadonlyArray<string>) {
  const alone = planIds.length === 1 ? planIds : yield* relaying(refreshTogether(planIds))
  yield* Effect.forEach(alone, planId => Effect.catchTag(refresh(planId), "PLAN_NOT_FOUND", Effect.die), {
    concurrency: "unbounded",
    discard: true
  })
})

/** Once the owner's payment left, or a request was executed, what is asked for is of no more interest. */
const isToBePaid = (stored: StoredSponsorship): boolean => {
  const state = stateOf(stored)
  return stored.funding?.admitted !== true && state !== "executing" && !ENDED.has(state)
}

const fundingHere = (funding: StoredFunding) =>
  Effect.map(
    factsSeenHere([funding.facts], () => funding.chainId),
    ([facts = funding.facts]): StoredFunding => ({ ...funding, facts })
  )

const shownHere = Effect.fnUntraced(function* (stored: StoredSponsorship) {
  const chainIds = new Map(stored.authorizations.map(({ stepIndex, chainId }) => [stepIndex, chainId]))
  const facts = yield* factsSeenHere(stored.facts, step => chainIds.get(step))
  const funding = stored.funding && (yield* fundingHere(stored.funding))
  return publicSponsorship({ ...stored, facts, funding })
})

export const refreshSponsorship = Effect.fn("RefreshSponsorship.show")(function* (id: string) {
  const actor = yield* Principal
  const store = yield* SponsorshipStore
  const stored = yield* store.find(id, actor)
  const heard = ENDED.has(stateOf(stored)) ? undefined : yield* hearQuote(stored)
  yield* refreshAll([stored.planId, ...(stored.funding === undefined ? [] : [stored.funding.planId])])
  const refreshed = yield* store.find(id, actor)
  if (heard === undefined || !isToBePaid(refreshed)) return yield* shownHere(refreshed)
  yield* judgeQuote(refreshed, heard)
  const shown: Sponsorship = yield* shownHere(yield* store.find(id, actor))
  return shown
})
