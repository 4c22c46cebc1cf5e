import { afterAll, assert, describe, it } from "vitest"
import type { RecordQuery, RowsQuery } from "../../src/indexer/Indexer.ts"
import { Questioner, text } from "./support/Questioner.ts"

const questioner = await Questioner.start()

afterAll(() => questioner.stop())

const many = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`)

const LISTS: ReadonlyArray<readonly [string, string, Partial<RowsQuery>, string?]> = [
  ["an unknown entity", "INDEXER_ENTITY_NOT_FOUND", {}, "wallet"],
  ["an inherited name as entity", "INDEXER_ENTITY_NOT_FOUND", {}, "constructor"],
  ["a chain of the other network", "INDEXER_NETWORK_MISMATCH", { chainId: 1 }],
  ["a project beyond 32 bits", "INDEXER_UNSAFE_INTEGER", { projectId: "2147483648" }],
  ["a project beyond 53 bits", "INDEXER_UNSAFE_INTEGER", { projectId: "9007199254740992" }],
  ["a project with a leading zero", "INDEXER_INVALID_INPUT", { projectId: "01" }],
  ["a chain where rows have none", "INDEXER_UNSUPPORTED_SCOPE", { chainId: 84532 }, "suckerGroup"],
  ["a project where rows have none", "INDEXER_UNSUPPORTED_SCOPE", { projectId: "1" }, "decorateAvatarEvent"],
  ["a limit beyond 50", "INDEXER_INVALID_INPUT", { limit: 51 }],
  ["no field", "INDEXER_INVALID_FIELDS", { fields: [] }],
  ["49 fields", "INDEXER_INVALID_FIELDS", { fields: many(49) }],
  ["fields that are no list", "INDEXER_INVALID_FIELDS", { fields: "amount" }],
  ["a field twice", "INDEXER_INVALID_FIELDS", { fields: ["amount", "amount"] }],
  ["an unknown field", "INDEXER_INVALID_FIELDS", { fields: ["amounts"] }],
  ["an inherited field", "INDEXER_INVALID_FIELDS", { fields: ["constructor"] }],
  ["a field in GraphQL", "INDEXER_INVALID_FIELDS", { fields: ["amount}}#"] }],
  ["a path beyond its length", "INDEXER_INVALID_FIELDS", { fields: [text(241)] }],
  ["a bare relation", "INDEXER_INVALID_FIELDS", { fields: ["project"] }],
  ["a part of a scalar", "INDEXER_INVALID_FIELDS", { fields: ["amount.x"] }],
  ["an empty part", "INDEXER_INVALID_FIELDS", { fields: ["project."] }],
  ["the source's own name", "INDEXER_INVALID_FIELDS", { fields: ["bannyBodyId"] }, "decorateAvatarEvent"],
  ["a path of four parts", "INDEXER_SELECTION_TOO_COMPLEX", { fields: ["project.suckerGroup.a.b"] }],
  ["a list relation", "INDEXER_UNSUPPORTED_RELATION", { fields: ["participants"] }, "project"],
  [
    "a path through a list relation",
    "INDEXER_UNSUPPORTED_RELATION",
    { fields: ["participants.id"] },
    "project"
  ],
  ["a wallet", "INDEXER_UNSUPPORTED_RELATION", { fields: ["wallet.address"] }, "participant"],
  [
    "an ambiguous relation",
    "INDEXER_UNSUPPORTED_RELATION",
    { fields: ["avatarNft.owner"] },
    "decorateAvatarEvent"
  ],
  ["another ambiguous relation", "INDEXER_UNSUPPORTED_RELATION", { fields: ["tier.price"] }, "mintNftEvent"],
  ["filters that are no object", "INDEXER_INVALID_INPUT", { filters: [] }],
  ["an unknown filter", "INDEXER_UNSUPPORTED_FILTER", { filters: { amounts: "1" } }],
  ["an inherited filter", "INDEXER_UNSUPPORTED_FILTER", { filters: { constructor: "1" } }],
  ["a filter on JSON", "INDEXER_UNSUPPORTED_FILTER", { filters: { metadata: "1" } }, "nft"],
  [
    "a filter that the type has not",
    "INDEXER_UNSUPPORTED_FILTER",
    { filters: { caller_contains_nocase: "a" } }
  ],
  ["the version", "INDEXER_VERSION_FIXED", { filters: { version: 6 } }],
  [
    "the version in another way",
    "INDEXER_VERSION_FIXED",
    { filters: { OR: [{ AND: [{ version_not: 6 }] }] } }
  ],
  [
    "filters four levels deep",
    "INDEXER_FILTER_TOO_COMPLEX",
    { filters: { AND: [{ AND: [{ AND: [{ id: "a" }] }] }] } }
  ],
  [
    "forty-one members",
    "INDEXER_FILTER_TOO_COMPLEX",
    { filters: { AND: Array.from({ length: 20 }, () => ({ id: "a", memo: "b" })) } }
  ],
  ["an empty AND", "INDEXER_INVALID_INPUT", { filters: { AND: [] } }],
  ["an empty filter in OR", "INDEXER_INVALID_INPUT", { filters: { OR: [{ id: "a" }, {}] } }],
  [
    "21 alternatives",
    "INDEXER_INVALID_INPUT",
    { filters: { OR: Array.from({ length: 21 }, () => ({ id: "a" })) } }
  ],
  ["21 values", "INDEXER_INVALID_INPUT", { filters: { id_in: many(21) } }],
  ["one value for a list", "INDEXER_INVALID_INPUT", { filters: { id_in: "a" } }],
  ["null among values", "INDEXER_INVALID_INPUT", { filters: { id_in: ["a", null] } }],
  ["null as a text to search", "INDEXER_INVALID_INPUT", { filters: { memo_contains: null } }],
  ["an empty list to equal", "INDEXER_INVALID_INPUT", { filters: { addresses: [] } }, "suckerGroup"],
  ["a long text", "INDEXER_INVALID_INPUT", { filters: { memo: text(2049) } }],
  ["a long text of few characters", "INDEXER_INVALID_INPUT", { filters: { memo: "é".repeat(1025) } }],
  ["NUL", "INDEXER_INVALID_INPUT", { filters: { memo: "a\u0000" } }],
  ["half a surrogate pair", "INDEXER_INVALID_INPUT", { filters: { memo: "\ud800" } }],
  ["a fraction", "INDEXER_INVALID_INPUT", { filters: { timestamp: 1.5 } }],
  ["a text for an integer", "INDEXER_INVALID_INPUT", { filters: { timestamp: "1" } }],
  ["an integer beyond 32 bits", "INDEXER_UNSAFE_INTEGER", { filters: { timestamp_gt: 2 ** 31 } }],
  ["a negative project as text", "INDEXER_INVALID_INPUT", { filters: { projectId: "-1" } }],
  ["a number for a wide integer", "INDEXER_INVALID_INPUT", { filters: { amount_gt: 1 } }],
  ["101 digits", "INDEXER_INVALID_INPUT", { filters: { amount_gt: `1${"0".repeat(100)}` } }],
  ["hexadecimal for a wide integer", "INDEXER_INVALID_INPUT", { filters: { amount_gt: "0x10" } }],
  ["nothing for a wide integer", "INDEXER_INVALID_INPUT", { filters: { amount_gt: "" } }],
  [
    "an unknown member of an enum",
    "INDEXER_INVALID_INPUT",
    { filters: { type: "decorateBannyEvent" } },
    "activityEvent"
  ],
  ["an order that is no object", "INDEXER_INVALID_ORDER", { orderBy: "amount" }],
  ["an order with another member", "INDEXER_INVALID_ORDER", { orderBy: { field: "amount", nulls: "last" } }],
  ["an order without a way", "INDEXER_INVALID_ORDER", { orderBy: { field: "amount", direction: null } }],
  ["an order sideways", "INDEXER_INVALID_ORDER", { orderBy: { field: "amount", direction: "sideways" } }],
  ["an order by a relation", "INDEXER_INVALID_ORDER", { orderBy: { field: "hook" } }, "nft"],
  ["an order by a list", "INDEXER_INVALID_ORDER", { orderBy: { field: "addresses" } }, "suckerGroup"],
  ["an order by JSON", "INDEXER_INVALID_ORDER", { orderBy: { field: "metadata" } }, "nft"],
  ["an order by what is not there", "INDEXER_INVALID_ORDER", { orderBy: { field: "nothing" } }],
  ["an empty cursor", "INDEXER_INVALID_CURSOR", { cursor: "" }],
  ["a cursor of its own making", "INDEXER_INVALID_CURSOR", { cursor: "eyJqc29uIjp7fX0=" }],
  ["a long cursor", "INDEXER_INVALID_CURSOR", { cursor: text(4097) }]
]

describe("a list is refused before the source is asked", () => {
  for (const [what, code, query, entity] of LISTS)
    it(`for ${what}`, async () => assert.strictEqual(await questioner.refusedList(query, entity), code))
})

describe("a project beyond 32 bits, of which the source has nothing,", () => {
  for (const projectId of ["2147483648", "9007199254740991"])
    it(`has no record, and no rows where it is taken, as ${projectId}, without the source being asked`, async () => {
      const asked = questioner.source.asked.length
      const listing = questioner.listing({ projectId, greatestProject: Number.MAX_SAFE_INTEGER })
      const { items, totalCount, nextCursor } = await questioner.reader.run(listing)
      assert.deepStrictEqual([items, totalCount, nextCursor], [[], 0, null])
      const query = { network: "testnet", chainId: 84532, projectId } as const
      assert.isNull((await questioner.reader.run(questioner.reader.indexer.record("project", query))).item)
      assert.strictEqual(questioner.source.asked.length, asked)
    })
})

const RECORDS: ReadonlyArray<readonly [string, string, Partial<RecordQuery>, string]> = [
  ["an unknown entity", "INDEXER_ENTITY_NOT_FOUND", {}, "_meta"],
  ["no key", "INDEXER_COMPOSITE_KEY_REQUIRED", {}, "payEvent"],
  ["a part that is missing", "INDEXER_COMPOSITE_KEY_REQUIRED", { id: { chainId: 84532 } }, "project"],
  ["one text for two parts", "INDEXER_COMPOSITE_KEY_REQUIRED", { id: "7" }, "project"],
  [
    "one text for no part",
    "INDEXER_COMPOSITE_KEY_REQUIRED",
    { id: "7", chainId: 84532, projectId: "7" },
    "project"
  ],
  ["a part that is none", "INDEXER_INVALID_INPUT", { id: { id: "a", txHash: "0x" } }, "payEvent"],
  ["a number as key", "INDEXER_INVALID_INPUT", { id: 7 }, "payEvent"],
  [
    "null as a part that the scope has",
    "INDEXER_INVALID_INPUT",
    { id: { chainId: null, projectId: 7 }, chainId: 84532 },
    "project"
  ],
  ["null as key", "INDEXER_INVALID_INPUT", { id: null }, "payEvent"],
  [
    "another version",
    "INDEXER_VERSION_FIXED",
    { id: { version: 5, chainId: 84532, projectId: 7 } },
    "project"
  ],
  [
    "the version as text",
    "INDEXER_VERSION_FIXED",
    { id: { version: "6", chainId: 84532, projectId: 7 } },
    "project"
  ],
  [
    "parts that disagree with the scope",
    "INDEXER_SCOPE_MISMATCH",
    { id: { chainId: 84532, projectId: 7 }, projectId: "8" },
    "project"
  ],
  [
    "a chain of the other network",
    "INDEXER_NETWORK_MISMATCH",
    { id: { chainId: 1, projectId: 7 } },
    "project"
  ],
  ["a negative project", "INDEXER_INVALID_INPUT", { id: { chainId: 84532, projectId: -1 } }, "project"],
  [
    "a project beyond what is exact",
    "INDEXER_UNSAFE_INTEGER",
    { chainId: 84532, projectId: "9007199254740992" },
    "project"
  ],
  ["a number for a wide key", "INDEXER_INVALID_INPUT", { id: { chainId: 84532, id: 7 } }, "loan"],
  ["half a byte", "INDEXER_INVALID_INPUT", { id: { chainId: 84532, address: "0x123" } }, "nftHook"],
  ["a long key", "INDEXER_INVALID_INPUT", { id: text(2049) }, "payEvent"]
]

describe("a record is refused before the source is asked", () => {
  for (const [what, code, query, entity] of RECORDS)
    it(`for ${what}`, async () => assert.strictEqual(await questioner.refusedRecord(query, entity), code))
})
