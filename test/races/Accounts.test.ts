import { afterAll, assert, describe, it } from "vitest"
import { enroll, inSeconds, newBot, newKey, requestRegistration } from "../support/Bots.ts"
import { problemIn } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { freshNonce, newOwner, type Party, signedFetch } from "../support/SignedFetch.ts"
import { connected, sqlOn } from "../support/Sql.ts"

const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }
const ME = "/api/v1/accounts/me"

/** Two replicas on one database. */
const first = await startService({ settings: { quotas, databaseConnections: 4, accountCap: 60 } })
const second = await startService({
  databaseUrl: first.databaseUrl,
  settings: { quotas, databaseConnections: 4, accountCap: 60, audience: first.audience }
})

afterAll(async () => {
  await second.stop()
  await first.stop()
})

const replica = (index: number) => (index % 2 === 0 ? first : second)
const times = <A>(count: number, make: (index: number) => Promise<A>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

const tally = (values: ReadonlyArray<number | string>) => {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

const enrolled = async (): Promise<Party> => {
  const owner = newOwner()
  assert.strictEqual((await enroll(first, owner)).status, 200)
  return owner
}

describe("nonces", () => {
  it("are good for one of thirty requests over two replicas", async () => {
    const owner = await enrolled()
    const nonce = freshNonce()
    const answers = await times(30, index => signedFetch(replica(index), owner, "GET", ME, { nonce }))
    assert.deepStrictEqual(tally(answers.map(({ status }) => status)), { 200: 1, 409: 29 })
    const problems = await Promise.all(
      answers.filter(({ status }) => status === 409).map(answer => problemIn(answer))
    )
    assert.isTrue(problems.every(({ code }) => code === "NONCE_REUSED"))
  })

  it("are one ledger for owner and bots", async () => {
    const owner = await enrolled()
    const bot = await newBot(first, owner)
    const nonce = freshNonce()
    const answers = await times(20, index =>
      signedFetch(replica(index), index < 10 ? owner : bot, "GET", ME, { nonce })
    )
    assert.deepStrictEqual(tally(answers.map(({ status }) => status)), { 200: 1, 409: 19 })
  })

  it("are bounded exactly when the last free ones are raced for", async () => {
    const owner = await enrolled()
    const bot = await newBot(first, owner)
    const account = "(SELECT number FROM accounts WHERE id = $1)"
    const seconds = inSeconds(0)
    await sqlOn(
      first.databaseUrl,
      `INSERT INTO request_nonces SELECT ${account}, sha256(('f' || i)::bytea), $2 FROM generate_series(1, 956) i`,
      [owner.accountId, seconds + 250]
    )
    await sqlOn(
      first.databaseUrl,
      `INSERT INTO request_usage VALUES (${account}, $2, 0, 0, 956)
       ON CONFLICT (account, minute) DO UPDATE SET expiring = request_usage.expiring + excluded.expiring`,
      [owner.accountId, Math.floor((seconds + 250) / 60)]
    )
    const bots = await times(30, index => signedFetch(replica(index), bot, "GET", ME))
    assert.deepStrictEqual(tally(bots.map(({ status }) => status)), { 200: 10, 429: 20 })
    const refused = bots.find(({ status }) => status === 429)
    const retryAfter = Number(refused?.headers.get("retry-after"))
    assert.isTrue(retryAfter > 0 && retryAfter <= 60, "until the oldest nonce expires")
    const owners = await times(50, index => signedFetch(replica(index), owner, "GET", ME))
    assert.deepStrictEqual(tally(owners.map(({ status }) => status)), { 200: 32, 429: 18 })
    const problems = await Promise.all(
      owners.filter(({ status }) => status === 429).map(answer => problemIn(answer))
    )
    assert.isTrue(problems.every(({ code }) => code === "STORAGE_LIMIT"))
  })
})

describe("enrolment", () => {
  it("makes one account of twenty at once", async () => {
    const owner = newOwner()
    const answers = await times(20, index => enroll(replica(index), owner))
    assert.deepStrictEqual(tally(answers.map(({ status }) => status)), { 200: 20 })
    const bodies = await Promise.all(answers.map(answer => answer.text()))
    assert.strictEqual(new Set(bodies).size, 1)
    const rows = await sqlOn(first.databaseUrl, "SELECT count(*) AS n FROM accounts WHERE id = $1", [
      owner.accountId
    ])
    assert.deepStrictEqual(rows, [{ n: 1 }])
  })

  it("admits one of twenty with one nonce", async () => {
    const owner = newOwner()
    const nonce = freshNonce()
    const answers = await times(20, index => enroll(replica(index), owner, { nonce }))
    assert.deepStrictEqual(tally(answers.map(({ status }) => status)), { 200: 1, 409: 19 })
  })

  it("keeps an outsider out while the account comes to be", async () => {
    const owner = newOwner()
    const outsider = { ...newOwner(), accountId: owner.accountId }
    const answers = await times(40, index =>
      index % 4 === 0 ? enroll(replica(index), owner) : signedFetch(replica(index), outsider, "GET", ME)
    )
    const outside = answers.filter((_, index) => index % 4 !== 0)
    assert.isTrue(outside.every(({ status }) => status === 403 || status === 404))
    assert.isTrue(answers.every(({ status }, index) => index % 4 !== 0 || status === 200))
  })

  it("lets everybody else work while new accounts wait for each other", async () => {
    const owner = await enrolled()
    const holder = await connected(first.databaseUrl)
    await holder.query("SELECT pg_advisory_lock(7310002)")
    const waiting = times(20, () => enroll(first, newOwner()))
    let isOver = false
    void waiting.finally(() => (isOver = true))
    const answers = await times(20, () => signedFetch(first, owner, "GET", ME))
    assert.isFalse(isOver)
    await holder.end()
    assert.deepStrictEqual(tally(answers.map(({ status }) => status)), { 200: 20 })
    assert.deepStrictEqual(tally((await waiting).map(({ status }) => status)), { 200: 20 })
  })

  it("stops exactly at the cap and leaves nothing behind of those beyond", async () => {
    const [before] = await sqlOn(first.databaseUrl, "SELECT count(*) AS n FROM accounts")
    const free = 60 - Number(before?.n)
    const owners = Array.from({ length: free + 10 }, () => newOwner())
    const answers = await times(owners.length, index => enroll(replica(index), owners[index] ?? newOwner()))
    assert.deepStrictEqual(tally(answers.map(({ status }) => status)), { 200: free, 429: 10 })
    const refused = answers.findIndex(({ status }) => status === 429)
    const problem = await problemIn(answers[refused] ?? assert.fail())
    assert.deepInclude(problem, { code: "STORAGE_LIMIT", retryable: false })
    assert.strictEqual(answers[refused]?.headers.get("retry-after"), "3600")
    assert.deepStrictEqual(await sqlOn(first.databaseUrl, "SELECT count(*) AS n FROM accounts"), [{ n: 60 }])
    const shown = await signedFetch(first, owners[refused] ?? newOwner(), "GET", ME)
    assert.strictEqual((await problemIn(shown)).code, "ACCOUNT_NOT_FOUND")
    const known = owners[answers.findIndex(({ status }) => status === 200)] ?? newOwner()
    assert.strictEqual((await enroll(second, known)).status, 200)
  })
})

describe("grants", () => {
  it("are a hundred at most, revoked ones included, however they race", { timeout: 120_000 }, async () => {
    await sqlOn(
      first.databaseUrl,
      "DELETE FROM request_nonces; DELETE FROM request_usage; DELETE FROM bot_grants; DELETE FROM accounts"
    )
    const owner = await enrolled()
    const gone = await newBot(first, owner)
    await signedFetch(first, owner, "DELETE", `${ME}/bots/${gone.grantId}`)
    await sqlOn(
      first.databaseUrl,
      `INSERT INTO bot_grants SELECT gen_random_uuid(), a.number, '0x11', ARRAY['read'], '', 1, 2, NULL FROM accounts a, generate_series(1, 89)`
    )
    const answers = await times(25, index => requestRegistration(replica(index), owner))
    assert.deepStrictEqual(tally(answers.map(({ status }) => status)), { 201: 10, 429: 15 })
    const refused = answers.find(({ status }) => status === 429) ?? assert.fail()
    assert.deepInclude(await problemIn(refused), {
      code: "STORAGE_LIMIT",
      retryable: false,
      context: { limit: "bot grants" }
    })
    assert.deepStrictEqual(await sqlOn(first.databaseUrl, "SELECT count(*) AS n FROM bot_grants"), [
      { n: 100 }
    ])
  })

  it("give one time of revocation to all who revoke at once, and admit nothing after it", async () => {
    await sqlOn(first.databaseUrl, "DELETE FROM bot_grants")
    const owner = await enrolled()
    const key = newKey()
    const bot = await newBot(first, owner, { key })
    const newer = await newBot(first, owner, { key })
    const answers = await times(10, index =>
      signedFetch(replica(index), owner, "DELETE", `${ME}/bots/${bot.grantId}`)
    )
    assert.deepStrictEqual(tally(answers.map(({ status }) => status)), { 200: 10 })
    assert.strictEqual(new Set(await Promise.all(answers.map(answer => answer.text()))).size, 1)
    const after = await times(10, index => signedFetch(replica(index), bot, "GET", ME))
    assert.deepStrictEqual(tally(after.map(({ status }) => status)), { 403: 10 })
    assert.strictEqual((await signedFetch(first, newer, "GET", ME)).status, 200)
  })
})
