import { afterAll, assert, describe, it } from "vitest"
import { plainRow } from "../../support/IndexedRows.ts"
import { startIndexedSource } from "../../support/IndexedSource.ts"
import { answered, messageOf } from "./Support.ts"

const OWNER = "0xAbCdEfabcdefabcdefabcdefabcdefabcdef0001"
const HUGE = String(2n ** 256n - 1n)

const projects = [
  { projectId: 1, name: "Alpha", tags: ["art", "tag2"], volume: "5", owner: OWNER, isRevnet: true },
  { projectId: 2, name: "alphabet", tags: ["tag2"], volume: HUGE, owner: "0x0A", isRevnet: false },
  { projectId: 3, name: "100%", tags: [], volume: "0" },
  { projectId: 4, name: "under_score", tags: null, volume: "7" },
  { projectId: 5, name: "back\\slash", volume: "7", chainId: 84532 },
  { projectId: 6, name: null, volume: "9", version: 5 },
  { projectId: 7, name: "say null", volume: "1", version: 5, isRevnet: false }
]

const source = await startIndexedSource({ masked: false })
const rows = projects.map(row =>
  plainRow(source.model, "project", { id: String(row.projectId), chainId: 8453, ...row })
)
await source.insert("project", rows)
await source.insert("activityEvent", [
  plainRow(source.model, "activityEvent", { id: "a", type: "payEvent", payEvent: "p1" }),
  plainRow(source.model, "activityEvent", { id: "b", type: "burnEvent" }),
  plainRow(source.model, "activityEvent", { id: "c", type: null })
])

afterAll(() => source.stop())

const LIST =
  "query ($where: projectFilter) { projects(where: $where, limit: 100) { items { projectId } totalCount } }"

const isPage = (
  value: unknown
): value is { items: ReadonlyArray<{ projectId: number }>; totalCount: number } =>
  typeof value === "object" && value !== null && "items" in value

const found = async (where: unknown): Promise<ReadonlyArray<number>> => {
  const page = await answered(source, LIST, { where })
  if (!isPage(page)) return assert.fail("That is no page.")
  const ids = page.items.map(({ projectId }) => projectId).sort()
  assert.strictEqual(page.totalCount, ids.length)
  return ids
}

const ALL = [1, 2, 3, 4, 5, 6, 7]

const check = (cases: ReadonlyArray<readonly [where: unknown, ids: ReadonlyArray<number>]>) => async () => {
  for (const [where, ids] of cases) assert.deepStrictEqual(await found(where), ids, JSON.stringify(where))
}

const refuse = (cases: ReadonlyArray<readonly [where: unknown, message: RegExp]>) => async () => {
  for (const [where, message] of cases)
    assert.match(await messageOf(source, LIST, { where }), message, JSON.stringify(where))
}

