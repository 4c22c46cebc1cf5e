import { afterAll, assert, describe, it } from "vitest"
import { plainRow } from "../../support/IndexedRows.ts"
import { startIndexedSource } from "../../support/IndexedSource.ts"
import { answered, ask, messageOf } from "./Support.ts"

const OWNER = "0x00000000000000000000000000000000000000aa"
const HOOK = "0x00000000000000000000000000000000000000b1"
const MAXIMUM = String(2n ** 256n - 1n)

const insert = (entity: string, ...rows: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  source.insert(
    entity,
    rows.map(row => plainRow(source.model, entity, row))
  )

const source = await startIndexedSource({ masked: false })
await insert(
  "project",
  { chainId: 1, projectId: 1, id: "a", suckerGroupId: "g", volume: MAXIMUM, metadata: { big: 1 } },
  { chainId: 1, projectId: 2, id: "b", suckerGroupId: "g" },
  { chainId: 1, projectId: 1, id: "old", version: 5 }
)
await source.query(
  `UPDATE ${source.table("project")} SET metadata = '{"big": 123456789012345678901234567890, "list": [1.5, null]}' WHERE id = 'a'`
)
await insert("suckerGroup", { id: "g", projects: ["a", "b"], addresses: ["0xAA"], volume: "3" })
await insert(
  "participant",
  { chainId: 1, projectId: 1, address: OWNER, volume: "1" },
  { chainId: 1, projectId: 2, address: OWNER, volume: "2" }
)
await source.insert("wallet", [{ address: OWNER, volume: "0", volumeUsd: "0", lastPaidTimestamp: 0 }])
await insert(
  "loan",
  { id: "1", chainId: 1, projectId: 1, owner: OWNER },
  { id: "2", chainId: 1, projectId: 2, owner: OWNER },
  { id: "3", chainId: 1, projectId: 3, owner: OWNER }
)
await insert("nftHook", { chainId: 1, projectId: 1, address: HOOK })
await insert("nftTier", { chainId: 1, projectId: 1, hook: HOOK, tierId: 1, metadata: null })
await insert(
  "nft",
  { chainId: 1, projectId: 1, hook: HOOK, tokenId: MAXIMUM, tierId: 1, owner: OWNER },
  { chainId: 1, projectId: 1, hook: "0xdead", tokenId: "2", tierId: 9, owner: OWNER }
)
await insert("payEvent", { id: "p", chainId: 1, projectId: 1, version: 5, amount: "9" })
await insert("activityEvent", { id: "x", chainId: 1, projectId: 1, type: "payEvent", payEvent: "p" })
await insert("buybackPool", { chainId: 1, poolId: "0x01", projectId: 1, version: 5 })

afterAll(() => source.stop())

describe("a single row", () => {
  it("is found by its key in any order and any case", async () => {
    const byKey = `{ participant(address: "${OWNER.toUpperCase().replace("0X", "0x")}", projectId: 2, version: 6, chainId: 1) { volume address } }`
    assert.deepStrictEqual(await answered(source, byKey), { volume: "2", address: OWNER })
    assert.deepStrictEqual(
      await answered(
        source,
        `{ nft(chainId: 1, hook: "${HOOK}", tokenId: "${MAXIMUM}", version: 6) { tokenId } }`
      ),
      { tokenId: MAXIMUM }
    )
  })

  it("is null where there is none, without an error", async () => {
    assert.isNull(await answered(source, '{ payEvent(id: "absent") { id } }'))
    assert.isNull(await answered(source, "{ project(chainId: 1, projectId: 1, version: 4) { id } }"))
  })

  it("may be of an older version where the key does not say", async () => {
    assert.deepStrictEqual(await answered(source, '{ payEvent(id: "p") { version } }'), { version: 5 })
    assert.deepStrictEqual(await answered(source, '{ buybackPool(chainId: 1, poolId: "0x1") { version } }'), {
      version: 5
    })
  })

  it("takes fractions and large numbers until the database sees them", async () => {
    assert.match(
      await messageOf(source, "{ project(chainId: 1, projectId: 3000000000, version: 6) { id } }"),
      /^value "3000000000" is out of range for type integer$/
    )
    assert.match(
      await messageOf(source, "{ project(chainId: 1, projectId: 1.5, version: 6) { id } }"),
      /^invalid input syntax for type integer: "1.5"$/
    )
  })

  it("fails with the others of its table and its request", async () => {
    const { data, errors } = await ask(
      source,
      '{ good: project(chainId: 1, projectId: 1, version: 6) { id } bad: project(chainId: 1, projectId: 3000000000, version: 6) { id } other: payEvent(id: "p") { id } }'
    )
    assert.deepEqual(data, { good: null, bad: null, other: { id: "p" } })
    assert.sameDeepMembers(errors?.map(({ path }) => path) ?? [], [["good"], ["bad"]])
  })
})

describe("values", () => {
  it("are decimal text for big integers, and JSON that has lost large ones", async () => {
    assert.deepEqual(
      await answered(source, "{ project(chainId: 1, projectId: 1, version: 6) { volume metadata } }"),
      {
        volume: MAXIMUM,
        metadata: { big: 1.2345678901234568e29, list: [1.5, null] }
      }
    )
  })

  it("of big integers are text where they stand in the query itself", async () => {
    assert.strictEqual(
      await messageOf(source, "{ loan(id: 1, chainId: 1, version: 6) { id } }"),
      'Expected value of type "BigInt!", found 1; Invalid value kind provided for field of type BigInt: IntValue. Expected: StringValue'
    )
  })
})

describe("relations", () => {
  it("lead to one row or to none", async () => {
    const nfts = await answered(
      source,
      '{ nfts(orderBy: "tokenId") { items { hook { address } tier { tierId } project { id } wallet { address } } } }'
    )
    const shared = { project: { id: "a" }, wallet: { address: OWNER } }
    assert.deepEqual(nfts, {
      items: [
        { ...shared, hook: null, tier: null },
        { ...shared, hook: { address: HOOK }, tier: { tierId: 1 } }
      ]
    })
  })

  it("by the id alone do not ask for the version", async () => {
    assert.deepEqual(
      await answered(
        source,
        "{ activityEvents { items { version payEvent { version amount } burnEvent { id } } } }"
      ),
      {
        items: [{ version: 6, payEvent: { version: 5, amount: "9" }, burnEvent: null }]
      }
    )
  })

  it("without the whole key give all loans of an owner the same project's participant", async () => {
    const found = await answered(
      source,
      '{ loans(orderBy: "id") { items { projectId participant { projectId } } } }'
    )
    const loans = Object(found).items
    assert.deepEqual(loans[0].participant, loans[1].participant)
    assert.deepEqual(loans[1].participant, loans[2].participant)
  })

  it("without the whole key take each other's places", async () => {
    const other = "0x00000000000000000000000000000000000000ee"
    await insert("participant", { chainId: 1, projectId: 9, address: other })
    await insert("loan", { id: "4", chainId: 1, projectId: 9, owner: other })
    const found = await answered(source, '{ loans(orderBy: "id") { items { participant { address } } } }')
    assert.deepEqual(found, {
      items: [...Array(3).fill({ participant: { address: OWNER } }), { participant: null }]
    })
  })

  it("to many are pages with all their arguments", async () => {
    const group = await answered(
      source,
      '{ suckerGroup(id: "g") { projects(limit: 1, orderBy: "projectId", orderDirection: "desc") { items { projectId } totalCount pageInfo { hasNextPage } } } }'
    )
    assert.deepEqual(group, {
      projects: { items: [{ projectId: 2 }], totalCount: 2, pageInfo: { hasNextPage: true } }
    })
    const project = await answered(
      source,
      `{ project(chainId: 1, projectId: 1, version: 6) { participants(where: {volume_gt: "5"}) { items { volume } } nfts { totalCount } } }`
    )
    assert.deepEqual(project, { participants: { items: [] }, nfts: { totalCount: 2 } })
  })

  it("hide the columns that have their name", async () => {
    assert.match(await messageOf(source, "{ nfts { items { hook } } }"), /must have a selection of subfields/)
    assert.deepEqual(
      await answered(source, `{ nfts(where: {hook: "${HOOK}"}, orderBy: "hook") { totalCount } }`),
      { totalCount: 1 }
    )
    assert.deepEqual(
      await answered(source, '{ suckerGroups(where: {projects_has: "b"}) { items { addresses } } }'),
      { items: [{ addresses: ["0xaa"] }] }
    )
    assert.deepEqual(
      await answered(source, '{ suckerGroups(where: {addresses_has: "0xAA"}) { totalCount } }'),
      { totalCount: 1 }
    )
  })
})
