import { afterAll, assert, describe, it } from "vitest"
import { LIMITS } from "../../../src/indexer/Limits.ts"
import { runGetOmnichainGroup } from "../../../src/operations/omnichain/get_omnichain_group/Run.ts"
import { runGetAccount } from "../../../src/operations/projects/get_account/Run.ts"
import { runGetActivity } from "../../../src/operations/projects/get_activity/Run.ts"
import { runGetIndexerStatus } from "../../../src/operations/projects/get_indexer_status/Run.ts"
import { runResolveProject } from "../../../src/operations/projects/resolve_project/Run.ts"
import { showIndexedOmnichain } from "../../../src/projects/IndexedOmnichain.ts"
import { showProject } from "../../../src/projects/ShowProject.ts"
import { graphqlAnswer } from "../../support/IndexedSource.ts"
import { answering, CHECKSUMMED, GROUP, OWNER, startIndexedWorld } from "./support/IndexedWorld.ts"

const bench = await startIndexedWorld()

afterAll(() => bench.stop())

describe("an indexed project", () => {
  it("has its row, version 6 alone, with addresses in their checksummed form", async () => {
    const found = await bench.world.runPromise(showProject({ chainId: 1, projectId: "7" }, "indexer"))
    assert.strictEqual(found.source, "indexer")
    const row = found.source === "indexer" && found.indexed.status === "known" ? found.indexed.value : null
    assert.deepInclude(row, { owner: CHECKSUMMED, projectId: "7", volume: "123456789012345678901234567890" })
    const old = await bench.world.runPromise(showProject({ chainId: 1, projectId: "8" }, "indexer"))
    assert.deepEqual(old.source === "indexer" && old.indexed, { status: "known", value: null })
  })

  it("leaves out what an older source lacks, and says so where it lists", async () => {
    bench.source.lack(["project.balanceUsd"])
    const older = bench.another()
    try {
      const found = await older.runPromise(showProject({ chainId: 1, projectId: "7" }, "indexer"))
      const row = found.source === "indexer" && found.indexed.status === "known" ? found.indexed.value : null
      assert.isNotNull(row)
      assert.notProperty(row, "balanceUsd")
      const { candidates } = await older.runPromise(answering(runResolveProject, { input: "seas" }))
      assert.deepEqual(candidates.value.coverage.missingFields, ["balanceUsd"])
    } finally {
      bench.source.lack([])
      await older.dispose()
    }
  })

  it("is unknown where the source is not configured, and refused for a chain that no source has", async () => {
    const found = await bench.sourceless.runPromise(showProject({ chainId: 1, projectId: "7" }, "indexer"))
    const indexed = found.source === "indexer" ? found.indexed : undefined
    assert.strictEqual(indexed?.status === "unknown" && indexed.error.code, "INDEXER_NOT_CONFIGURED")
    const stranger = showProject({ chainId: 31338, projectId: "7" }, "indexer")
    assert.strictEqual(await bench.refused(stranger), "INDEXER_NETWORK_MISMATCH")
  })
})

describe("a project id beyond what the index can hold", () => {
  for (const projectId of ["2147483648", "9007199254740993", String(2n ** 256n - 1n)])
    it(`is that of no project: ${projectId}`, async () => {
      const questions = bench.questions().length
      const found = await bench.world.runPromise(showProject({ chainId: 1, projectId }, "indexer"))
      assert.deepEqual(found.source === "indexer" && found.indexed, { status: "known", value: null })
      const project = { chainId: 1, projectId }
      const { indexed } = await bench.ask(runGetActivity, { project })
      assert.deepInclude(indexed, {
        items: [],
        totalCount: 0,
        pageInfo: { hasNextPage: false, endCursor: null }
      })
      const group = showIndexedOmnichain({ ...project, maxMembers: 8 })
      assert.strictEqual(await bench.refused(group), "PROJECT_NOT_FOUND")
      assert.strictEqual(bench.questions().length, questions)
    })
})

describe("an indexed group", () => {
  it("has its totals and its projects by chain", async () => {
    const { group, projects } = await bench.ask(runGetOmnichainGroup, { id: GROUP })
    assert.deepInclude(group, { id: GROUP, volumeUsd: "5", version: 6 })
    assert.deepEqual(
      projects.items.map(({ chainId }: { chainId: number }) => chainId),
      [1, 10]
    )
    assert.deepInclude(await bench.ask(runGetOmnichainGroup, { id: "none" }), { group: null })
  })

  it("as a view has the origin first and no membership that was proved", async () => {
    const query = { chainId: 10, projectId: "9", maxMembers: 8 }
    const view = await bench.world.runPromise(showIndexedOmnichain(query))
    const members = view.source === "indexer" && view.members.status === "known" ? view.members.value : []
    assert.deepEqual(
      members.map(({ chainId, membership }) => [chainId, membership.status]),
      [
        [10, "origin"],
        [1, "unverified"]
      ]
    )
    assert.deepEqual(members[1]?.indexedUpTo, {
      status: "known",
      value: { block: 77, timestamp: 1_700_000_300 }
    })
    assert.isFalse(view.coverage.complete)
    const cut = await bench.world.runPromise(showIndexedOmnichain({ ...query, maxMembers: 1 }))
    assert.deepInclude(cut.group, { truncated: true, membersFound: { status: "known", value: 2 } })
    const absent = showIndexedOmnichain({ ...query, projectId: "404" })
    assert.strictEqual(await bench.refused(absent), "PROJECT_NOT_FOUND")
    const unread = await bench.sourceless.runPromise(showIndexedOmnichain(query))
    assert.strictEqual(unread.source === "indexer" && unread.members.status, "unknown")
  })
})

