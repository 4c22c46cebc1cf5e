/** Compares what left, what is stored and what was told once a relay is over. */
import { assert } from "vitest"
import { assertProblem } from "../../support/Problem.ts"
import { hashOf, signCall } from "../../support/SignedCalls.ts"
import { signedInit } from "../../support/SignedFetch.ts"
import { submit } from "../../support/Submissions.ts"
import { type Relay, submitOnce } from "./Relay.ts"
import type { Stand } from "./Stand.ts"

const isStored = async ({ sql, admitted }: Stand, { plan, raw }: Relay) => {
  const bound = await sql("SELECT hash FROM transport_bindings WHERE plan = $1", [plan.id])
  const hashes = bound.map(({ hash }) => hash)
  if (admitted.has(plan.id))
    assert.deepStrictEqual(hashes, [admitted.get(plan.id)], "I3 an admission is lost")
  for (const hash of hashes) assert.strictEqual(hash, hashOf(raw), "I1 bound to other bytes")
  return hashes.length > 0
}

const checkSent = async (stand: Stand, relay: Relay) => {
  const { sql, bench } = stand
  const sent = bench.proxy.sent().slice(relay.begun)
  for (const { raw } of sent) assert.strictEqual(raw.bytes, relay.raw, "I1 other bytes left")
  const [lease] = await sql("SELECT count FROM dispatch_leases WHERE plan = $1", [relay.plan.id])
  assert.isAtMost(sent.length, Number(lease?.count ?? 0), "I4 sent without a claim of its own")
  if (sent.length > 0) assert.isTrue(await isStored(stand, relay), "I1 sent without a binding")
}

const checkNonce = async ({ sql }: Stand, { owner, plan }: Relay) => {
  const sender = owner.key.address.toLowerCase()
  const rows = await sql("SELECT plan FROM reserved_nonces WHERE scope LIKE '%:' || $1", [sender])
  assert.isAtMost(rows.length, 1, "I2 a nonce for two steps")
  for (const row of rows) assert.strictEqual(row.plan, plan.id)
}

const checkReplay = async ({ bench: { service } }: Stand, { owner, plan }: Relay) => {
  const target = `/api/v1/plans/${plan.id}`
  const request = await signedInit(service, owner, "GET", target)
  const answers = [await fetch(service.url + target, request), await fetch(service.url + target, request)]
  const [first, second] = answers
  if (first === undefined || second === undefined) return assert.fail("no answers")
  assert.strictEqual(first.status, 200)
  await first.arrayBuffer()
  await assertProblem(second, "NONCE_REUSED")
}

/** The key's first outcome again for the same request, a conflict for any other. */
const checkKey = async (stand: Stand, relay: Relay) => {
  const { bench } = stand
  const again = await submitOnce(stand, relay)
  assert.strictEqual(again.status, 202)
  assert.strictEqual((await again.json()).dispatch.hash, hashOf(relay.raw), "I7 another outcome for the key")
  const [call] = relay.plan.calls
  if (call === undefined) return assert.fail("no call")
  const rawSignedTransaction = await signCall(bench, relay.owner, call, { nonce: 0, gas: 900_000n })
  const other = { rawSignedTransaction }
  await assertProblem(
    await submit(bench.service, relay.actor, relay.plan, other, { idempotencyKey: relay.key }),
    "IDEMPOTENCY_CONFLICT"
  )
}

const checkNothingHeld = async ({ sql }: Stand) => {
  const held = await sql(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
  )
  assert.strictEqual(held.length, 0, "I10 a transaction stays open")
}

export const audit = async (stand: Stand, relay: Relay): Promise<void> => {
  if (!relay.revoked) await checkKey(stand, relay)
  await isStored(stand, relay)
  await checkSent(stand, relay)
  await checkNonce(stand, relay)
  await checkReplay(stand, relay)
  await checkNothingHeld(stand)
}
