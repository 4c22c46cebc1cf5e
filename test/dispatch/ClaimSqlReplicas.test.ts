/** Claims of two replicas at once, as the database decides them. */
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import { ClaimBench, OTHER } from "../support/ClaimBench.ts"
import { dispatchOf, NOW, type Request } from "../support/ClaimSession.ts"
import { runClock, stopClock } from "../support/DatabaseTime.ts"
import { accountId, LedgerSession } from "../support/Ledger.ts"

const bench = await ClaimBench.open()

beforeEach(() => bench.begin())
afterAll(() => bench.close())

describe("two replicas", () => {
  const beside = async () => {
    const elsewhere = await bench.session.plan(await bench.ledger.enroll(OTHER), `owner:${accountId(OTHER)}`)
    return dispatchOf(elsewhere, OTHER)
  }

  /** Another claim holds the wallet's nonce and gives it up again, or keeps it, once this one waits for it. */
  const contested = async (request: Request, end: "COMMIT" | "ROLLBACK", act: () => Promise<void>) => {
    await bench.rival.rows("BEGIN")
    assert.strictEqual(await bench.rival.verdict(await beside()), "CLAIMED")
    const verdict = bench.session.verdict(request)
    await new LedgerSession(bench.rival.client).blocking()
    await act()
    await bench.rival.rows(end)
    return verdict
  }

  it("look at the time after they waited for a wallet's nonce", async () => {
    const over = await contested(bench.dispatch, "ROLLBACK", () => stopClock(bench.database.url, NOW + 50))
    assert.strictEqual(over, "OWNER_APPROVAL_EXPIRED")
    const { bindings, nonces, leases, keys } = await bench.session.stored()
    assert.deepStrictEqual([bindings, nonces, leases, keys], [null, null, null, null])
  })

  it("go on with the nonce that the other gave up, and without the one that it took", async () => {
    assert.strictEqual(
      await contested(bench.dispatch, "ROLLBACK", () => runClock(bench.database.url, 0)),
      "OWNER_APPROVAL_EXPIRED"
    )
    await bench.sql("TRUNCATE accounts CASCADE")
    await stopClock(bench.database.url, NOW)
    bench.account = await bench.ledger.enroll()
    bench.plan = await bench.session.plan(bench.account, `owner:${accountId()}`)
    const nothing = () => Promise.resolve()
    assert.strictEqual(await contested(dispatchOf(bench.plan), "COMMIT", nothing), "NONCE_RESERVED")
    assert.lengthOf(await bench.sql("SELECT 1 FROM reserved_nonces"), 1)
    assert.deepStrictEqual(
      await bench.sql("SELECT 1 FROM transport_bindings WHERE plan = $1", [bench.plan]),
      []
    )
  })

  it("claim a step once, whoever is first", async () => {
    for (let round = 0; round < 20; round++) {
      bench.plan = await bench.session.plan(bench.account, `owner:${accountId()}`)
      const request = { ...dispatchOf(bench.plan), nonce: String(round) }
      const twin = {
        ...request,
        key: randomUUID(),
        token: randomUUID(),
        binding_id: randomUUID(),
        judged_revision: null
      }
      const verdicts = await Promise.all([
        bench.session.verdict({ ...request, judged_revision: null }),
        bench.rival.verdict(twin)
      ])
      assert.deepStrictEqual(verdicts.toSorted(), ["CLAIMED", "RECORDED"])
      assert.strictEqual((await bench.lease()).count, 1)
    }
  })

  it("see a plan that changed while they waited for it", async () => {
    await bench.rival.rows("BEGIN")
    await bench.rival.rows("UPDATE plans SET revision = revision + 1 WHERE id = $1", [bench.plan])
    const verdict = bench.session.verdict(bench.dispatch)
    await new LedgerSession(bench.rival.client).blocking()
    await bench.rival.rows("COMMIT")
    assert.strictEqual(await verdict, "CONCURRENT_UPDATE")
  })

  it("give up on a lock in the pool's time, as a failure of the statement", async () => {
    await bench.rival.rows("BEGIN")
    await bench.rival.rows("SELECT 1 FROM accounts WHERE number = $1 FOR UPDATE", [bench.account])
    const before = await bench.rival.stored()
    await bench.sql("SET lock_timeout = 1")
    const state = await bench.session.verdict(bench.dispatch).then(
      verdict => verdict,
      failure => failure.code
    )
    await bench.sql("RESET lock_timeout")
    assert.strictEqual(state, "55P03")
    assert.deepStrictEqual(await bench.rival.stored(), before)
  })
})