describe("a text of one row that is longer than is given", () => {
  const cut = "d".repeat(32_768)
  const told = { key: { chainId: 10, projectId: "9" }, field: "description" }
  const placesOf = (degraded: ReadonlyArray<{ key: unknown; field?: string | undefined }> = []) =>
    degraded.map(({ key, field }) => ({ key, field }))

  it("is cut and told of wherever the row is shown", async () => {
    const table = bench.source.table("project")
    const describe = (text: string | null) =>
      bench.source.query(`UPDATE ${table} SET description = $1 WHERE id = '10-9'`, [text])
    await describe("d".repeat(40_000))
    try {
      const project = { chainId: 10, projectId: "9" }
      const found = await bench.world.runPromise(showProject(project, "indexer"))
      const row = found.source === "indexer" && found.indexed.status === "known" ? found.indexed.value : null
      assert.strictEqual(row?.description, cut)
      const degraded = found.source === "indexer" ? found.degraded : []
      assert.deepEqual(placesOf(degraded), [told])
      assert.strictEqual(degraded?.[0]?.error.code, "INDEXER_RESPONSE_TOO_LARGE")
      const view = await bench.world.runPromise(showIndexedOmnichain({ ...project, maxMembers: 8 }))
      assert.deepEqual(placesOf(view.source === "indexer" ? view.degraded : []), [told])
      const { projects } = await bench.ask(runGetOmnichainGroup, { id: GROUP })
      assert.deepEqual(placesOf(projects.coverage.degraded), [told])
    } finally {
      await describe(null)
    }
    const whole = await bench.world.runPromise(showProject({ chainId: 10, projectId: "9" }, "indexer"))
    assert.notProperty(whole, "degraded")
  })

  it("is absent with the row's other texts where no answer has room for it", async () => {
    const table = bench.source.table("project")
    const name = (text: string) =>
      bench.source.query(`UPDATE ${table} SET name = $1 WHERE id = '8453-7'`, [text])
    await name("n".repeat(LIMITS.maxResponseBytes))
    try {
      const found = await bench.world.runPromise(showProject({ chainId: 8453, projectId: "7" }, "indexer"))
      const row = found.source === "indexer" && found.indexed.status === "known" ? found.indexed.value : null
      assert.deepInclude(row, { id: "8453-7", suckerGroupId: "own-8453-7", owner: CHECKSUMMED })
      const fields = placesOf(found.source === "indexer" ? found.degraded : []).map(({ field }) => field)
      assert.includeMembers(fields, ["name", "description", "tokenSymbol"])
      for (const field of fields) assert.notProperty(row, String(field))
    } finally {
      await name("Seven Others")
    }
  })

  it("is told of in a group's totals", async () => {
    const long = `0x${"ab".repeat(20_000)}`
    const id = "group-long"
    await bench.insert("suckerGroup", [
      { id, version: 6, addresses: [OWNER, long], createdAt: 1_700_000_000 }
    ])
    const { group, degraded } = await bench.ask(runGetOmnichainGroup, { id })
    assert.deepInclude(group, { id, version: 6 })
    assert.deepEqual(placesOf(degraded), [{ key: { id }, field: "addresses" }])
  })
})

describe("an indexed account", () => {
  it("has a row for each of its projects, found by any spelling of the address", async () => {
    const { indexed } = await bench.ask(runGetAccount, { address: CHECKSUMMED, chainId: 1 })
    assert.strictEqual(indexed.value.totalCount, 1)
    assert.deepInclude(indexed.value.items[0], { address: CHECKSUMMED, balance: "9", creditBalance: "4" })
    assert.deepEqual(indexed.value.pageInfo, { hasNextPage: false, endCursor: null })
  })

  it("is of the chain's network, and refused where the network is another", async () => {
    const input = { address: OWNER, chainId: 1, network: "testnet" }
    assert.strictEqual(await bench.refused(answering(runGetAccount, input)), "INVALID_INPUT")
    const { indexed } = await bench.ask(runGetAccount, { address: OWNER, network: "testnet" })
    assert.strictEqual(indexed.error.code, "INDEXER_NOT_CONFIGURED")
  })
})

