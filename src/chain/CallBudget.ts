/** How many upstream calls may still be made in the current fixed minute, and who may make them: no part takes what is kept for another. */
import { Effect } from "effect"
import { type FairShares, makeFairShares } from "./FairShares.ts"
import { RpcBudget } from "./refusals.ts"
import type { Work } from "./Work.ts"

/** Counts calls that are about to be made, or tells why they may not be. */
export type Spend = (calls: number) => RpcBudget | undefined

export interface CallBudget {
  readonly take: (work: Work, calls: number) => RpcBudget | undefined
  /** Counts calls that must not be refused: bytes already admitted, and health. */
  readonly note: Spend
  /** Of the current minute. */
  readonly parts: () => ReadonlyArray<PartOfMinute>
}

export interface PartOfMinute {
  readonly part: "reads" | "relay" | "verification" | "accepted" | "process"
  readonly limit: number
  /** That nobody used; what is kept for those who may still come included. */
  readonly left: number
}

const MINUTE = 60_000

/** Of a hundred calls; reads have the rest. */
const PARTS = { relay: 20, process: 10, verification: 3, accepted: 2 }

interface Parts {
  readonly reads: FairShares
  readonly relay: FairShares
  /** Shared among client addresses. */
  readonly verification: FairShares
  /** As verification, for addresses of which a contract signature was accepted: nobody else uses it up. */
  readonly accepted: FairShares
  /** Has a single user, and gives it all. */
  readonly process: number
}

const partsOf = (perMinute: number): Parts => {
  const part = (percent: number) => Math.floor((perMinute * percent) / 100)
  const kept = Object.values(PARTS).reduce((sum, percent) => sum + part(percent), 0)
  return {
    reads: makeFairShares(perMinute - kept),
    relay: makeFairShares(part(PARTS.relay)),
    verification: makeFairShares(part(PARTS.verification)),
    accepted: makeFairShares(part(PARTS.accepted)),
    process: part(PARTS.process)
  }
}

interface Ended {
  readonly per: "account" | "client address" | "process"
  readonly limit: number
}

const WORDS: Readonly<Record<Ended["per"], string>> = {
  account: "This account has used its share of the upstream calls of this minute; the others keep theirs.",
  "client address":
    "The upstream calls of this minute that are kept for verifying contract signatures of this client address are used.",
  process: "The process has spent its budget of upstream calls for this minute."
}

const endOf = (work: Work, parts: Parts, perMinute: number): Ended => {
  const { reads, relay, verification, accepted } = parts
  switch (work.kind) {
    case "process":
      return { per: "process", limit: perMinute }
    case "read":
      return { per: "account", limit: reads.share(work.account) }
    case "relay":
      return { per: "account", limit: relay.share(work.account) + reads.share(work.account) }
    case "verification": {
      const part = work.wasAccepted ? accepted : verification
      return { per: "client address", limit: part.share(work.address) }
    }
  }
}

const LATE =
  "So many came in this minute that no share of its upstream calls was left; who asks in the next one has a better place."

const wordsOf = ({ per, limit }: Ended): string => (limit === 0 ? LATE : WORDS[per])

const refused = (ended: Ended, now: number) => {
  const retryAfterSeconds = Math.ceil((MINUTE - (now % MINUTE)) / 1_000)
  return new RpcBudget({ detail: wordsOf(ended), retryAfterSeconds, context: { ...ended } })
}

const SHARED = ["reads", "relay", "verification", "accepted"] as const

const partsOfMinute = (parts: Parts, own: number): ReadonlyArray<PartOfMinute> => [
  ...SHARED.map(part => ({ part, limit: parts[part].limit, left: parts[part].left() })),
  { part: "process", limit: parts.process, left: Math.max(0, parts.process - own) }
]

const fits = (
  work: Work,
  calls: number,
  { reads, relay, verification, accepted }: Parts,
  takeAnywhere: (calls: number) => boolean
): boolean => {
  switch (work.kind) {
    case "process":
      return takeAnywhere(calls)
    case "relay":
      return relay.take(work.account, calls) || reads.take(work.account, calls)
    case "read":
      return reads.take(work.account, calls)
    case "verification":
      return (
        (work.wasAccepted && accepted.take(work.address, calls)) || verification.take(work.address, calls)
      )
  }
}

export const makeCallBudget = (perMinute: number): Effect.Effect<CallBudget> =>
  Effect.map(Effect.clock, clock => {
    const parts = partsOf(perMinute)
    const { reads, relay } = parts
    let minute = 0
    let own = 0

    const current = (): number => {
      const now = clock.unsafeCurrentTimeMillis()
      const began = Math.floor(now / MINUTE)
      if (began !== minute) {
        for (const part of SHARED) parts[part].turn()
        own = 0
      }
      minute = began
      return now
    }

    /** From its own part, and from what is free of the others. */
    const takeAnywhere = (calls: number): boolean => {
      const ownLeft = Math.max(0, parts.process - own)
      if (calls > ownLeft + relay.freeLeft() + reads.freeLeft()) return false
      const beyond = Math.max(0, calls - ownLeft)
      own += calls - beyond
      reads.takeFree(beyond - relay.takeFree(beyond))
      return true
    }

    return {
      take: (work, calls) => {
        const now = current()
        return fits(work, calls, parts, takeAnywhere)
          ? undefined
          : refused(endOf(work, parts, perMinute), now)
      },
      note: calls => {
        current()
        own += calls
      },
      parts: () => {
        current()
        return partsOfMinute(parts, own)
      }
    }
  })
