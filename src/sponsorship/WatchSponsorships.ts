/** Looks after what published requests came to, in every replica; it sends nothing. */
import { Effect, Layer } from "effect"
import { lookAfterProofs, PROOFS_PAGE, showUnknown } from "../dispatch/FinalProofs.ts"
import { sweepForever } from "../dispatch/SweepForever.ts"
import { SponsoredCallStore } from "./SponsoredCallStore.ts"

export const sweepSponsorships = Effect.gen(function* () {
  const store = yield* SponsoredCallStore
  const due = yield* lookAfterProofs(store)
  showUnknown("sponsorship", yield* store.unknown)
  return due
}).pipe(Effect.withSpan("Sponsorship.sweep"))

export const sponsorshipWorker = Layer.scopedDiscard(
  Effect.forkScoped(
    sweepForever(sweepSponsorships, { worker: "sponsorships", page: PROOFS_PAGE, idle: "5 seconds" })
  )
)
