/** From when until when an operation is valid, and how long it is sent. */
import { Effect } from "effect"
import { RpcUnavailable } from "../chain/refusals.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { PlanExpired } from "../plans/refusals.ts"
import type { OperationValidity } from "../values/SafeOperation.ts"
import { PaymasterRefused, SessionNotActive } from "./refusals.ts"

const LIFETIME_SECONDS = 300
const PAST_SECONDS = 30n
/** Bundlers take nothing that ends within 30 seconds; the others are for the way to them. */
const UNTAKEN_SECONDS = 40

/** In seconds: what is sent from then on no bundler can be expected to take. */
export const sentUntil = ({ validUntil }: Pick<OperationValidity, "validUntil">): number =>
  validUntil - UNTAKEN_SECONDS

interface Timed {
  readonly plan: Pick<StoredPlan, "expiresAt" | "now">
  /** Of the session's policy, where its key is to sign. */
  readonly own: OperationValidity | undefined
  /** By its paymaster, in seconds. */
  readonly paidUntil: number
  /** Of the head. */
  readonly timestamp: bigint
}

interface OperationTimes {
  readonly validity: OperationValidity
  /** In milliseconds; it is sent before. */
  readonly expiresAt: number
}

const endsTooSoon = ({ plan: { now }, own, paidUntil }: Timed) => {
  if (own !== undefined && sentUntil(own) * 1000 <= now)
    return new SessionNotActive({
      detail: "The session ends too soon for a bundler to take an operation of it.",
      context: { state: "active", validUntil: own.validUntil }
    })
  return sentUntil({ validUntil: paidUntil }) * 1000 <= now
    ? new PaymasterRefused({
        detail: "The paymaster pays too short a time for a bundler to take the operation.",
        context: { validUntil: paidUntil }
      })
    : new PlanExpired({ detail: "The plan ends too soon for a bundler to take an operation of it." })
}

/** Bundlers and the service go by their own clocks, the chain by its own; a session's guard holds the operation to its policy's times alone. */
export const operationTimes = (
  timed: Timed
): Effect.Effect<OperationTimes, PlanExpired | PaymasterRefused | SessionNotActive | RpcUnavailable> => {
  const { plan, own, paidUntil, timestamp } = timed
  const latest = Math.floor(Math.min(plan.expiresAt, plan.now + LIFETIME_SECONDS * 1000) / 1000)
  const validity = own ?? {
    validAfter: Number(timestamp - PAST_SECONDS),
    validUntil: Math.min(latest, paidUntil)
  }
  const sendUntil = Math.min(latest, sentUntil(validity), sentUntil({ validUntil: paidUntil }))
  if (sendUntil * 1000 <= plan.now) return endsTooSoon(timed)
  if (BigInt(sendUntil) <= timestamp)
    return new RpcUnavailable({ detail: "The chain's time is ahead of the time to send the operation." })
  return Effect.succeed({ validity, expiresAt: sendUntil * 1000 })
}
