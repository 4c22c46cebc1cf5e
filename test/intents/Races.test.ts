import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { type RunningService, startService } from "../support/Service.ts"
import { newOwner, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { draftOf, signedBy } from "./support/Drafts.ts"

/** Each request is signed and its signer found anew, on a machine that may be busy. */
const PATIENCE = { timeout: 120_000 }

const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }

const first = await startService({ settings: { quotas } })
const databaseUrl = first.databaseUrl
const replicas = [first, await startService({ settings: { quotas }, databaseUrl })]

afterAll(async () => {
  for (const replica of replicas.toReversed()) await replica.stop()
})

const newKey = () => privateKeyToAccount(generatePrivateKey())

const replicaAt = (index: number): RunningService => {
  const replica = replicas[index % replicas.length]
  return replica ?? assert.fail("no replica")
}

const newParties = (count: number): Promise<ReadonlyArray<Party>> =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const party = newOwner()
      await enroll(replicaAt(index), party)
      return party
    })
  )

const post = (index: number, party: Party, body: unknown) =>
  signedFetch(replicaAt(index), party, "POST", "/api/v1/intents", { body })

const statuses = (answers: ReadonlyArray<Response>, status: number) =>
  answers.filter(answer => answer.status === status).length

it(
  "one publisher's same content is one intent, however many accounts publish it at once",
  PATIENCE,
  async () => {
    const parties = await newParties(10)
    const key = newKey()
    const body = await signedBy(key, draftOf())
    const answers = await Promise.all(
      [...parties, ...parties].map((party, index) => post(index, party, body))
    )
    assert.strictEqual(statuses(answers, 201), 20)
    const replayed = answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true")
    assert.lengthOf(replayed, 19)
    const ids = await Promise.all(answers.map(async answer => (await answer.json()).id))
    assert.strictEqual(new Set(ids).size, 1)
    const rows = await sqlOn(databaseUrl, "SELECT id FROM intents WHERE publisher = $1", [
      key.address.toLowerCase()
    ])
    assert.deepStrictEqual(rows, [{ id: ids[0] }])
  }
)

it(
  "a publisher's day and an address's hour are exact among many accounts and processes",
  PATIENCE,
  async () => {
    await sqlOn(databaseUrl, "TRUNCATE intents, intent_deployments, intent_origins")
    const parties = await newParties(8)
    const keys = Array.from({ length: 4 }, newKey)
    const bodies = await Promise.all(
      keys.flatMap(key =>
        Array.from({ length: 24 }, (_, at) => signedBy(key, draftOf({ jb: { name: `${at}` } })))
      )
    )
    const answers = await Promise.all(
      bodies.map((body, index) => post(index, parties[index % 8] ?? assert.fail(), body))
    )
    assert.strictEqual(statuses(answers, 201), 60)
    assert.strictEqual(statuses(answers, 429), 36)
    const rows = await sqlOn(databaseUrl, "SELECT publisher, count(*) FROM intents GROUP BY publisher")
    assert.isTrue(
      rows.every(({ count }) => Number(count) <= 20),
      JSON.stringify(rows)
    )
    assert.strictEqual(
      rows.reduce((sum, { count }) => sum + Number(count), 0),
      60
    )
  }
)
