/** Sponsorships: a plan's steps that the wallet signs as requests, so that a prepaid provider has them executed and pays their gas. */
import type { Plan } from "../plans/Plan.ts"
import type { Sponsorship } from "../sponsorship/Sponsorship.ts"
import { type Caller, type Keyed, newIdempotencyKey } from "./Caller.ts"
import type { CarryMeans } from "./CarryOut.ts"
import type { CheckingClient } from "./CheckSponsorship.ts"
import { endpoints } from "./Endpoints.ts"
import type { PublicationApproval } from "./OwnerApproval.ts"
import { wasReplayed } from "./Plans.ts"
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
  readonly until?: (sponsorship: Sponsorship) => boolean
  readonly signal?: AbortSignal | undefined
}

const waitsNoMore = ({ nextAction }: Sponsorship): boolean => nextAction.kind !== "wait"

const calls = (caller: Caller, { system }: Pick<CarryMeans, "system">) => {
  const keyed = async (
    endpoint: typeof endpoints.createSponsorship | typeof endpoints.submitSponsorship,
    { idempotencyKey = newIdempotencyKey(system), signal }: Keyed,
    parts: { readonly path?: { readonly id: string }; readonly body: unknown }
  ) => {
    const answer = await caller.answer(endpoint, { ...parts, idempotencyKey, signal })
    return { sponsorship: answer.body, idempotencyKey, replayed: wasReplayed(answer) }
  }
  const show = (id: string, { signal }: Pick<Keyed, "signal"> = {}) =>
    caller.call(endpoints.getSponsorship, { path: { id }, signal })
  return {
    /** Prepares the requests of the plan's ready steps, or of those named. The same key gives the stored sponsorship again. */
    create: (
      planId: string,
      { stepIndexes, ...options }: { stepIndexes?: ReadonlyArray<number> | undefined } & Keyed = {}
    ) =>
      keyed(endpoints.createSponsorship, options, {
        body: { planId, ...(stepIndexes && { stepIndexes }) }
      }),
    show,
    /** One page, newest first. */
    list: (query: SponsorshipsQuery = {}) => caller.call(endpoints.listSponsorships, { query: { ...query } }),
    /** Publishes the signed requests once for ever. Success acknowledges processing, not execution: watch it. */
    submit: (id: string, publication: SponsorshipPublication, options: Keyed = {}) =>
      keyed(endpoints.submitSponsorship, options, { path: { id }, body: publication }),
    /** Refreshes the sponsorship until something is to be done about it, or nothing more will happen. */
    watch: (id: string, { onProgress, until = waitsNoMore, signal }: SponsorshipWatch = {}) => {
      let seen = ""
      const isNews = (shown: Sponsorship): boolean => {
        const visible = JSON.stringify([shown.state, shown.nextAction.kind, shown.revision])
        const isNew = visible !== seen
        if (isNew) onProgress?.(shown)
        seen = visible
        return isNew
      }
      const look = () => show(id, { signal })
      return lookUntil({ look, isNews, isOver: until }, system, signal)
    }
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
        const { sponsorPlan } = await import("./SponsorPlan.ts")
        return sponsorPlan({ ...means, client, sponsorships }, plan, options)
      }
    }
  }
}
