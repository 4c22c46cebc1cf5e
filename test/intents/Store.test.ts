import { Context, Effect, Exit, Layer, ManagedRuntime, Redacted } from "effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import { AccountLock } from "../../src/accounts/AccountLock.ts"
import { type Actor, Principal } from "../../src/accounts/Principal.ts"
import { SignedRequest } from "../../src/auth/SignedRequest.ts"
import { DeploymentStore } from "../../src/intents/DeploymentStore.ts"
import { IntentStore } from "../../src/intents/IntentStore.ts"
import { publishIntent } from "../../src/intents/PublishIntent.ts"
import { services } from "../../src/main/Services.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { checksummed } from "../../src/values/Checksum.ts"
import type { Address } from "../../src/values/Scalars.ts"
import { freshDatabase } from "../support/Postgres.ts"
import { testSettings } from "../support/Settings.ts"
import { connected } from "../support/Sql.ts"
import { draftOf, hashOf, signedBy } from "./support/Drafts.ts"

const OWNER = `0x${"a1".repeat(20)}` as const
const HASH = `0x${"7a".repeat(32)}` as const
const ACCOUNT = `eip155:1:${OWNER}`
const database = await freshDatabase()
const runtime = ManagedRuntime.make(
  Layer.provideMerge(
    services([]),
    Layer.succeed(Settings, testSettings({ databaseUrl: Redacted.make(database.url) }))
  )
)
const key = privateKeyToAccount(generatePrivateKey())

await runtime.runPromise(Effect.void)
const client = await connected(database.url)
const account = await client.query(
  `INSERT INTO accounts (id, authority_chain_id, owner_address, created_at, updated_at) VALUES ($1, 1, $2, 1, 1) RETURNING number`,
  [ACCOUNT, OWNER]
)
const grant = await client.query(
  `INSERT INTO bot_grants (id, account, bot_address, scopes, label, created_at, expires_at)
    VALUES (gen_random_uuid(), $1, $2, ARRAY['read', 'plan'], '', 1, unix_seconds() + 1000) RETURNING id`,
  [account.rows[0].number, OWNER]
)
const grantId = grant.rows[0].id

beforeEach(() =>
  client.query(
    "TRUNCATE intents, intent_deployments, intent_origins; UPDATE bot_grants SET revoked_at = NULL"
  )
)

afterAll(async () => {
  await client.end()
  await runtime.dispose()
  await database.drop()
})

const signed = {
  accountId: ACCOUNT,
  authorityChainId: 1,
  ownerAddress: OWNER,
  signer: OWNER,
  issuedAt: 1,
  expiresAt: 2,
  nonce: `0x${"00".repeat(32)}`
} as const

const owner: Actor = { ...signed, kind: "owner", id: `owner:${ACCOUNT}` }
const bot = (): Actor => ({ ...signed, kind: "bot", id: `bot:${grantId}`, grantId, scopes: ["read", "plan"] })

const admitted = (actor: Actor, address: string) =>
  Context.make(Principal, actor).pipe(
    Context.add(SignedRequest, {
      method: "POST",
      target: "/api/v1/intents",
      contentType: "application/json",
      body: new Uint8Array(),
      requestId: "a request",
      idempotencyKey: undefined,
      address,
      account: undefined
    })
  )

const draft = draftOf({ jb: { name: "Stored", deep: ["\u0000", "\ud800", 1.5, -0, 1e21] } })

const publishing = async (actor: Actor = owner, address = "192.0.2.1") => {
  const { envelope, publisher, signature } = await signedBy(key, draft)
  return publishIntent({
    envelope: { ...envelope, deploymentCalls: [...envelope.deploymentCalls].map(asCall) },
    publisher,
    signature
  }).pipe(Effect.provide(admitted(actor, address)))
}

const asCall = ({ chainId, to, data }: { chainId: number; to: string; data: string }) => ({
  chainId,
  to: addressOf(to),
  data: `0x${data.slice(2)}` as const
})

const addressOf = (text: string): Address => checksummed(text.toLowerCase())

const find = (id: string) => Effect.flatMap(IntentStore, store => store.find(id))

const search = () => Effect.flatMap(IntentStore, store => store.search({ text: "", limit: 20, offset: 0 }))

const faultOf = async <A, E>(effect: Effect.Effect<A, E, IntentStore>): Promise<unknown> => {
  const failure = await runtime.runPromise(Effect.flip(effect))
  assert.strictEqual(Reflect.get(Object(failure), "_tag"), "UPSTREAM_INVALID_RESPONSE")
  return Reflect.get(Object(Reflect.get(Object(failure), "context")), "fault")
}

