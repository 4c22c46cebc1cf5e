/** R9: one held account slows nobody else, whatever is asked of it. */
import { afterAll, assert, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { problemIn } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, signedFetch } from "../support/SignedFetch.ts"
import { connected } from "../support/Sql.ts"

const ME = "/api/v1/accounts/me"
/** As long as a statement waits for the row at most; who waits with it takes at least as long. */
const LOCK_WAIT_MILLIS = 5_000

const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }
const service = await startService({ settings: { quotas, databaseConnections: 2 } })
const held = newOwner()
const others = Array.from({ length: 10 }, () => newOwner())
for (const owner of [held, ...others]) await enroll(service, owner)

afterAll(() => service.stop())

const rounds = async (count: number) => {
  const took: Array<number> = []
  for (let round = 0; round < count; round++)
    for (const owner of others) {
      const started = performance.now()
      const answer =
        round % 2 === 0
          ? await signedFetch(service, owner, "GET", ME)
          : await signedFetch(service, owner, "PATCH", ME, { body: { bio: `${round}` } })
      assert.strictEqual(answer.status, 200)
      took.push(performance.now() - started)
    }
  return Math.max(...took)
}

it("a held account waits alone, and gives up alone", { timeout: 120_000 }, async () => {
  const holder = await connected(service.databaseUrl)
  await holder.query("BEGIN")
  await holder.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [held.accountId])
  const waiting = Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0
        ? signedFetch(service, held, "GET", ME)
        : signedFetch(service, held, "PATCH", ME, { body: { bio: "held" } })
    )
  )
  assert.isBelow(await rounds(6), LOCK_WAIT_MILLIS)
  for (const answer of await waiting)
    assert.strictEqual((await problemIn(answer)).code, "DATABASE_UNAVAILABLE")
  await holder.query("ROLLBACK")
  await holder.end()
  assert.strictEqual((await signedFetch(service, held, "GET", ME)).status, 200)
})

it("a held account goes on as soon as it is let go", async () => {
  const holder = await connected(service.databaseUrl)
  await holder.query("BEGIN")
  await holder.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [held.accountId])
  const waiting = Promise.all(Array.from({ length: 20 }, () => signedFetch(service, held, "GET", ME)))
  assert.isBelow(await rounds(2), LOCK_WAIT_MILLIS)
  await holder.query("COMMIT")
  await holder.end()
  for (const answer of await waiting) assert.strictEqual(answer.status, 200)
})
