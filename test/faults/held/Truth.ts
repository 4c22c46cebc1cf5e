/** What a chain says of a session at one block, and what of it may be told: a small model of a session's states. */
import { assert } from "vitest"
import type { PublicSession } from "../../../src/sessions/Session.ts"
import { rpc } from "../../support/Rpc.ts"
import { guardOn } from "../operating/SessionAudit.ts"

export interface Truth {
  readonly head: { readonly number: bigint; readonly hash: string }
  readonly final: bigint
  readonly status: "none" | "enabled" | "revoked"
  readonly calls: number
  readonly spent: bigint
  /** Whether the block that was looked at before is its chain's still. */
  readonly isStanding: boolean
}

const STATUSES = ["none", "enabled", "revoked"] as const

const blockOf = async (url: string, tag: string) => {
  const block = await rpc(url, "eth_getBlockByNumber", [tag, false])
  return block === null ? undefined : { number: BigInt(block.number), hash: String(block.hash) }
}

const hexOf = (number: string) => `0x${BigInt(number).toString(16)}`

const headOf = (url: string) => blockOf(url, "latest")

export const truthOf = async (url: string, before: PublicSession): Promise<Truth> => {
  const head = await headOf(url)
  if (head === undefined) return assert.fail("a chain without a head")
  const { permissionId: permission_id } = before.compiled
  const { status, calls, allocationSpent } = await guardOn(url).stateOf({
    permission_id,
    wallet: before.wallet
  })
  const { blockNumber = "0", blockHash } = before.observation?.evidence ?? {}
  const earlier = blockHash === undefined ? undefined : await blockOf(url, hexOf(blockNumber))
  return {
    head,
    final: (await blockOf(url, "finalized"))?.number ?? 0n,
    status: STATUSES[status] ?? "none",
    calls,
    spent: allocationSpent[0] ?? 0n,
    isStanding: blockHash === undefined || earlier?.hash === blockHash
  }
}

const usedOf = ({ observation }: PublicSession, name: string) =>
  observation?.counters.find(counter => counter.name === name)?.used

/** Whether its guard knew it when it was looked at before: a guard that never did has no counters. */
const wasKnown = ({ observation }: PublicSession) => (observation?.counters.length ?? 0) > 0

/** Taken back by its chain, until what is seen since then is final. */
const isReorg = (before: PublicSession, truth: Truth): "yes" | "no" | "either" => {
  if (wasKnown(before) && !truth.isStanding) return "yes"
  if (before.invalidation?.reason !== "reorg") return "no"
  const seenAt = BigInt(before.observation?.evidence.blockNumber ?? 0)
  return truth.isStanding && seenAt <= truth.final ? "either" : "yes"
}

interface Known {
  readonly isGrantRevoked: boolean
}

/** In the order in which they are tried. */
const expectedStates = (
  before: PublicSession,
  { reservationReleased }: PublicSession,
  truth: Truth,
  { isGrantRevoked }: Known
) => {
  if (truth.status === "revoked") return ["revoked"]
  const isGivenUp = before.revocation !== undefined && truth.status === "none" && reservationReleased
  if (before.revocation !== undefined && !isGivenUp) return ["revoking"]
  const reorg = isReorg(before, truth)
  const certain = isGivenUp ? "expired" : truth.status === "enabled" ? "active" : undefined
  const usual =
    certain ?? (before.activation === undefined || reservationReleased ? "prepared" : "installing")
  if (isGrantRevoked || reorg === "yes") return ["stale"]
  return reorg === "either" ? ["stale", usual] : [usual]
}

/** What was told after a look is what the model has of the chain at that block, and of what was told before. */
export const assertTold = (before: PublicSession, now: PublicSession, truth: Truth, known: Known): void => {
  const [earlier, told] = [before, now].map(({ state, invalidation, observation }) => ({
    state,
    reason: invalidation?.reason,
    block: observation?.evidence.blockNumber,
    hash: observation?.evidence.blockHash
  }))
  const seen = { before: earlier, told, truth }
  const why = JSON.stringify(seen, (_, value) => (typeof value === "bigint" ? String(value) : value))
  const { observation, invalidation } = now
  assert.strictEqual(observation?.evidence.blockHash, truth.head.hash, why)
  assert.include(expectedStates(before, now, truth, known), now.state, why)
  assert.strictEqual(observation?.enabled, truth.status === "enabled", why)
  assert.isFalse(invalidation?.permanent ?? false, `${why}: ${invalidation?.reason}`)
  const [calls, spent] = truth.status === "none" ? [] : [String(truth.calls), String(truth.spent)]
  assert.strictEqual(usedOf(now, "calls"), calls, why)
  assert.strictEqual(usedOf(now, "allocation:tips"), spent, why)
}
