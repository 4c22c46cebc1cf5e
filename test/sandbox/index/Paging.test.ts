import { afterAll, assert, describe, it } from "vitest"
import { plainRow } from "../../support/IndexedRows.ts"
import { startIndexedSource } from "../../support/IndexedSource.ts"
import { answered, ask, messageOf } from "./Support.ts"

const PROJECTS = 65
const HANDLED = 32

const source = await startIndexedSource({ masked: false })
await source.insert(
  "project",
  Array.from({ length: PROJECTS }, (_, at) =>
    plainRow(source.model, "project", {
      chainId: 8453,
      projectId: at + 1,
      id: String(at),
      createdAt: 1000 - (at % 5),
      volume: String(at % 7 === 6 ? 10n ** 21n : 10n ** 20n * BigInt(at % 7)),
      handle: at < HANDLED ? `h${String(at).padStart(2, "0")}` : null,
      tags: ["t"],
      metadata: { at }
    })
  )
)

afterAll(() => source.stop())

interface Page {
  readonly items: ReadonlyArray<{ readonly projectId: number }>
  readonly totalCount: number
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
}

const isPage = (value: unknown): value is Page =>
  typeof value === "object" && value !== null && "items" in value && "pageInfo" in value

const QUERY = `query ($where: projectFilter, $orderBy: String, $orderDirection: String, $before: String, $after: String, $limit: Int, $offset: Int) {
  projects(where: $where, orderBy: $orderBy, orderDirection: $orderDirection, before: $before, after: $after, limit: $limit, offset: $offset) {
    items { projectId } totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`

const page = async (variables: Readonly<Record<string, unknown>>): Promise<Page> => {
  const found = await answered(source, QUERY, variables)
  return isPage(found) ? found : assert.fail("That is no page.")
}

const ids = ({ items }: Page): ReadonlyArray<number> => items.map(({ projectId }) => projectId)

const failure = (variables: Readonly<Record<string, unknown>>) => messageOf(source, QUERY, variables)

const cursorText = (cursor: string | null) => Buffer.from(cursor ?? "", "base64").toString("utf8")
const cursorOf = (text: string) => Buffer.from(text).toString("base64")

const walk = async (variables: Readonly<Record<string, unknown>>): Promise<ReadonlyArray<number>> => {
  const seen: Array<number> = []
  let after: string | null = null
  for (;;) {
    const { items, pageInfo, totalCount }: Page = await page({ ...variables, after })
    assert.strictEqual(totalCount, PROJECTS)
    seen.push(...items.map(({ projectId }) => projectId))
    if (!pageInfo.hasNextPage) return seen
    after = pageInfo.endCursor
  }
}

describe("order", () => {
  it("is that of the key, ascending, unless something else is asked for", async () => {
    assert.deepStrictEqual(ids(await page({ limit: 3 })), [1, 2, 3])
    assert.deepStrictEqual(ids(await page({ limit: 3, orderDirection: "desc" })), [65, 64, 63])
    assert.deepStrictEqual(ids(await page({ limit: 3, orderDirection: "sideways" })), [65, 64, 63])
    assert.deepStrictEqual(ids(await page({ limit: 3, orderDirection: null })), [1, 2, 3])
  })

  it("ends with the key in the same direction", async () => {
    assert.deepStrictEqual(ids(await page({ limit: 3, orderBy: "createdAt" })), [5, 10, 15])
    const descending = await page({ limit: 3, orderBy: "createdAt", orderDirection: "desc" })
    assert.deepStrictEqual(ids(descending), [61, 56, 51])
  })

  it("is that of numbers for big integers", async () => {
    const descending = await page({ limit: 2, orderBy: "volume", orderDirection: "desc" })
    assert.deepStrictEqual(ids(descending), [63, 56])
    const rows = await answered(
      source,
      '{ projects(orderBy: "volume", limit: 11, offset: 8) { items { volume } } }'
    )
    assert.deepInclude(rows, {
      items: [...Array(2).fill({ volume: "0" }), ...Array(9).fill({ volume: String(10n ** 20n) })]
    })
  })

  it("is refused by an unknown column, and by one that cannot be sorted", async () => {
    assert.match(await failure({ orderBy: "nothing" }), /^Unknown column "nothing" used in orderBy argument$/)
    assert.match(await failure({ orderBy: null }), /^Unknown column "null" used in orderBy argument$/)
    assert.match(await failure({ orderBy: "suckerGroup" }), /Unknown column/)
    assert.match(
      await failure({ orderBy: "metadata" }),
      /could not identify an ordering operator for type json/
    )
    assert.strictEqual(ids(await page({ orderBy: "tags", limit: 2 })).length, 2)
  })
})

