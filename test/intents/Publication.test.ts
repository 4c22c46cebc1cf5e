import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { enroll, newBot } from "../support/Bots.ts"
import { assertProblem, problemIn } from "../support/Problem.ts"
import { newOwner, type Party } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { callOn, draftOf, hashOf, signedBy } from "./support/Drafts.ts"
import { named, newKey, type Publications, startPublications } from "./support/Publications.ts"

let service: Publications["service"]
let owner: Party
let post: Publications["post"]
let publish: Publications["publish"]

beforeAll(async () => {
  ;({ service, owner, post, publish } = await startPublications())
})

afterAll(() => service.stop())

/** Nobody has published within the windows of these limits. */
const anHourLater = async () => {
  await sqlOn(service.databaseUrl, "UPDATE intent_origins SET created_at = created_at - 3600")
}

describe("publishing", () => {
  it("gives the record, whoever the publisher is", async () => {
    const draft = draftOf({ jb: { name: "Bread", tags: ["food"], nested: { a: [1, "\u0000"] } } })
    const { key, answer, intent } = await publish(draft)
    assert.strictEqual(
      answer.headers.get("location"),
      `/api/v1/operations/get_intent?input=${encodeURIComponent(JSON.stringify({ id: intent.id }))}`
    )
    assert.isNull(answer.headers.get("idempotent-replayed"))
    assert.isAbove(intent.createdAt, 1_700_000_000)
    assert.deepStrictEqual(
      { ...intent, id: 0, createdAt: 0, signature: 0 },
      {
        id: 0,
        status: "undeployed",
        contentHash: hashOf(draft),
        envelope: draft,
        publisher: key.address,
        signature: 0,
        name: "Bread",
        description: null,
        tagline: null,
        tags: ["food"],
        logoUri: null,
        owner: null,
        createdAt: 0,
        deployments: [],
        deploys: []
      }
    )
  })

  it("gives the stored record again, also to another account and in another spelling", async () => {
    const key = newKey()
    const draft = named("again")
    const { intent } = await publish(draft, key)
    const other = newOwner()
    await enroll(service, other)
    const spelled = { ...draft, chainIds: draft.chainIds.toReversed() }
    const answer = await post({ ...(await signedBy(key, draft)), envelope: spelled }, other)
    assert.strictEqual(answer.status, 201)
    assert.strictEqual(answer.headers.get("idempotent-replayed"), "true")
    assert.deepStrictEqual(await answer.json(), intent)
  })

  it("makes another record of another publisher's same content", async () => {
    const draft = named("shared")
    const [first, second] = [await publish(draft), await publish(draft)]
    assert.notStrictEqual(second.intent.id, first.intent.id)
    assert.strictEqual(second.intent.contentHash, first.intent.contentHash)
  })

  it("is for owners and for bots that may plan", async () => {
    const body = await signedBy(newKey(), named("by a bot"))
    await assertProblem(await post(body, await newBot(service, owner, { scopes: ["read"] })), "FORBIDDEN")
    const planner = await newBot(service, owner, { scopes: ["read", "plan"] })
    assert.strictEqual((await post(body, planner)).status, 201)
  })

  it("refuses a signature that is not the publisher's of this very envelope", async () => {
    const key = newKey()
    const body = await signedBy(key, named("mine"))
    const foreign = [
      { ...body, publisher: newKey().address },
      { ...body, envelope: named("not mine") },
      { ...body, signature: (await signedBy(newKey(), named("mine"))).signature },
      { ...body, signature: `0x${"00".repeat(65)}` }
    ]
    for (const other of foreign) {
      const { context } = await assertProblem(await post(other), "INVALID_INPUT")
      assert.strictEqual(context?.path, "signature")
    }
    // Without its last byte it may be a signature still: in its compact form (EIP-2098).
    for (const signature of ["0x", body.signature.slice(0, -4), `${body.signature}00`, 5])
      await assertProblem(await post({ ...body, signature }), "INVALID_INPUT")
  })

  it("refuses what an envelope may not say, before anything is stored", async () => {
    const before = await sqlOn(service.databaseUrl, "SELECT count(*) FROM intents")
    const drafts = [
      draftOf({ chainIds: [1, 1] }),
      draftOf({ chainIds: [1] }),
      draftOf({ jb: { chains: [1] } }),
      draftOf({ format: "no version" }),
      draftOf({ deploymentVersion: "6\u0000" }),
      draftOf({ deploymentCalls: [callOn(1, { data: "0x" }), callOn(10)] })
    ]
    for (const draft of drafts)
      await assertProblem(await post(await signedBy(newKey(), draft)), "INVALID_INPUT")
    await assertProblem(await post({ ...(await signedBy(newKey(), draftOf())), more: 1 }), "INVALID_INPUT")
    assert.deepStrictEqual(await sqlOn(service.databaseUrl, "SELECT count(*) FROM intents"), before)
  })
})

