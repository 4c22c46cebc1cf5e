import { afterAll, assert, describe, it } from "vitest"
import { plainRow } from "../../support/IndexedRows.ts"
import { graphqlAnswer, startIndexedSource } from "../../support/IndexedSource.ts"
import { answered, ask, messageOf } from "./Support.ts"

/** One that says what went wrong inside. */

const source = await startIndexedSource()
const open = await startIndexedSource({ masked: false })
await source.insert("project", [plainRow(source.model, "project", { chainId: 1, projectId: 1, id: "a" })])

afterAll(async () => {
  await open.stop()
  await source.stop()
})

const JSON_TYPE = { "content-type": "application/json" }

const send = (init: RequestInit, path = "/graphql") => fetch(new URL(path, source.url), init)

const posted = async (body: string, headers: Record<string, string> = JSON_TYPE) => {
  const response = await send({ method: "POST", headers, body })
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() }
}

describe("requests", () => {
  it("are answered with 200 whatever comes of them", async () => {
    const wrong = await ask(source, "{ projects { items { nothing } } }")
    assert.isUndefined(wrong.data)
    assert.deepEqual(wrong.errors?.[0]?.extensions, { code: "GRAPHQL_VALIDATION_FAILED" })
    assert.strictEqual(wrong.errors?.[0]?.message, 'Cannot query field "nothing" on type "project".')
    assert.match(await messageOf(open, "{ projects {"), /^Syntax Error: /)
    assert.strictEqual(await messageOf(source, "{ projects {"), "Unexpected error.")
    const variables = { where: { projectId: "x" } }
    const coerced = await ask(
      source,
      "query ($where: projectFilter) { projects(where: $where) { totalCount } }",
      variables
    )
    assert.match(
      coerced.errors?.[0]?.message ?? "",
      /^Variable "\$where" got invalid value "x" at "where.projectId"/
    )
    assert.isUndefined(coerced.errors?.[0]?.extensions)
  })

  it("that are none say so", async () => {
    assert.include((await posted("{")).text, '"message":"POST body sent invalid JSON."')
    assert.include((await posted("{")).text, '"code":"BAD_REQUEST"')
    assert.include((await posted("[]")).text, "Batching is not supported.")
    assert.include((await posted("{}")).text, "Must provide query string.")
    assert.include((await posted("null")).text, "POST body is expected to be object but received null")
    const query = "{ projects { totalCount } }"
    for (const [more, message] of [
      [{ query: 5 }, 'Expected \\"query\\" param to be a string, but given number.'],
      [{ more: 1 }, 'Unexpected parameter \\"more\\" in the request body.'],
      [{ variables: "{}" }, 'Expected \\"variables\\" param to be empty or an object, but given string.'],
      [{ variables: [] }, 'Expected \\"variables\\" param to be empty or an object, but given array.'],
      [{ operationName: "other" }, "Could not determine what operation to execute."]
    ] as const)
      assert.include((await posted(JSON.stringify({ query, ...more }))).text, message)
    const empty = { query, variables: null, operationName: null, extensions: {} }
    assert.include((await posted(JSON.stringify(empty))).text, '"totalCount":1')
    const refusing = await posted(JSON.stringify({ query }), { ...JSON_TYPE, accept: "text/html" })
    assert.deepStrictEqual([refusing.status, refusing.text], [200, ""])
    const untyped = await posted("{}", { "content-type": "text/plain" })
    assert.deepStrictEqual([untyped.status, untyped.text], [200, ""])
  })

  it("choose the type of their answer by what they accept", async () => {
    const query = JSON.stringify({ query: "{ projects { totalCount } }" })
    const accept = "application/graphql-response+json"
    assert.match((await posted(query)).type ?? "", /^application\/json/)
    assert.match(
      (await posted(query, { ...JSON_TYPE, accept })).type ?? "",
      /^application\/graphql-response\+json/
    )
    assert.strictEqual((await posted(query)).text, '{"data":{"projects":{"totalCount":1}}}')
  })

  it("are limited in tokens, aliases and depth, but not in variables", async () => {
    const aliased = (count: number) =>
      `{ ${Array.from({ length: count }, (_, at) => `a${at}: projects { totalCount }`).join(" ")} }`
    assert.isUndefined((await ask(source, aliased(30))).errors)
    assert.strictEqual(
      await messageOf(open, aliased(31)),
      "Syntax Error: Aliases limit of 30 exceeded, found 31."
    )
    assert.strictEqual(
      await messageOf(open, `{ projects { items { ${"id ".repeat(1000)} } } }`),
      "Syntax Error: Token limit of 1000 exceeded."
    )
    const nested = `{ projects { items ${"{ suckerGroup { projects { items ".repeat(40)} { id } ${"} } }".repeat(40)} } }`
    assert.strictEqual(
      await messageOf(open, nested),
      "Syntax Error: Query depth limit of 100 exceeded, found 123."
    )
    assert.strictEqual(await messageOf(source, aliased(31)), "Unexpected error.")
    const where = { projectId_in: Array.from({ length: 5000 }, (_, at) => at) }
    assert.deepEqual(
      await answered(source, "query ($where: projectFilter) { projects(where: $where) { totalCount } }", {
        where
      }),
      { totalCount: 1 }
    )
  })

  it("may ask for the schema", async () => {
    const found = await answered(source, '{ __type(name: "payEvent") { fields { name } } }')
    assert.include(JSON.stringify(found), "newlyIssuedTokenCount")
  })
})

