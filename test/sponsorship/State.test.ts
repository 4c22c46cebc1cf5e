/** Every row of the state of a sponsorship, and which comes first where several fit. */
import { assert, it } from "vitest"
import type { Semantic, StoredReceipt } from "../../src/plans/Plan.ts"
import { EMPTY_FACTS, type StepFacts } from "../../src/plans/Step.ts"
import type { SponsorshipStatus } from "../../src/sponsorship/Sponsorship.ts"
import {
  type SponsoredCall,
  type SponsorshipFacts,
  sponsorshipState
} from "../../src/sponsorship/SponsorshipState.ts"

const NOW = 1_790_000_000_000
const SOON = NOW / 1000 + 30

const WORD = `0x${"ab".repeat(32)}` as const

const receipt = (over: Partial<StoredReceipt> = {}): StoredReceipt => ({
  transactionHash: WORD,
  blockHash: WORD,
  blockNumber: "7",
  status: "success",
  confirmations: 2,
  finality: "latest",
  canonical: true,
  observedAt: NOW,
  logs: [],
  logCount: 0,
  logsHash: WORD,
  logsStored: false,
  ...over
})

const call = (step: Partial<StepFacts> = {}, over: Partial<SponsoredCall> = {}): SponsoredCall => ({
  step: { ...EMPTY_FACTS, ...step },
  isSpent: false,
  isDead: false,
  ...over
})

const confirmed = (status: Semantic["status"]): SponsoredCall =>
  call({ observed: "confirmed", receipt: receipt(), semantic: { status }, proof: "direct" })

const waiting = call()
const dead = call({}, { isDead: true })
const spent = call(
  { observed: "reverted", receipt: receipt({ status: "reverted" }), proof: "batched" },
  { isSpent: true }
)
const unproved = call({ observed: "confirmed", receipt: receipt(), semantic: { status: "unknown" } })
const outerReverted = call({
  observed: "reverted",
  receipt: receipt({ status: "reverted" }),
  semantic: { status: "failed", reason: "the transaction reverted" }
})
const confirming = call({ observed: "confirming", receipt: receipt({ confirmations: 1 }) })
const reorged = call({ observed: "reorged", receipt: receipt({ canonical: false }) })

const lease = (outcome: "answered" | "unknown" | null, left: number) => ({
  publication: { outcome, leaseEndsAt: NOW + left }
})

const quote = (isProved: boolean, ...deadlines: ReadonlyArray<number>) => ({
  ...lease("answered", -1),
  quote: { isProved, deadlines }
})

const rows: ReadonlyArray<readonly [SponsorshipStatus, string, Partial<SponsorshipFacts>]> = [
  ["completed", "each call verified", { calls: [confirmed("verified"), confirmed("verified")] }],
  ["execution_verified", "one effect unmodeled", { calls: [confirmed("verified"), confirmed("unmodeled")] }],
  ["execution_verified", "one effect unknown", { calls: [confirmed("unknown")] }],
  ["failed", "an effect failed", { calls: [confirmed("verified"), confirmed("failed")] }],
  ["failed", "a request executed in vain, beside a dead one", { calls: [spent, dead] }],
  ["lapsed", "what was not executed is dead", { calls: [confirmed("verified"), dead] }],
  ["lapsed", "all are dead, whatever was quoted", { calls: [dead], ...quote(true, SOON + 1) }],
  ["executing", "a receipt that is young", { calls: [confirming, waiting], ...quote(true, SOON + 1) }],
  ["executing", "the transaction failed outside the request", { calls: [outerReverted] }],
  ["executing", "whether it was this request is not proved", { calls: [unproved] }],
  ["executing", "one dead, one waiting, one done", { calls: [dead, waiting, confirmed("verified")] }],
  ["executing", "paid", { isFunded: true, ...quote(true) }],
  ["prepared", "the plan lives", { expiresAt: NOW + 1 }],
  ["expired", "the plan ended at this moment", { expiresAt: NOW }],
  ["submitting", "the lease lives", { expiresAt: NOW, ...lease(null, 1) }],
  ["submission_unknown", "the lease is over", lease(null, 0)],
  ["submission_unknown", "so it was settled", lease("unknown", 1)],
  ["quote_unverified", "not proved", quote(false, SOON + 1)],
  ["funding_quote_available", "one payment in time", quote(true, SOON, SOON + 1)],
  ["quote_expired", "half a minute is no time", quote(true, SOON)],
  ["quote_expired", "no payment is left", quote(true)],
  ["submission_unknown", "the receipt's block is gone", { calls: [reorged], ...lease("unknown", -1) }]
]

it.each(rows)("%s: %s", (expected, _, over) => {
  const facts: SponsorshipFacts = {
    expiresAt: NOW + 60_000,
    calls: [waiting],
    publication: undefined,
    quote: undefined,
    isFunded: false,
    ...over
  }
  assert.strictEqual(sponsorshipState(facts, NOW), expected)
})