describe("conditions on one column", () => {
  it(
    "compare whole numbers and big ones",
    check([
      [{ projectId: 3 }, [3]],
      [{ projectId_not: 3 }, [1, 2, 4, 5, 6, 7]],
      [{ projectId_gt: 5 }, [6, 7]],
      [{ projectId_gte: 6, projectId_lt: 7 }, [6]],
      [{ projectId_lte: 1 }, [1]],
      [{ volume: HUGE }, [2]],
      [{ volume_gt: "8" }, [2, 6]],
      [{ volume: 5 }, [1]],
      [{ volume: "0x7" }, [4, 5]],
      [{ volume: false }, [3]],
      [{ volume: "" }, [3]],
      [{ volume_lt: "1".repeat(200) }, ALL]
    ])
  )

  it(
    "hold nothing against a row without a value",
    check([
      [{ name: null }, [6]],
      [{ name_not: null }, [1, 2, 3, 4, 5, 7]],
      [{ name_not: "Alpha" }, [2, 3, 4, 5, 7]],
      [{ name_not_in: ["Alpha"] }, [2, 3, 4, 5, 7]],
      [{ name_not_contains: "l" }, [3, 4]],
      [{ tags_not_has: "art" }, [2, 3]],
      [{ volume_gt: null }, []],
      [{ name_contains: null }, [7]],
      [{ isRevnet_not: true }, [2, 7]]
    ])
  )

  it(
    "take members of lists, and lists without members",
    check([
      [{ projectId_in: [1, 2, 99] }, [1, 2]],
      [{ projectId_in: 1 }, [1]],
      [{ projectId_in: [] }, []],
      [{ name_not_in: [] }, ALL],
      [{ projectId_in: [1, null] }, [1]],
      [{ projectId_not_in: [1, null] }, []]
    ])
  )

  it("fail where a list is null", refuse([[{ projectId_in: null }, /syntax error/]]))

  it(
    "search texts with operands that nobody escapes",
    check([
      [{ name_contains: "lpha" }, [1, 2]],
      [{ name_starts_with: "alpha" }, [2]],
      [{ name_starts_with_nocase: "ALPHA" }, [1, 2]],
      [{ name_ends_with: "bet" }, [2]],
      [{ name_ends_with_nocase: "PHA" }, [1]],
      [{ name_not_starts_with_nocase: "alpha" }, [3, 4, 5, 7]],
      [{ name_not_ends_with: "a" }, [2, 3, 4, 5, 7]],
      [{ name_contains: "%" }, [1, 2, 3, 4, 5, 7]],
      [{ name_contains: "r_s" }, [4]],
      [{ name_contains: "lph_" }, [1, 2]],
      [{ name_contains: "\\%" }, [3]],
      [{ name_contains: "\\" }, [3]],
      [{ name_contains: "\\\\" }, [5]],
      [{ name: "Al\u0000pha" }, [1]]
    ])
  )

  it(
    "take any case of hexadecimal, but not when they search in it",
    check([
      [{ owner: OWNER }, [1]],
      [{ owner: OWNER.toUpperCase().replace("0X", "0x") }, [1]],
      [{ owner_in: [OWNER] }, [1]],
      [{ owner: "0xa" }, [2]],
      [{ owner_starts_with: "0xabcd" }, [1]],
      [{ owner_starts_with: "0xAbCd" }, []]
    ])
  )

  it(
    "compare arrays as sets",
    check([
      [{ tags: ["tag2", "art"] }, [1]],
      [{ tags_has: "tag2" }, [1, 2]],
      [{ tags_not: ["tag2"] }, [1, 3]],
      [{ tags: null }, []],
      [{ tags: "tag2" }, [2]]
    ])
  )

  it(
    "fail for an array without members",
    refuse([
      [{ tags: [] }, /^arrayContains requires at least one value$/],
      [{ tags_not: [] }, /^arrayContains requires at least one value$/]
    ])
  )

  it("compare enums, and columns behind relations of their name", async () => {
    const ids = (where: string) => answered(source, `{ activityEvents(where: ${where}) { items { id } } }`)
    assert.deepStrictEqual(await ids("{type: payEvent}"), { items: [{ id: "a" }] })
    assert.deepStrictEqual(await ids("{type_in: [burnEvent, payEvent]}"), {
      items: [{ id: "a" }, { id: "b" }]
    })
    assert.deepStrictEqual(await ids("{type: null}"), { items: [{ id: "c" }] })
    assert.deepStrictEqual(await ids('{payEvent: "p1"}'), { items: [{ id: "a" }] })
    assert.deepStrictEqual(await ids('{payEvent_starts_with: "p"}'), { items: [{ id: "a" }] })
  })

  it(
    "are refused before they run where the type is another",
    refuse([
      [
        { projectId: 2 ** 31 },
        /got invalid value 2147483648 at "where.projectId"; Int cannot represent non 32-bit/
      ],
      [{ projectId: 1.5 }, /Int cannot represent non-integer/],
      [{ projectId: "1" }, /Int cannot represent non-integer/],
      [{ volume: "one" }, /Cannot convert one to a BigInt/],
      [{ nothing: 1 }, /Field "nothing" is not defined by type "projectFilter"/],
      [{ metadata: {} }, /Field "metadata" is not defined/]
    ])
  )
})

describe("conditions together", () => {
  it(
    "all hold in one object, and any of the keys of an alternative does",
    check([
      [{ chainId: 8453, version: 6, projectId_gt: 2 }, [3, 4]],
      [{ AND: [{ version: 6 }, { projectId_gt: 3 }] }, [4, 5]],
      [{ OR: [{ projectId: 1 }, { projectId: 5 }] }, [1, 5]],
      [{ OR: [{ chainId: 84532, version: 5, projectId: 1 }] }, [1, 5, 6, 7]],
      [{ OR: [{ AND: [{ chainId: 84532, version: 5, projectId: 1 }] }] }, []],
      [{ OR: [{ AND: [{ projectId: 1, name: "Alpha" }] }, { projectId: 2 }] }, [1, 2]]
    ])
  )

  it(
    "cannot widen what stands beside them",
    check([
      [{ version: 6, OR: [{ version: 5 }] }, []],
      [{ AND: [{ version: 6 }, { OR: [{ version: 5 }, { projectId: 1 }] }] }, [1]]
    ])
  )

  it(
    "are left out when they are empty",
    check([
      [{ AND: [] }, ALL],
      [{ OR: [] }, ALL],
      [{ OR: [{}] }, ALL],
      [{ OR: [{}, { projectId: 1 }] }, [1]],
      [{ AND: { projectId: 2 } }, [2]],
      [{}, ALL]
    ])
  )

  it(
    "fail where they are null",
    refuse([
      [{ AND: null }, /Expected an array for the AND operator. Got: null/],
      [{ OR: [null] }, /Cannot convert undefined or null to object/],
      [null, /Cannot convert undefined or null to object/]
    ])
  )
})