describe("pages", () => {
  it("have 50 rows, and 1000 at most", async () => {
    assert.strictEqual(ids(await page({})).length, 50)
    assert.strictEqual(ids(await page({ limit: 1000 })).length, PROJECTS)
    assert.strictEqual(await failure({ limit: 1001 }), "Invalid limit. Got 1001, expected <=1000.")
  })

  it("may be empty", async () => {
    const none = { hasPreviousPage: false, startCursor: null, endCursor: null }
    assert.deepStrictEqual((await page({ limit: 0 })).pageInfo, { ...none, hasNextPage: true })
    assert.deepStrictEqual((await page({ limit: -5 })).pageInfo, { ...none, hasNextPage: false })
    assert.isEmpty(ids(await page({ limit: -5 })))
    const last = (await page({ limit: 1000 })).pageInfo.endCursor
    const behind = await page({ after: last, where: { projectId_lt: 10 } })
    assert.isEmpty(behind.items)
    assert.strictEqual(behind.totalCount, 9)
    assert.deepStrictEqual(behind.pageInfo, { ...none, hasNextPage: false })
  })

  it("follow each other in both directions", async () => {
    const first = await page({ limit: 10 })
    assert.isFalse(first.pageInfo.hasPreviousPage)
    const second = await page({ limit: 10, after: first.pageInfo.endCursor })
    assert.deepStrictEqual(ids(second)[0], 11)
    assert.isTrue(second.pageInfo.hasPreviousPage && second.pageInfo.hasNextPage)
    const back = await page({ limit: 10, before: second.pageInfo.startCursor })
    assert.deepStrictEqual(ids(back), ids(first))
    assert.deepStrictEqual(back.pageInfo, { ...first.pageInfo, hasNextPage: true, hasPreviousPage: false })
    const between = await page({ limit: 3, before: second.pageInfo.startCursor })
    assert.deepStrictEqual(ids(between), [8, 9, 10])
    assert.isTrue(between.pageInfo.hasPreviousPage)
    assert.deepStrictEqual(
      [...(await walk({ limit: 7, orderBy: "volume", orderDirection: "desc" }))].sort((a, b) => a - b),
      Array.from({ length: PROJECTS }, (_, at) => at + 1)
    )
  })

  it("know nothing before a cursor whose row is gone", async () => {
    const { pageInfo } = await page({ limit: 10 })
    const after = await page({ limit: 3, after: pageInfo.endCursor, where: { projectId_gt: 11 } })
    assert.deepStrictEqual(ids(after), [12, 13, 14])
    assert.isFalse(after.pageInfo.hasPreviousPage)
  })

  it("lack the last row where the cursor's own is gone and nothing more would follow", async () => {
    const { pageInfo } = await page({ limit: 10 })
    const behind = (limit: number) =>
      page({ limit, after: pageInfo.endCursor, where: { projectId_gt: 11, projectId_lt: 16 } })
    assert.deepStrictEqual(ids(await behind(10)), [12, 13, 14])
    assert.deepStrictEqual(ids(await behind(3)), [12, 13, 14])
    assert.isFalse((await behind(3)).pageInfo.hasNextPage)
    assert.isTrue((await behind(2)).pageInfo.hasNextPage)
    const last = await page({ limit: 10, after: pageInfo.endCursor, where: { projectId: 12 } })
    assert.isEmpty(last.items)
    const before = await page({ limit: 10, before: pageInfo.endCursor, where: { projectId_lt: 4 } })
    assert.deepStrictEqual(ids(before), [2, 3])
  })

  it("have no cursors behind an offset", async () => {
    const { items, pageInfo } = await page({ limit: 2, offset: 4 })
    assert.deepStrictEqual(items, [{ projectId: 5 }, { projectId: 6 }])
    assert.deepStrictEqual(pageInfo, {
      hasNextPage: true,
      hasPreviousPage: true,
      startCursor: null,
      endCursor: null
    })
  })
})