describe("what fails inside", () => {
  it("is hidden, so that nobody can tell one failure from another", async () => {
    const hidden = { message: "Unexpected error.", extensions: { code: "INTERNAL_SERVER_ERROR" } }
    const list = await ask(source, '{ projects(orderBy: "nothing") { totalCount } }')
    assert.isNull(list.data)
    assert.deepInclude(list.errors?.[0], hidden)
    assert.deepInclude((await ask(source, '{ projects(after: "x") { totalCount } }')).errors?.[0], hidden)
    const one = await ask(source, "{ project(chainId: 1, projectId: 3000000000, version: 6) { id } }")
    assert.deepEqual(one.data, { project: null })
    assert.deepInclude(one.errors?.[0], { ...hidden, path: ["project"] })
    const bigint = await ask(
      source,
      "query ($where: projectFilter) { projects(where: $where) { totalCount } }",
      { where: { volume: "x" } }
    )
    assert.deepInclude(bigint.errors?.[0], hidden)
  })
})

describe("progress", () => {
  it("is an object by the chains' names, empty before anything was read", async () => {
    assert.deepEqual(await answered(source, "{ _meta { status } }"), { status: {} })
    const block = { blockNumber: 25550000, blockTimestamp: 1780009000 }
    await source.progress([
      { name: "optimism", chainId: 10, ...block },
      { name: "base", chainId: 8453, ...block },
      { name: "ethereum", chainId: 1, ...block }
    ])
    const at = { number: 25550000, timestamp: 1780009000 }
    const expected = '{"ethereum":{"id":1,"block":{"number":25550000,"timestamp":1780009000}},"optimism":'
    const status = await (await send({}, "/status")).text()
    assert.isTrue(status.startsWith(expected), status)
    assert.deepEqual(await answered(source, "{ _meta { status } }"), {
      status: {
        ethereum: { id: 1, block: at },
        optimism: { id: 10, block: at },
        base: { id: 8453, block: at }
      }
    })
    assert.strictEqual((await send({}, "/ready")).status, 200)
    assert.strictEqual((await send({}, "/health")).status, 200)
    assert.strictEqual((await send({}, "/elsewhere")).status, 404)
  })
})

describe("an older source", () => {
  it("lacks entities and fields with everything that names them", async () => {
    source.lack(["buybackPoolRange", "buybackPoolLiquidityEvent", "project.balanceUsd"])
    assert.match(
      await messageOf(source, "{ buybackPoolRanges { totalCount } }"),
      /Cannot query field "buybackPoolRanges" on type "Query"/
    )
    assert.match(
      await messageOf(source, "{ projects { items { balanceUsd } } }"),
      /Cannot query field "balanceUsd" on type "project"/
    )
    assert.match(
      await messageOf(source, '{ projects(where: {balanceUsd_gt: "1"}) { totalCount } }'),
      /Field "balanceUsd_gt" is not defined/
    )
    assert.deepEqual(
      await answered(source, '{ projects(where: {balance_gte: "0"}) { items { balance } } }'),
      { items: [{ balance: "0" }] }
    )
    source.lack([])
    assert.deepEqual(await answered(source, "{ buybackPoolRanges { totalCount } }"), { totalCount: 0 })
  })
})

describe("a test", () => {
  it("sees what was asked and can answer itself", async () => {
    source.intercept(async (request, pass) => {
      const { body } = await pass()
      return request.body.includes("payEvents")
        ? graphqlAnswer("late", 503)
        : graphqlAnswer(body.replace('"a"', '"b"'))
    })
    assert.deepEqual(await answered(source, "{ projects { items { id } } }"), { items: [{ id: "b" }] })
    assert.strictEqual((await posted('{"query":"{ payEvents { totalCount } }"}')).status, 503)
    source.intercept()
    assert.deepEqual(await answered(source, "{ projects { items { id } } }"), { items: [{ id: "a" }] })
    assert.include(source.requests.at(-1)?.body, "projects")
    assert.strictEqual(await source.count("project", `"projectId" = 1`), 1)
  })
})
