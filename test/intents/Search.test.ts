import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assertProblem } from "../support/Problem.ts"
import { type Party, signedFetch } from "../support/SignedFetch.ts"
import { draftOf } from "./support/Drafts.ts"
import { named, newKey, type Publications, startPublications } from "./support/Publications.ts"

let service: Publications["service"]
let owner: Party
let publish: Publications["publish"]

beforeAll(async () => {
  ;({ service, owner, publish } = await startPublications())
})

afterAll(() => service.stop())

const search = async (query: string) => {
  const answer = await signedFetch(service, owner, "GET", `/api/v1/intents${query}`)
  assert.strictEqual(answer.status, 200, await answer.clone().text())
  return answer.json()
}

const namesIn = (page: { readonly items: ReadonlyArray<{ readonly metadata: { readonly name: string } }> }) =>
  page.items.map(({ metadata }) => metadata.name)

describe("searching", () => {
  it("finds words wherever they stand, newest first", async () => {
    await publish(draftOf({ jb: { name: "Zebra crossing", tags: ["stripes"] } }))
    await publish(draftOf({ jb: { name: "Horse", description: "almost a zebra" } }))
    await publish(draftOf({ jb: { name: "Donkey", tagline: "ZEBRA without stripes" } }))
    assert.deepStrictEqual(namesIn(await search("?q=zebra")), ["Donkey", "Horse", "Zebra crossing"])
    assert.deepStrictEqual(namesIn(await search("?q=stripes%20zebra")), ["Donkey", "Zebra crossing"])
    assert.deepStrictEqual(namesIn(await search("?q=zebra%20-horse%20-donkey")), ["Zebra crossing"])
    assert.deepStrictEqual(namesIn(await search("?q=unicorn")), [])
  })

  it("gives every intent once, page after page, of every deployment version", async () => {
    const key = newKey()
    for (const version of ["6", "7", "6"])
      await publish(named(`paged ${Math.random()}`, { deploymentVersion: version }), key)
    const all = await search(`?publisher=${key.address}&limit=100`)
    assert.strictEqual(all.totalCount, 3)
    assert.isNull(all.nextCursor)
    const paged = []
    let cursor: string | null = "0"
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof search>> = await search(
        `?publisher=${key.address.toLowerCase()}&limit=2&cursor=${cursor}`
      )
      assert.strictEqual(page.totalCount, 3)
      paged.push(...page.items)
      cursor = page.nextCursor
    }
    assert.deepStrictEqual(paged, all.items)
    assert.deepStrictEqual(
      paged.map(({ deploymentVersion }) => deploymentVersion),
      ["6", "7", "6"]
    )
    assert.deepStrictEqual((await search(`?publisher=${key.address}&cursor=9`)).items, [])
  })

  it("shows what the record says", async () => {
    const holder = newKey().address
    const { intent } = await publish(draftOf({ jb: { name: "Owned", owner: holder, tags: ["a", "b"] } }))
    const { items } = await search(`?owner=${holder}`)
    const { id, contentHash, publisher, createdAt, name, description, tagline, tags, logoUri, owner } = intent
    assert.deepStrictEqual(items, [
      {
        source: "service",
        status: "undeployed",
        intentId: id,
        contentHash,
        format: "app.example/1",
        deploymentVersion: "6",
        chainIds: [1, 10],
        publisher,
        metadata: { name, description, tagline, tags, logoUri, owner },
        createdAt
      }
    ])
  })

  it("takes any text and refuses what is no page", async () => {
    for (const text of [
      "'; DROP TABLE intents",
      "a & | ! (",
      '"unclosed',
      "\u0000",
      "\ud83d\ude00",
      "%",
      "a:*"
    ])
      assert.isArray((await search(`?q=${encodeURIComponent(text).replaceAll("'", "%27")}`)).items)
    const wrong = [
      "limit=0",
      "limit=101",
      "cursor=-1",
      "cursor=01",
      "cursor=1e3",
      "cursor=10000000",
      `q=${"a".repeat(201)}`
    ]
    for (const query of [...wrong, "owner=0x1", "publisher=me"])
      await assertProblem(
        await signedFetch(service, owner, "GET", `/api/v1/intents?${query}`),
        "INVALID_PARAMETER"
      )
    assert.isArray((await search(`?q=${"a".repeat(200)}&limit=100&cursor=9999999`)).items)
  })
})