describe("a grant that was revoked after its request was admitted", () => {
  it("publishes nothing", async () => {
    await client.query("UPDATE bot_grants SET revoked_at = unix_seconds()")
    const exit = await runtime.runPromiseExit(await publishing(bot()))
    assert.include(String(Exit.isFailure(exit) ? exit.cause : ""), "FORBIDDEN")
    assert.lengthOf((await client.query("SELECT 1 FROM intents")).rows, 0)
    await client.query("UPDATE bot_grants SET revoked_at = NULL")
    assert.isFalse((await runtime.runPromise(await publishing(bot()))).replayed)
  })

  it("records no deployment", async () => {
    const { intent } = await runtime.runPromise(await publishing())
    const recording = Effect.gen(function* () {
      const store = yield* DeploymentStore
      const proven = {
        chainId: 1,
        projectId: "7",
        transactionHash: HASH,
        forwarded: false,
        blockNumber: 2n ** 53n - 1n,
        blockHash: HASH
      }
      return yield* (yield* AccountLock).with(ACCOUNT)(store.record({ intentId: intent.id, grantId, proven }))
    })
    await client.query("UPDATE bot_grants SET revoked_at = unix_seconds()")
    assert.strictEqual((await runtime.runPromise(Effect.flip(recording)))._tag, "FORBIDDEN")
    assert.lengthOf((await client.query("SELECT 1 FROM intent_deployments")).rows, 0)
    await client.query("UPDATE bot_grants SET revoked_at = NULL")
    assert.isFalse(await runtime.runPromise(recording))
    assert.isTrue(await runtime.runPromise(recording))
    const { rows } = await client.query("SELECT project_id, block_number FROM intent_deployments")
    assert.deepStrictEqual(rows, [{ project_id: "7", block_number: 2 ** 53 - 1 }])
  })
})

describe("a stored intent", () => {
  it("is read as it was signed, to the last character", async () => {
    const { intent } = await runtime.runPromise(await publishing())
    const found = await runtime.runPromise(find(intent.id))
    assert.deepStrictEqual(found, intent)
    assert.strictEqual(found.contentHash, hashOf(draft))
    assert.deepStrictEqual(
      JSON.parse(JSON.stringify(found.envelope.jb)),
      JSON.parse(JSON.stringify(draft.jb))
    )
  })

  it("is refused when any part of it was changed", async () => {
    const { intent } = await runtime.runPromise(await publishing())
    const changes: ReadonlyArray<readonly [string, string]> = [
      ["envelope = replace(envelope, 'Stored', 'Stolen')", "content hash"],
      ["envelope = envelope || ' '", "content hash"],
      ["envelope = 'not JSON'", "shape"],
      ["envelope = '{}'", "shape"],
      ["envelope = replace(envelope, '[1,10]', '[1]')", "shape"],
      [`content_hash = '0x${"00".repeat(32)}'`, "content hash"],
      [`publisher = '${OWNER}'`, "signature"],
      [`signature = '0x${"11".repeat(65)}'`, "signature"],
      ["signature = ''", "signature"]
    ]
    for (const [change, fault] of changes) {
      await client.query("BEGIN; CREATE TEMP TABLE kept AS SELECT * FROM intents")
      await client.query(`COMMIT; UPDATE intents SET ${change}`)
      assert.strictEqual(await faultOf(find(intent.id)), fault, change)
      await client.query(
        `UPDATE intents i SET envelope = k.envelope, content_hash = k.content_hash, publisher = k.publisher, signature = k.signature
          FROM kept k WHERE k.number = i.number; DROP TABLE kept`
      )
    }
    assert.deepStrictEqual(await runtime.runPromise(find(intent.id)), intent)
  })

  it("is not listed when it is not signed", async () => {
    await runtime.runPromise(await publishing())
    assert.strictEqual((await runtime.runPromise(search())).totalCount, 1)
    await client.query(`UPDATE intents SET publisher = '${OWNER}'`)
    assert.strictEqual(await faultOf(search()), "signature")
  })

  it("is nothing that the service would not know", async () => {
    const failure = await runtime.runPromise(Effect.flip(find("01234567-89ab-4def-8123-456789abcdef")))
    assert.strictEqual(failure._tag, "INTENT_NOT_FOUND")
  })

  it("keeps no address that published it, only its hash", async () => {
    await runtime.runPromise(await publishing(owner, "198.51.100.7"))
    const { rows } = await client.query("SELECT * FROM intent_origins")
    assert.lengthOf(rows, 1)
    assert.notInclude(JSON.stringify(rows), "198.51")
  })
})
