/** A database that served before plans' expiry bounded the first admission alone is brought up to date with plans in every state. */
import { randomUUID } from "node:crypto"
import { afterAll, assert, describe, it } from "vitest"
import { ClaimSession, dispatchOf, MILLIS, NOW, type Request } from "../support/ClaimSession.ts"
import { stopClock } from "../support/DatabaseTime.ts"
import { accountId, LedgerSession, OWNER } from "../support/Ledger.ts"
import { formerDatabase, migrated } from "../support/MigratedDatabase.ts"

interface Kept {
  /** Null where it was never admitted. */
  readonly lease: { readonly outcome: string | null; readonly left: number } | null
  readonly observed?: string
  readonly canonical?: boolean
  readonly expired?: false
  /** What its own bytes get now. */
  readonly verdict: string
}

const OVER = { outcome: "submitted", left: 0 }
const LIVE = { outcome: "submitted", left: 10_000 }

const kept: Readonly<Record<string, Kept>> = {
  prepared: { lease: null, expired: false, verdict: "CLAIMED" },
  expired: { lease: null, verdict: "PLAN_EXPIRED" },
  "in flight": { lease: { outcome: null, left: 10_000 }, verdict: "RECORDED" },
  died: { lease: { outcome: null, left: 0 }, verdict: "CLAIMED" },
  uncertain: { lease: { outcome: "unknown", left: 10_000 }, verdict: "CLAIMED" },
  submitted: { lease: LIVE, observed: "submitted", verdict: "RECORDED" },
  dropped: { lease: OVER, observed: "unknown", verdict: "CLAIMED" },
  reorged: { lease: OVER, observed: "reorged", canonical: false, verdict: "CLAIMED" },
  "seen elsewhere": { lease: { outcome: "already-observed", left: 0 }, verdict: "CLAIMED" },
  confirming: { lease: LIVE, observed: "confirming", canonical: true, verdict: "RECORDED" },
  confirmed: { lease: LIVE, observed: "confirmed", canonical: true, verdict: "RECORDED" },
  reverted: { lease: LIVE, observed: "reverted", canonical: true, verdict: "RECORDED" }
}

const requests = new Map<string, Request>()

const keep = async (name: string, { lease, observed, canonical, expired }: Kept) => {
  const plan = await session.plan(account, `owner:${accountId()}`)
  const request = { ...dispatchOf(plan), hash: `0x${name}`, nonce: String(requests.size) }
  requests.set(name, request)
  if (lease !== null) {
    assert.strictEqual(await session.verdict(request), "CLAIMED")
    const { outcome, left } = lease
    await session.rows("UPDATE dispatch_leases SET outcome = $2, expires_at = $3 WHERE plan = $1", [
      ...[plan, outcome, MILLIS + left]
    ])
    await session.rows("UPDATE plan_steps SET observed = $2, receipt = $3 WHERE plan = $1 AND step = 0", [
      ...[plan, observed ?? null, canonical === undefined ? null : JSON.stringify({ canonical })]
    ])
  }
  if (expired !== false) await session.rows("UPDATE plans SET expires_at = created_at WHERE id = $1", [plan])
}

const database = await formerDatabase("0009_claim_again.sql")
const session = await ClaimSession.open(database.url)
await stopClock(database.url, NOW)
const account = await new LedgerSession(session.client).enroll()
for (const [name, each] of Object.entries(kept)) await keep(name, each)
const before = await session.stored()
assert.isAbove(await migrated(database.url), 0)
assert.deepStrictEqual(await session.stored(), before)

afterAll(async () => {
  await session.client.end()
  await database.drop()
})

const again = (name: string, over: Request = {}): Request => ({
  ...requests.get(name),
  ...{ key: randomUUID(), token: randomUUID(), binding_id: randomUUID() },
  ...{ judged_revision: null, claims_seen: kept[name]?.lease === null ? 0 : 1 },
  ...over
})

describe("a step that the former schema kept", () => {
  it.each(Object.keys(kept))("%s takes no other bytes, and its own as it should", async name => {
    const { lease, verdict } = kept[name] ?? assert.fail("no such plan")
    const { hash } = requests.get(name) ?? {}
    if (lease !== null)
      assert.deepStrictEqual(await session.ask(again(name, { hash: "0xff" })), {
        verdict: "STEP_ALREADY_BOUND",
        bound_to: String(hash)
      })
    assert.strictEqual(await session.verdict(again(name)), verdict)
    const [stored] = await session.rows("SELECT count, hash FROM dispatch_leases WHERE plan = $1", [
      requests.get(name)?.plan
    ])
    const claims = (lease === null ? 0 : 1) + (verdict === "CLAIMED" ? 1 : 0)
    assert.deepStrictEqual(stored, claims === 0 ? undefined : { count: claims, hash })
  })

  it.each(Object.keys(kept).filter(name => kept[name]?.lease !== null))(
    "%s keeps its wallet's nonce from every other step",
    async name => {
      const nonce = String(requests.get(name)?.nonce)
      const other = dispatchOf(await session.plan(account, `owner:${accountId()}`))
      const byScope = { nonce_scope: `eip155:1:${OWNER}`, nonce_text: nonce }
      assert.strictEqual(await session.verdict({ ...other, nonce }), "NONCE_RESERVED")
      assert.strictEqual(await session.verdict({ ...other, ...byScope }), "NONCE_RESERVED")
    }
  )
})
