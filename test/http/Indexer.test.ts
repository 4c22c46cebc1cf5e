import { Redacted } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { type Entity, entities, identityOf } from "../../src/indexer/Entities.ts"
import { enroll } from "../support/Bots.ts"
import { fillRandomly } from "../support/IndexedRows.ts"
import { startIndexedSource } from "../support/IndexedSource.ts"
import { problemIn } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, signedFetch } from "../support/SignedFetch.ts"

const source = await startIndexedSource()
await fillRandomly(source, { seed: 7, count: 28 })
await source.progress([{ name: "baseSepolia", chainId: 84532, blockNumber: 12, blockTimestamp: 34 }])
const indexer = { mainnetUrl: undefined, testnetUrl: Redacted.make(source.url), headers: Redacted.make({}) }
const service = await startService({
  settings: { indexer, quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 } }
})
const owner = newOwner()
await enroll(service, owner)

afterAll(async () => {
  await service.stop()
  await source.stop()
})

type Query = Readonly<Record<string, unknown>>

const targetOf = (path: string, query: Query) => {
  const text = Object.entries(query)
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`
    )
    .join("&")
  return `/api/v1/indexer/${path}?${text}`
}

/** The helper holds every answer against the description. */
const ask = (path: string, query: Query) => signedFetch(service, owner, "GET", targetOf(path, query))

const answer = async (path: string, query: Query = {}) => {
  const response = await ask(path, { network: "testnet", ...query })
  const body = await response.json()
  assert.strictEqual(response.status, 200, JSON.stringify(body))
  return body
}

const refusal = async (path: string, query: Query) => {
  const { code, status } = await problemIn(await ask(path, query))
  return [status, code]
}

const scalars = ({ columns }: Entity) =>
  [...columns.values()].filter(({ hidden }) => !hidden).map(({ name }) => name)

describe("every entity has routes of its own", () => {
  for (const entity of entities)
    it(entity.name, async () => {
      const relations = Object.keys(entity.facts.relations ?? {})
      const fields = [
        ...scalars(entity).slice(0, 40),
        ...relations.slice(0, 4).map(name => `${name}.version`)
      ]
      const listed = await answer(entity.name, { fields })
      assert.strictEqual(listed.entity, entity.name)
      assert.isAbove(listed.items.length, 0)
      const [row] = listed.items
      const id = Object.fromEntries(
        entity.key
          .filter(name => name !== "version")
          .map(name => [name, identityOf(entity).includes(name) ? row[name] : row[name].address])
      )
      const { item } = await answer(`${entity.name}/record`, { fields, id })
      assert.deepStrictEqual(item, row)
    })
})

describe("the indexer's routes", () => {
  it("tell how far the source has indexed, as status and as record", async () => {
    const status = await answer("status")
    assert.deepStrictEqual(status.chains, [{ chainId: 84532, block: 12, timestamp: 34 }])
    const record = await answer("_meta/record")
    assert.strictEqual(record.entity, "_meta")
    assert.deepStrictEqual(record.item, { chains: status.chains })
  })

  const QUERIES: ReadonlyArray<readonly [string, Query, number, string]> = [
    ["payEvent", {}, 400, "MISSING_PARAMETER"],
    ["status", { network: "testnet", chainId: "84532" }, 400, "INVALID_QUERY"],
    ["_meta/record", { network: "testnet", fields: ["a"] }, 400, "INVALID_QUERY"],
    ["payEvent", { network: "goerli" }, 400, "INVALID_PARAMETER"],
    ["payEvent", { network: "testnet", id: "a" }, 400, "INVALID_QUERY"],
    ["payEvent/record", { network: "testnet", limit: "5" }, 400, "INVALID_QUERY"],
    ["payEvent/record", { network: "testnet", cursor: "5" }, 400, "INVALID_QUERY"],
    ["payEvent", { network: "testnet", limit: "51" }, 400, "INVALID_PARAMETER"],
    ["payEvent", { network: "testnet", limit: "0" }, 400, "INVALID_PARAMETER"],
    ["payEvent", { network: "testnet", chainId: "x" }, 400, "INVALID_PARAMETER"],
    ["payEvent", { network: "testnet", projectId: "-1" }, 400, "INVALID_PARAMETER"],
    ["payEvent", { network: "testnet", projectId: "2147483648" }, 400, "INDEXER_UNSAFE_INTEGER"],
    ["project/record", { network: "testnet", projectId: "9007199254740992" }, 400, "INDEXER_UNSAFE_INTEGER"],
    ["payEvent", { network: "testnet", chainId: "1" }, 400, "INDEXER_NETWORK_MISMATCH"],
    ["payEvent", { network: "testnet", fields: "amount" }, 400, "INVALID_JSON"],
    ["payEvent", { network: "testnet", filters: '{"id":"a","id":"b"}' }, 400, "DUPLICATE_JSON_KEY"],
    ["payEvent", { network: "testnet", filters: '{"__proto__":1}' }, 400, "RESERVED_JSON_KEY"],
    [
      "payEvent",
      { network: "testnet", filters: '{"timestamp":9007199254740993}' },
      400,
      "UNSAFE_JSON_NUMBER"
    ],
    ["payEvent", { network: "testnet", filters: { version: 5 } }, 400, "INDEXER_VERSION_FIXED"],
    ["payEvent", { network: "testnet", cursor: "abc" }, 400, "INDEXER_INVALID_CURSOR"],
    ["project/record", { network: "testnet", id: '"7"' }, 400, "INDEXER_COMPOSITE_KEY_REQUIRED"],
    ["wallet", { network: "testnet" }, 404, "INDEXER_ENTITY_NOT_FOUND"],
    ["wallet/record", { network: "testnet" }, 404, "INDEXER_ENTITY_NOT_FOUND"],
    ["payEvent", { network: "mainnet" }, 503, "INDEXER_NOT_CONFIGURED"],
    ["status", { network: "mainnet" }, 503, "INDEXER_NOT_CONFIGURED"]
  ]
  for (const [path, query, status, code] of QUERIES)
    it(`refuse ${path} ${JSON.stringify(query)}`, async () => {
      const asked = source.requests.length
      assert.deepStrictEqual(await refusal(path, query), [status, code])
      assert.strictEqual(source.requests.length, asked)
    })

  it("name everything that can be chosen where a choice is refused", async () => {
    const contextOf = async (path: string, query: Query) => (await problemIn(await ask(path, query))).context
    assert.deepInclude(await contextOf("payEvent", { network: "foo" }), {
      parameter: "network",
      expected: "mainnet or testnet"
    })
    const entity = await contextOf("wallet", { network: "testnet" })
    assert.deepStrictEqual(
      entity?.allowed,
      entities.map(({ name }) => name)
    )
    const testnet = { network: "testnet" }
    const order = async (orderBy: object) => (await contextOf("payEvent", { ...testnet, orderBy }))?.allowed
    assert.deepStrictEqual(await order({ field: "amount", direction: "down" }), ["asc", "desc"])
    assert.includeMembers(Object.values((await order({ field: "project" })) ?? {}), ["amount", "timestamp"])
    assert.deepInclude(await contextOf("payEvent", { ...testnet, chainId: "1" }), {
      allowed: [11155111, 11155420, 84532, 421614]
    })
    assert.deepInclude(await contextOf("payEvent", { network: "mainnet" }), { configured: ["testnet"] })
    const filters = { type: "laterEvent" }
    assert.include(
      String((await contextOf("activityEvent", { ...testnet, filters }))?.expected),
      "payEvent, "
    )
  })

  it("name everything that can be chosen where nothing is given", async () => {
    for (const query of [{}, { network: "" }]) {
      const problem = await problemIn(await ask("payEvent", query))
      assert.strictEqual(problem.code, "MISSING_PARAMETER")
      assert.deepEqual(problem.context, { parameter: "network", expected: "mainnet or testnet" })
    }
    const { context } = await problemIn(await ask("payEvent", { network: "testnet", limit: "" }))
    assert.deepEqual(context, { parameter: "limit" })
  })

  it("ask nobody to come back for what no time brings", async () => {
    const answer = await ask("payEvent", { network: "mainnet" })
    assert.isNull(answer.headers.get("retry-after"))
    assert.isFalse((await problemIn(answer)).retryable)
  })

  it("show nothing of what the source says when it fails", async () => {
    source.intercept(async () => ({ status: 500, contentType: "text/plain", body: "secret of the source" }))
    const problem = await problemIn(await ask("payEvent", { network: "testnet" }))
    source.intercept()
    assert.strictEqual(problem.code, "INDEXER_UPSTREAM_HTTP_ERROR")
    assert.isTrue(problem.retryable)
    assert.notInclude(JSON.stringify(problem), "secret")
    assert.notInclude(JSON.stringify(problem), source.url)
  })
})

describe("the catalog of entities", () => {
  it("is open to everyone, tagged, and lists what may be asked", async () => {
    const response = await fetch(`${service.url}/api/v1/catalog/indexer`)
    const catalog = await response.json()
    assert.strictEqual(response.status, 200)
    assert.lengthOf(catalog.entities, 55)
    assert.deepStrictEqual(catalog.networks, { mainnet: false, testnet: true })
    assert.strictEqual(catalog.limits.maxRows, 50)
    assert.notInclude(JSON.stringify(catalog), '"version_')
    const etag = response.headers.get("etag") ?? ""
    const again = await fetch(`${service.url}/api/v1/catalog/indexer`, { headers: { "If-None-Match": etag } })
    assert.strictEqual(again.status, 304)
  })
})