describe("cursors", () => {
  it("say the order's values and nothing else, and mark big integers", async () => {
    const plain = await page({ orderBy: "createdAt", limit: 1 })
    assert.strictEqual(
      cursorText(plain.pageInfo.endCursor),
      '{"json":{"createdAt":996,"chainId":8453,"projectId":5,"version":6}}'
    )
    const big = await page({ orderBy: "volume", limit: 1 })
    assert.strictEqual(
      cursorText(big.pageInfo.endCursor),
      '{"json":{"volume":"0","chainId":8453,"projectId":1,"version":6},"meta":{"values":{"volume":["bigint"]},"v":1}}'
    )
  })

  it("are believed whoever wrote them", async () => {
    const after = cursorOf('{"json":{"chainId":8453,"projectId":63,"version":6}}')
    assert.deepStrictEqual(ids(await page({ after })), [64, 65])
  })

  it("of another order skip rows in silence", async () => {
    const { pageInfo } = await page({ limit: 10 })
    const other = await page({ limit: 10, orderBy: "volume", after: pageInfo.endCursor })
    assert.isEmpty(other.items)
    assert.isFalse(other.pageInfo.hasNextPage)
    const after = pageInfo.endCursor
    assert.match(
      await failure({ limit: 10, orderBy: "owner", after }),
      /^Cannot read properties of undefined/
    )
  })

  it("are refused when they are none, when there are two, and beside an offset", async () => {
    const cursor = (await page({ limit: 1 })).pageInfo.endCursor
    for (const after of ["", "garbage", cursorOf("{}"), cursorOf("null")])
      assert.notStrictEqual(await failure({ after }), "no error", after)
    assert.match(await failure({ after: cursor, before: cursor }), /both before and after/)
    assert.match(
      await failure({ after: cursor, offset: 3 }),
      /^Cannot specify both after cursor and offset\.$/
    )
    assert.match(
      await failure({ before: cursor, offset: 3 }),
      /^Cannot specify both before cursor and offset\.$/
    )
    assert.deepStrictEqual(ids(await page({ after: cursor, offset: 0, limit: 1 })), [2])
    const wrong = cursorOf('{"json":{"chainId":"x","projectId":1,"version":6}}')
    assert.match(await failure({ after: wrong }), /invalid input syntax for type integer/)
    assert.strictEqual(ids(await page({ after: null, before: null, limit: null })).length, 50)
  })

  it("lose every row behind a null, and the count does not tell", async () => {
    const ascending = await walk({ limit: 10, orderBy: "handle" })
    assert.strictEqual(ascending.length, HANDLED)
    const descending = await walk({ limit: 10, orderBy: "handle", orderDirection: "desc" })
    assert.deepStrictEqual(descending, [65, 64, 63, 62, 61, 60, 59, 58, 57, 56])
  })
})

describe("the count", () => {
  it("is made where it stands right under the page, under whatever name", async () => {
    assert.deepStrictEqual(await answered(source, "{ projects(limit: 1) { all: totalCount } }"), {
      all: PROJECTS
    })
    const { data, errors } = await ask(
      source,
      "{ projects { ...counted } } fragment counted on projectPage { totalCount }"
    )
    assert.isNull(data)
    assert.strictEqual(
      errors?.[0]?.message,
      "Cannot return null for non-nullable field projectPage.totalCount."
    )
  })
})