describe("indexed activity", () => {
  const input = { project: { chainId: 1, projectId: "7" } }

  it("is told newest first, each event with the details of its type", async () => {
    const { indexed } = await bench.ask(runGetActivity, input)
    assert.deepEqual(
      indexed.items.map(({ id }: { id: string }) => id),
      ["a-2", "a-1"]
    )
    const [bridged, paid] = indexed.items
    assert.deepInclude(bridged.bridgeToOutboxEvent, { sucker: CHECKSUMMED, projectTokenCount: "6" })
    assert.deepInclude(paid.payEvent, { memo: "hi", amount: "10" })
    assert.isNull(paid.cashOutTokensEvent)
  })

  it("goes on after a cursor until the end", async () => {
    const first = await bench.ask(runGetActivity, { ...input, limit: 1 })
    const cursor = first.indexed.pageInfo.endCursor
    const second = await bench.ask(runGetActivity, { ...input, limit: 1, cursor })
    assert.strictEqual(second.indexed.items[0].id, "a-1")
    assert.deepEqual(second.indexed.pageInfo, { hasNextPage: false, endCursor: null })
    const altered = answering(runGetActivity, { ...input, limit: 1, cursor: `${cursor}x` })
    assert.strictEqual(await bench.refused(altered), "INDEXER_INVALID_CURSOR")
  })

  it("leaves an event as it is whose details have another shape, and says which of them", async () => {
    await bench.insert("bridgeClaimEvent", [{ ...bench.event("claim-1"), peerChainId: 0, index: 3 }])
    await bench.insert("payEvent", [
      { ...bench.event("pay-2"), beneficiary: "0xabcd", amount: "7", memo: "m" }
    ])
    await bench.insert("activityEvent", [
      bench.activity("a-3", 1_700_000_300, { type: "bridgeClaimEvent", bridgeClaimEvent: "claim-1" }),
      bench.activity("a-4", 1_700_000_400, { type: "payEvent", payEvent: "pay-2" }),
      bench.activity("a-5", 1_700_000_500, { type: "payEvent", from: "0xabcd" })
    ])
    try {
      const { indexed } = await bench.ask(runGetActivity, input)
      assert.deepEqual(
        indexed.items.map(({ id }: { id: string }) => id),
        ["a-4", "a-3", "a-2", "a-1"]
      )
      const [paid, claimed, ...others] = indexed.items
      const told = [paid.payEvent, claimed.bridgeClaimEvent].map(({ status, error }) => [status, error])
      const error = (entity: string, field: string) => ({
        code: "INDEXER_INVALID_RESPONSE",
        message: "The source holds a value here that is none of its kind.",
        retryable: false,
        details: { entity, field }
      })
      assert.deepEqual(told, [
        ["unknown", error("payEvent", "beneficiary")],
        ["unknown", error("bridgeClaimEvent", "peerChainId")]
      ])
      assert.deepInclude(others[1].payEvent, { memo: "hi", amount: "10" })
      assert.deepEqual(indexed.coverage.degraded, [
        { key: { id: "a-5" }, error: error("activityEvent", "from") }
      ])
      assert.strictEqual(indexed.totalCount, 5)
    } finally {
      for (const id of ["a-3", "a-4", "a-5"])
        await bench.source.query(`DELETE FROM ${bench.source.table("activityEvent")} WHERE id = $1`, [id])
    }
  })

  it("is refused where an event leads to one of another version, and shows nothing of it", async () => {
    await bench.insert("payEvent", [{ ...bench.event("pay-5"), version: 5, memo: "foreign" }])
    await bench.insert("activityEvent", [
      bench.activity("a-6", 1_700_000_600, { type: "payEvent", payEvent: "pay-5" })
    ])
    try {
      assert.strictEqual(await bench.refused(answering(runGetActivity, input)), "INDEXER_VERSION_MISMATCH")
    } finally {
      await bench.source.query(`DELETE FROM ${bench.source.table("activityEvent")} WHERE id = $1`, ["a-6"])
    }
  })

  it("has no details where the source cannot be asked for them, and says why", async () => {
    bench.source.intercept((request, pass) =>
      request.body.includes("id_in") ? Promise.resolve(graphqlAnswer("", 503)) : pass()
    )
    try {
      const { indexed } = await bench.ask(runGetActivity, input)
      const [bridged, paid] = indexed.items
      assert.deepInclude(bridged.bridgeToOutboxEvent.error, {
        code: "INDEXER_UPSTREAM_HTTP_ERROR",
        retryable: true
      })
      assert.deepInclude(paid.payEvent, { memo: "hi" })
    } finally {
      bench.source.intercept()
    }
  })

  it("is refused without a source", async () => {
    assert.strictEqual(
      await bench.refused(answering(runGetActivity, input), bench.sourceless),
      "INDEXER_NOT_CONFIGURED"
    )
  })
})

describe("the indexed source's progress", () => {
  it("is told chain by chain", async () => {
    const { chains, network, semantics } = await bench.ask(runGetIndexerStatus, {})
    assert.deepEqual([network, chains], ["mainnet", [{ chainId: 1, block: 77, timestamp: 1_700_000_300 }]])
    assert.include(semantics.progress, "does not prove")
    const unread = answering(runGetIndexerStatus, { network: "testnet" })
    assert.strictEqual(await bench.refused(unread), "INDEXER_NOT_CONFIGURED")
  })
})
