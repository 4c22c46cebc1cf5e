/** Shows a sponsorship as its provider and its chains have it now; it sends nothing, and who does not answer changes nothing. */
import { Effect } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { refresh } from "../dispatch/Reconcile.ts"
import { publicSponsorship, stateOf } from "./PublicSponsorship.ts"
import type { Sponsorship, SponsorshipStatus } from "./Sponsorship.ts"
import { SponsorshipStore } from "./SponsorshipStore.ts"
import { verifyQuote } from "./VerifyQuote.ts"

const ENDED = new Set<SponsorshipStatus>(["completed", "execution_verified", "failed", "lapsed"])

export const refreshSponsorship = Effect.fn("RefreshSponsorship.show")(function* (id: string) {
  const actor = yield* Principal
  const store = yield* SponsorshipStore
  const stored = yield* store.find(id, actor)
  if (!ENDED.has(stateOf(stored))) yield* verifyQuote(stored)
  const plans = [stored.planId, ...(stored.funding === undefined ? [] : [stored.funding.planId])]
  yield* Effect.forEach(plans, planId => Effect.catchTag(refresh(planId), "PLAN_NOT_FOUND", Effect.die), {
    concurrency: "unbounded",
    discard: true
  })
  const shown: Sponsorship = publicSponsorship(yield* store.find(id, actor))
  return shown
})
