import { afterAll, assert, it } from "vitest"
import { enroll, newBot } from "../support/Bots.ts"
import { skewedClock } from "../support/Clocks.ts"
import { problemIn } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { campaign } from "./Campaign.ts"
import { type Chance, chanceFrom } from "./crash/Chance.ts"

const { seed, sizes, report, asked } = campaign("clock", { count: 500 })

const SKEWS_SECONDS = [-600, -90, 0, 90, 600] as const
const ME = "/api/v1/accounts/me"
const QUOTAS = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }
/** An account keeps a thousand live nonces at most. */
const CASES_PER_OWNER = 200
/** Further from an edge than a slow request takes. */
const MARGIN = 20

let owner: Party

const first = await startService({ settings: { quotas: QUOTAS } })
const { databaseUrl, audience } = first
const replicas = await Promise.all(
  SKEWS_SECONDS.map(seconds =>
    startService({
      databaseUrl,
      settings: { audience, quotas: QUOTAS, databaseConnections: 3 },
      clock: skewedClock(() => seconds * 1000)
    })
  )
)

afterAll(async () => {
  for (const replica of replicas) await replica.stop()
  await first.stop()
})

const databaseSeconds = async () =>
  Number((await sqlOn(first.databaseUrl, "SELECT unix_seconds() AS now"))[0]?.now)

interface Case {
  readonly from: number
  readonly to: number
  readonly verdict: "accepted" | "AUTH_EXPIRED"
}

/** Offsets from the database's time, none of them near an edge. */
const windowOf = (chance: Chance): Case => {
  const live: Case = {
    from: -chance.below(200),
    to: MARGIN + chance.below(80),
    verdict: "accepted"
  }
  const over: Case = { from: -700 - chance.below(100), to: -500 - chance.below(200), verdict: "AUTH_EXPIRED" }
  const recent: Case = { from: -200, to: -MARGIN - chance.below(30), verdict: "AUTH_EXPIRED" }
  const ahead: Case = { from: 60 + MARGIN + chance.below(600), to: 900, verdict: "AUTH_EXPIRED" }
  const picked = chance.pick([live, live, over, recent, ahead])
  return picked === ahead ? { ...ahead, to: ahead.from + 60 } : picked
}

const verdictOf = async (answer: Response): Promise<string> =>
  answer.status === 200 ? "accepted" : (await problemIn(answer)).code

it("processes ten minutes fast or slow accept exactly what the database's clock accepts", {
  timeout: asked ? 3_600_000 : 240_000
}, async () => {
  const chance = chanceFrom(seed)
  const seen: Record<string, number> = {}
  for (let index = 0; index < sizes.count; index++) {
    if (index % CASES_PER_OWNER === 0) {
      owner = newOwner()
      assert.strictEqual((await enroll(first, owner)).status, 200)
    }
    const { from, to, verdict } = windowOf(chance)
    const replica = replicas[chance.below(replicas.length)] ?? first
    const now = await databaseSeconds()
    const answer = await signedFetch(replica, owner, "GET", ME, { issuedAt: now + from, expiresAt: now + to })
    assert.strictEqual(await verdictOf(answer), verdict, `case ${index}: ${from} to ${to}`)
    seen[verdict] = (seen[verdict] ?? 0) + 1
  }
  report({ cases: sizes.count, skews: SKEWS_SECONDS, ...seen, violations: 0 })
  assert.hasAllKeys(seen, ["accepted", "AUTH_EXPIRED"])
})

it("a grant ends on the database's clock, whatever the processes think", async () => {
  const granting = newOwner()
  await enroll(first, granting)
  const bot = await newBot(first, granting)
  const expire = (offset: number) =>
    sqlOn(first.databaseUrl, "UPDATE bot_grants SET expires_at = unix_seconds() + $2 WHERE id = $1", [
      bot.grantId,
      offset
    ])
  for (const [offset, verdict] of [
    [300, "accepted"],
    [-1, "FORBIDDEN"]
  ] as const) {
    await expire(offset)
    for (const replica of replicas)
      assert.strictEqual(await verdictOf(await signedFetch(replica, bot, "GET", ME)), verdict)
  }
})
