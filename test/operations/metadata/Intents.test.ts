import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, describe, it } from "vitest"
import { draftOf, hashOf, messageFor, signedBy } from "../../intents/support/Drafts.ts"
import { enroll } from "../../support/Bots.ts"
import { operationTarget } from "../../support/OperationTarget.ts"
import { assertProblem } from "../../support/Problem.ts"
import { startService } from "../../support/Service.ts"
import { newOwner, signedFetch } from "../../support/SignedFetch.ts"
import { sqlOn } from "../../support/Sql.ts"

const service = await startService({
  settings: { quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 } }
})
const owner = newOwner()
await enroll(service, owner)

afterAll(() => service.stop())

const ask = (id: string, input: unknown) => signedFetch(service, owner, "GET", operationTarget(id, input))

const publish = async (draft = draftOf()) => {
  const key = privateKeyToAccount(generatePrivateKey())
  const answer = await signedFetch(service, owner, "POST", "/api/v1/intents", {
    body: await signedBy(key, draft)
  })
  assert.strictEqual(answer.status, 201, await answer.clone().text())
  return { location: answer.headers.get("location") ?? "", intent: await answer.json() }
}

describe("prepare_intent", () => {
  it("gives the normal form, its hash and what to sign, and stores nothing", async () => {
    const draft = draftOf({ jb: { name: "Bread" } })
    const answer = await ask("prepare_intent", { ...draft, chainIds: [10, 1] })
    assert.strictEqual(answer.status, 200)
    const contentHash = hashOf(draft)
    assert.deepStrictEqual(await answer.json(), {
      envelope: draft,
      contentHash,
      message: messageFor(contentHash)
    })
    assert.deepStrictEqual(await sqlOn(service.databaseUrl, "SELECT 1 FROM intents"), [])
  })

  it("gives what can be published as it is", async () => {
    const key = privateKeyToAccount(generatePrivateKey())
    const { envelope, message, contentHash } = await (await ask("prepare_intent", draftOf())).json()
    const signature = await key.signMessage({ message })
    const body = { envelope, publisher: key.address, signature }
    const answer = await signedFetch(service, owner, "POST", "/api/v1/intents", { body })
    assert.strictEqual((await answer.json()).contentHash, contentHash)
  })

  it("refuses what cannot be published, other versions and chains that are not served", async () => {
    const drafts = [
      draftOf({ deploymentVersion: "7" }),
      draftOf({ deploymentCalls: [] }),
      draftOf({ chainIds: [1] }),
      draftOf({ chainIds: [1, 1] }),
      draftOf({ jb: { chains: [8453] } }),
      draftOf({ format: "Bread" }),
      { ...draftOf(), jb: [] },
      { ...draftOf(), more: 1 }
    ]
    for (const draft of drafts) await assertProblem(await ask("prepare_intent", draft), "INVALID_INPUT")
    const calls = [{ ...draftOf().deploymentCalls[0], chainId: 5 }]
    const foreign = { ...draftOf(), chainIds: [5], deploymentCalls: calls }
    await assertProblem(await ask("prepare_intent", foreign), "UNSUPPORTED_CHAIN")
  })
})

describe("get_intent", () => {
  it("gives the published record, from the place that its publication named", async () => {
    const { intent, location } = await publish()
    const answer = await signedFetch(service, owner, "GET", location)
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(await answer.json(), intent)
  })

  it("refuses another deployment version", async () => {
    const { intent } = await publish(draftOf({ deploymentVersion: "7" }))
    const { context } = await assertProblem(await ask("get_intent", { id: intent.id }), "UNSUPPORTED_VERSION")
    assert.deepStrictEqual(context, { deploymentVersion: "7" })
  })

  it("refuses a record that is not what was signed", async () => {
    const { intent } = await publish(draftOf({ jb: { name: "Stored" } }))
    await sqlOn(
      service.databaseUrl,
      "UPDATE intents SET envelope = replace(envelope, 'Stored', 'Stolen') WHERE id = $1",
      [intent.id]
    )
    await assertProblem(await ask("get_intent", { id: intent.id }), "UPSTREAM_INVALID_RESPONSE")
  })

  it("refuses an id that is unknown or none", async () => {
    await assertProblem(
      await ask("get_intent", { id: "01234567-89ab-4def-8123-456789abcdef" }),
      "INTENT_NOT_FOUND"
    )
    for (const id of ["", "1", "01234567-89AB-4def-8123-456789abcdef", 5])
      await assertProblem(await ask("get_intent", { id }), "INVALID_INPUT")
  })
})

describe("prepare_project_metadata", () => {
  const metadata = { name: "Bread", description: "for all" }
  const prepare = (over: object, version: unknown = 6) =>
    ask("prepare_project_metadata", { version, metadata: { ...metadata, ...over } })

  it("shows the exact text and promises no publication", async () => {
    const answer = await prepare({ infoUri: "https://bread.example" })
    assert.strictEqual(answer.status, 200)
    const { token, issuedAt, expiresAt, review, publication, warnings } = await answer.json()
    const jsonText = '{"description":"for all","infoUri":"https://bread.example","name":"Bread"}'
    assert.strictEqual(review.jsonText, jsonText)
    assert.deepStrictEqual(review.metadata, { ...metadata, infoUri: "https://bread.example" })
    assert.strictEqual(review.utf8Bytes, Buffer.byteLength(jsonText))
    assert.match(token, /^svcmetadata1\.[\w-]+\.[\w-]{43}$/)
    assert.strictEqual(Date.parse(expiresAt) - Date.parse(issuedAt), 600_000)
    assert.lengthOf(warnings, 3)
    assert.deepInclude(publication, {
      configured: false,
      uploaded: false,
      requiresExplicitUserAuthorization: true,
      tokenEstablishesAuthorization: false,
      removalGuaranteed: false,
      linkedContentFetched: false,
      linkedContentAvailabilityVerified: false
    })
  })

  it("refuses unknown members, wrong links and other versions", async () => {
    const wrong = [{ tags: [] }, { name: "" }, { name: " " }, { name: "n".repeat(257) }]
    for (const over of [
      ...wrong,
      { logoUri: "https://example.org/a.png" },
      { infoUri: "http://a.example" },
      { description: 1 }
    ])
      await assertProblem(await prepare(over), "INVALID_INPUT")
    await assertProblem(await prepare({}, 5), "INVALID_INPUT")
    await assertProblem(await ask("prepare_project_metadata", { version: 6 }), "INVALID_INPUT")
  })
})