const another = async (): Promise<Party> => {
  const party = newOwner()
  await enroll(service, party)
  return party
}

/** Copies of the account's one intent, under hashes of their own. */
const copied = (party: Party, count: number) =>
  sqlOn(
    service.databaseUrl,
    `INSERT INTO intents (id, account, publisher, content_hash, signature, envelope, format, deployment_version,
      chain_ids, name, tags, words, created_at)
      SELECT gen_random_uuid(), i.account, i.publisher, 'copy ' || n || ' of ' || i.content_hash, i.signature, i.envelope, i.format,
        i.deployment_version, i.chain_ids, 'Zz copy', i.tags, ''::tsvector, 1
      FROM intents i JOIN accounts a ON a.number = i.account, generate_series(1, $2) n WHERE a.owner_address = $1`,
    [party.key.address.toLowerCase(), count]
  )

describe("the limits of publication", () => {
  it("are 100 for an account in all, whoever the publishers are", async () => {
    await anHourLater()
    const party = await another()
    const { key } = await publish(named("first"), newKey(), party)
    await copied(party, 98)
    await publish(named("hundredth"), newKey(), party)
    const beyond = await signedBy(newKey(), named("beyond"))
    const answer = await post(beyond, party)
    const { context, retryable } = await assertProblem(answer, "STORAGE_LIMIT")
    assert.deepStrictEqual([context, retryable], [{ limit: "intents", most: 100 }, false])
    assert.strictEqual(answer.headers.get("retry-after"), "3600", "time does not clear it")
    const again = await post(await signedBy(key, named("first")), party)
    assert.deepStrictEqual([again.status, again.headers.get("idempotent-replayed")], [201, "true"])
    assert.strictEqual((await post(beyond, await another())).status, 201)
    await sqlOn(service.databaseUrl, "DELETE FROM intents WHERE name = 'Zz copy'")
  })

  it("are 20 for a publisher in a day, and the same content is none of them", async () => {
    await anHourLater()
    const key = newKey()
    for (let count = 0; count < 20; count++) await publish(named(`day ${count}`), key)
    const { context, retryable } = await assertProblem(
      await post(await signedBy(key, named("day 20"))),
      "RATE_LIMITED"
    )
    assert.deepStrictEqual(context, { limit: 20, per: "publisher and day" })
    assert.isTrue(retryable)
    await publish(named("day 0"), key)
    await publish(named("another publisher"))
    await sqlOn(
      service.databaseUrl,
      "UPDATE intents SET created_at = created_at - 86400 WHERE publisher = $1",
      [key.address.toLowerCase()]
    )
    await publish(named("day 20"), key)
  })

  it("tell when the oldest publication leaves the day", async () => {
    await anHourLater()
    const key = newKey()
    for (let count = 0; count < 20; count++) await publish(named(`old ${count}`), key)
    await sqlOn(
      service.databaseUrl,
      "UPDATE intents SET created_at = created_at - 86000 WHERE publisher = $1",
      [key.address.toLowerCase()]
    )
    const answer = await post(await signedBy(key, named("old 20")))
    assert.closeTo(Number(answer.headers.get("retry-after")), 395, 10)
    await problemIn(answer)
  })

  it("are 60 for a client address in an hour, over all publishers", async () => {
    await anHourLater()
    const party = await another()
    for (let count = 0; count < 60; count++) await publish(named(`hour ${count}`), newKey(), party)
    const body = await signedBy(newKey(), named("hour 60"))
    const answer = await post(body, party)
    assert.closeTo(Number(answer.headers.get("retry-after")), 3590, 15)
    const { context } = await assertProblem(answer, "RATE_LIMITED")
    assert.deepStrictEqual(context, { limit: 60, per: "client address and hour" })
    await anHourLater()
    assert.strictEqual((await post(body, party)).status, 201)
  })
})
