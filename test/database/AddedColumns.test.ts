/** A later build gives tables and views further columns while replicas of this build go on with the connections that they have. */
import { randomUUID } from "node:crypto"
import { afterAll, assert, describe, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { assertProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"

const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }
const service = await startService({ settings: { quotas, databaseConnections: 3 } })
const owner = newOwner()
assert.strictEqual((await enroll(service, owner)).status, 200)

afterAll(() => service.stop())

const LATER = `ALTER TABLE accounts ADD COLUMN later text;
  CREATE OR REPLACE VIEW plan_records AS
  SELECT p.id, a.id AS account_id, p.principal, p.wallet, p.terms, p.commitment, p.created_at, p.expires_at, p.revision,
    p.sweep_at IS NOT NULL AS watched, step_records(p.id) AS steps,
    (SELECT e.committed_until FROM ended_plans e WHERE e.plan = p.id) AS committed_until,
    (SELECT min(r.restored_at) FROM restorations r WHERE r.restored_at >= p.created_at) AS restored_at, a.later
  FROM plans p JOIN accounts a ON a.number = p.account`

const ME = "/api/v1/accounts/me"

const askAll = async () => {
  const shown = Array.from({ length: 6 }, () => signedFetch(service, owner, "GET", ME))
  const renamed = signedFetch(service, owner, "PATCH", ME, { body: { displayName: "Ada" } })
  const absent = Array.from({ length: 6 }, () =>
    signedFetch(service, owner, "GET", `/api/v1/plans/${randomUUID()}`)
  )
  const enrolled = enroll(service, newOwner())
  for (const answer of await Promise.all([...shown, renamed, enrolled]))
    assert.strictEqual(answer.status, 200)
  for (const answer of await Promise.all(absent)) await assertProblem(answer, "PLAN_NOT_FOUND")
}

describe("a replica of the build before", () => {
  it("answers on each of its connections once tables and views have further columns", async () => {
    await askAll()
    await sqlOn(service.databaseUrl, LATER)
    await askAll()
    await askAll()
  })
})
