/** Sponsorships: a plan's steps that the wallet signs as requests, so that a prepaid provider has them executed and pays their gas. */
import type { Plan } from "../plans/Plan.ts"
import type { Sponsorship } from "../sponsorship/Sponsorship.ts"
import type { Caller, Keyed } from "./Caller.ts"
import type { CarryMeans } from "./CarryOut.ts"
import type { CheckingClient } from "./CheckSponsorship.ts"
import { checkedPlan } from "./Commitment.ts"
import { endpoints } from "./Endpoints.ts"
import type { PublicationApproval } from "./OwnerApproval.ts"
import type { SponsoredPlan, SponsorOptions } from "./SponsorPlan.ts"
import { lookUntil } from "./WatchPlan.ts"

export interface SponsorshipsQuery {
  readonly planId?: string
  /** 1 to 100; 25 when absent. */
  readonly limit?: number
  readonly cursor?: string
}

export interface SponsorshipPublication {
  /** The wallet's, one for each authorization in their order; see `signForwardRequests`. */
  readonly signatures: ReadonlyArray<string>
  /** Needed from bots; see `approveSponsorship`. */
  readonly ownerApproval?: PublicationApproval
}

export interface SponsorshipWatch {
  /** Called at first sight and whenever something changed. */
  readonly onProgress?: (sponsorship: Sponsorship) => void
  /** When to stop; by default when something is to be done, or nothing more will happen. */
  readonly until?: ((sponsorship: Sponsorship) => boolean) | undefined
  readonly signal?: AbortSignal | undefined
}

const waitsNoMore = ({ nextAction }: Sponsorship): boolean => nextAction.kind !== "wait"

const reading = (caller: Caller) => ({
  /** From storage; with `refresh` after proving the quote and looking at the chains. */
  show: (
    id: string,
    { refresh = false, signal }: { refresh?: boolean; signal?: AbortSignal | undefined } = {}
  ) =>
    caller.call(endpoints.getSponsorship, {
      path: { id },
      query: refresh ? { refresh: "true" } : {},
      signal
    }),
  /** One page, newest first. */
  list: (query: SponsorshipsQuery = {}) => caller.call(endpoints.listSponsorships, { query: { ...query } })
})

const writing = (caller: Caller, { system, own }: Pick<CarryMeans, "system" | "own">) => {
  return {
    /** Prepares the requests of the plan's ready steps, or of those named. The same key gives the stored sponsorship again. */
    create: async (
      planId: string,
      { stepIndexes, ...options }: { stepIndexes?: ReadonlyArray<number> | undefined } & Keyed = {}
    ) => {
      const body = { planId, ...(stepIndexes && { stepIndexes }) }
      const answer = await caller.keyed(endpoints.createSponsorship, system, options, { body })
      return { sponsorship: answer.body, ...answer.told }
    },
    /** Publishes the signed requests once for ever. Success acknowledges processing, not execution: watch it. */
    submit: async (id: string, body: SponsorshipPublication, options: Keyed = {}) => {
      const parts = { path: { id }, body }
      const answer = await caller.keyed(endpoints.submitSponsorship, system, options, parts)
      return { sponsorship: answer.body, ...answer.told }
    },
    /** Prepares the plan of one call that pays the provider; check that it is the quote's payment before it is signed. */
    createFundingPlan: async (
      id: string,
      body: { readonly chainId: number; readonly payer: string },
      options: Keyed = {}
    ) => {
      const parts = { path: { id }, body }
      const answer = await caller.keyed(endpoints.createFundingPlan, system, options, parts)
      return { plan: await checkedPlan(answer.body, own), ...answer.told }
    }
  }
}

const watching =
  ({ show }: ReturnType<typeof reading>, { system }: Pick<CarryMeans, "system">) =>
  (id: string, { onProgress, until = waitsNoMore, signal }: SponsorshipWatch = {}) => {
    let seen = ""
    const isNews = (shown: Sponsorship): boolean => {
      const visible = JSON.stringify([shown.state, shown.nextAction.kind, shown.observations])
      const isNew = visible !== seen
      if (isNew) onProgress?.(shown)
      seen = visible
      return isNew
    }
    return lookUntil(
      {
        look: () => show(id, { refresh: true, signal }),
        isNews,
        isOver: until,
        pauseOf: ({ nextAction }) => nextAction.retryAfterMs
      },
      system,
      signal
    )
  }

const calls = (caller: Caller, means: CarryMeans) => {
  const reads = reading(caller)
  return {
    ...reads,
    ...writing(caller, means),
    /** Refreshes the sponsorship, each time when it says so, until something is to be done about it, or nothing more will happen. */
    watch: watching(reads, means)
  }
}

/** What carrying a sponsored plan out calls. */
export type SponsorshipCalls = ReturnType<typeof calls>

export const sponsorshipMethods = (caller: Caller, client: CheckingClient, means: CarryMeans) => {
  const sponsorships = calls(caller, means)
  return {
    sponsorships: {
      ...sponsorships,
      /**
       * Has a plan's steps executed by a prepaid provider: their requests prepared, checked, signed, published once, paid for
       * and followed to the end, round by round as the steps depend on each other. `agree` is asked before anything is
       * signed. What is signed is kept in `store` before it leaves: call again after a failure or a crash, and it goes on.
       */
      carryOut: async (plan: Plan | string, options: SponsorOptions): Promise<SponsoredPlan> => {
        const { carriers } = await import("./Carrying.ts")
        return carriers.sponsorPlan({ ...means, client, sponsorships }, plan, options)
      }
    }
  }
}
