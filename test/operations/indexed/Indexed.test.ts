import { Effect, Either, Layer, ManagedRuntime, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { DatabaseUnavailable } from "../../../src/database/refusals.ts"
import { Indexer } from "../../../src/indexer/Indexer.ts"
import type { IntentItem } from "../../../src/intents/Intent.ts"
import { type IntentQuery, IntentStore } from "../../../src/intents/IntentStore.ts"
import type { Operation } from "../../../src/operations/framework/Operation.ts"
import { runGetAccount } from "../../../src/operations/indexed/GetAccount.ts"
import { runGetActivity } from "../../../src/operations/indexed/GetActivity.ts"
import { runGetIndexerStatus } from "../../../src/operations/indexed/GetIndexerStatus.ts"
import { runGetOmnichainGroup } from "../../../src/operations/indexed/GetOmnichainGroup.ts"
import { runResolveProject } from "../../../src/operations/indexed/ResolveProject.ts"
import { runSearchProjects } from "../../../src/operations/indexed/SearchProjects.ts"
import { showIndexedOmnichain } from "../../../src/projects/IndexedOmnichain.ts"
import { showProject } from "../../../src/projects/ShowProject.ts"
import { PinnedContracts } from "../../../src/protocol/PinnedContracts.ts"
import { Settings } from "../../../src/settings/Settings.ts"
import type { AnyRefusal } from "../../../src/values/Refusal.ts"
import { pinnedCatalog } from "../../protocol/support/Protocol.ts"
import { scriptedChain } from "../../protocol/support/ScriptedChain.ts"
import { type IndexedSource, startIndexedSource } from "../../support/IndexedSource.ts"
import { testSettings } from "../../support/Settings.ts"

const OWNER = "0x00000000000000000000000000000000000000aa"
const CHECKSUMMED = "0x00000000000000000000000000000000000000AA"
const HASH = `0x${"5c".repeat(32)}`
const GROUP = "group-1"

let source: IndexedSource

const secret = (url: string | undefined) => (url === undefined ? undefined : Redacted.make(url))

const item = (deploymentVersion: string): IntentItem => ({
  source: "service",
  status: "undeployed",
  intentId: "8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42",
  contentHash: `0x${"5c".repeat(32)}`,
  format: "app.example/1",
  deploymentVersion,
  chainIds: [1],
  publisher: CHECKSUMMED,
  metadata: { name: "Seen", description: null, tagline: null, tags: [], logoUri: null, owner: null },
  createdAt: 1_700_000_000
})

const searched: Array<IntentQuery> = []
let holdsIntents = true

const intents = Layer.succeed(IntentStore, {
  publish: () => Effect.dieMessage("not part of these tests"),
  find: () => Effect.dieMessage("not part of these tests"),
  search: query => {
    searched.push(query)
    const page = { items: [item("5"), item("6")], totalCount: 9, nextCursor: "2" }
    return holdsIntents ? Effect.succeed(page) : Effect.fail(new DatabaseUnavailable())
  }
})

/** The services of indexed operations over a mainnet source, or over none. */
const worldOf = (mainnetUrl: string | undefined) =>
  ManagedRuntime.make(
    Layer.mergeAll(
      intents,
      Indexer.layer({ directory: "schema/indexer", localChains: [] }),
      PinnedContracts.layer.pipe(Layer.provide(scriptedChain({})), Layer.provide(pinnedCatalog))
    ).pipe(
      Layer.provide(
        Layer.succeed(
          Settings,
          testSettings({
            indexer: { mainnetUrl: secret(mainnetUrl), testnetUrl: undefined, headers: Redacted.make({}) }
          })
        )
      )
    )
  )

let world: ReturnType<typeof worldOf>
let sourceless: ReturnType<typeof worldOf>

const answering = <R>(operation: Operation<R>, input: unknown, source?: "indexer") =>
  Effect.flatMap(Either.getOrThrow(operation.prepare(input))(source), answer =>
    Effect.succeed(JSON.parse(JSON.stringify(answer)))
  )

type Needed = Indexer | IntentStore | PinnedContracts

const ask = (operation: Operation<Needed>, input: unknown) => world.runPromise(answering(operation, input))

const refused = (effect: Effect.Effect<unknown, AnyRefusal, Needed>, by = world) =>
  by.runPromise(Effect.map(Effect.flip(effect), ({ _tag }) => _tag))

const project = (chainId: number, projectId: number, over: object = {}) => ({
  chainId,
  projectId,
  version: 6,
  id: `${chainId}-${projectId}`,
  owner: OWNER,
  creator: OWNER,
  deployer: OWNER,
  createdAt: 1_700_000_000 + projectId,
  suckerGroupId: `own-${chainId}-${projectId}`,
  name: `Name ${projectId}`,
  volume: "123456789012345678901234567890",
  ...over
})

const activity = (id: string, timestamp: number, over: object = {}) => ({
  id,
  chainId: 1,
  projectId: 7,
  version: 6,
  suckerGroupId: GROUP,
  timestamp,
  txHash: HASH,
  from: OWNER,
  ...over
})

const event = (id: string) => ({
  id,
  chainId: 1,
  projectId: 7,
  version: 6,
  suckerGroupId: GROUP,
  timestamp: 1_700_000_100,
  txHash: HASH,
  caller: OWNER,
  from: OWNER,
  logIndex: 1
})

/** What was asked beside the looks at the schema. */
const questions = () => source.requests.filter(request => !JSON.stringify(request).includes("__schema"))

const BLANKS: Readonly<Record<string, unknown>> = { Int: 0, BigInt: "0", Boolean: false, String: "" }

/** Rows that need to say no more than a test is about. */
const insert = (entity: string, rows: ReadonlyArray<Readonly<Record<string, unknown>>>) => {
  const columns = [...(source.model.get(entity)?.columns.values() ?? [])]
  const blank = columns.map(({ hex, list, name, nullable, type }) => {
    if (nullable) return [name, null] as const
    return [name, list ? [] : hex ? OWNER : (BLANKS[type] ?? null)] as const
  })
  return source.insert(
    entity,
    rows.map(row => ({ ...Object.fromEntries(blank), ...row }))
  )
}

beforeAll(async () => {
  source = await startIndexedSource()
  await insert("project", [
    project(1, 7, { suckerGroupId: GROUP, name: "Seven Seas", handle: "seven" }),
    project(10, 9, { suckerGroupId: GROUP, name: "Sister" }),
    project(8453, 7, { name: "Seven Others" }),
    project(1, 8, { version: 5, name: "Seven of old" })
  ])
  await insert("suckerGroup", [
    { id: GROUP, version: 6, addresses: [OWNER], createdAt: 1_700_000_000, volumeUsd: "5" }
  ])
  await insert("participant", [
    {
      chainId: 1,
      projectId: 7,
      version: 6,
      address: OWNER,
      suckerGroupId: GROUP,
      createdAt: 1_700_000_050,
      balance: "9",
      creditBalance: "4",
      erc20Balance: "5"
    }
  ])
  await insert("payEvent", [
    {
      ...event("pay-1"),
      beneficiary: OWNER,
      amount: "10",
      amountUsd: "3",
      memo: "hi",
      newlyIssuedTokenCount: "1"
    }
  ])
  await insert("bridgeToOutboxEvent", [
    {
      ...event("out-1"),
      sucker: OWNER,
      peerChainId: 10,
      token: OWNER,
      beneficiary: `0x${"00".repeat(12)}${OWNER.slice(2)}`,
      projectTokenCount: "6",
      terminalTokenAmount: "2",
      index: 0,
      root: HASH
    }
  ])
  await insert("activityEvent", [
    activity("a-1", 1_700_000_100, { type: "payEvent", payEvent: "pay-1" }),
    activity("a-2", 1_700_000_200, { type: "bridgeToOutboxEvent", bridgeToOutboxEvent: "out-1" })
  ])
  await source.progress([{ name: "ethereum", chainId: 1, blockNumber: 77, blockTimestamp: 1_700_000_300 }])
  world = worldOf(source.url)
  sourceless = worldOf(undefined)
})

afterAll(async () => {
  await world.dispose()
  await sourceless.dispose()
  await source.stop()
})

describe("what people write for a project", () => {
  it.each([
    ["eth:7", 1, "7"],
    ["v6:base:12", 8453, "12"],
    ["421614:3", 421614, "3"],
    [" https://juicebox.money/v6/op:5 ", 10, "5"],
    ["https://www.revnet.money/arb:5/anything?x=1", 42161, "5"],
    ["https://dev.juicebox.money/eth%3A7", 1, "7"]
  ])("%s is a chain and an id, and nothing is fetched", async (input, chainId, projectId) => {
    const before = questions().length
    assert.deepStrictEqual(await ask(runResolveProject, { input }), {
      kind: "project",
      project: { chainId, projectId, version: 6 },
      existenceVerified: false
    })
    assert.strictEqual(questions().length, before)
  })

  it.each([
    ["7", "AMBIGUOUS_PROJECT"],
    ["v6:7", "AMBIGUOUS_PROJECT"],
    ["eth:0", "INVALID_PROJECT_IDENTIFIER"],
    ["eth:07", "INVALID_PROJECT_IDENTIFIER"],
    ["eth:7:1", "INVALID_PROJECT_IDENTIFIER"],
    ["31338:7", "INVALID_PROJECT_IDENTIFIER"],
    [`eth:${2n ** 256n}`, "INVALID_PROJECT_IDENTIFIER"],
    ["@", "INVALID_PROJECT_IDENTIFIER"],
    ["x".repeat(201), "INVALID_PROJECT_IDENTIFIER"],
    ["https://juicebox.money/v5/eth:7", "UNSUPPORTED_VERSION"],
    ["https://example.org/eth:7", "UNSUPPORTED_PROJECT_URL"],
    ["https://juicebox.money.example.org/eth:7", "UNSUPPORTED_PROJECT_URL"],
    ["https://user@juicebox.money/eth:7", "UNSUPPORTED_PROJECT_URL"],
    ["https://juicebox.money:8443/eth:7", "UNSUPPORTED_PROJECT_URL"],
    ["https://juicebox.money/", "UNSUPPORTED_PROJECT_URL"],
    ["https://juicebox.money/%E0%A4%A", "UNSUPPORTED_PROJECT_URL"],
    ["http://", "UNSUPPORTED_PROJECT_URL"]
  ])("%s is refused as %s", async (input, code) => {
    assert.strictEqual(await refused(answering(runResolveProject, { input })), code)
  })

  it("a name gives candidates and chooses none, also where there is one", async () => {
    const { kind, candidates, selectionRequired } = await ask(runResolveProject, { input: "@seas" })
    assert.deepEqual([kind, selectionRequired, candidates.status], ["candidates", true, "known"])
    assert.deepEqual(
      candidates.value.items.map(({ name }: { name: string }) => name),
      ["Seven Seas"]
    )
    const unread = await sourceless.runPromise(answering(runResolveProject, { input: "seas" }))
    assert.strictEqual(unread.candidates.error.code, "INDEXER_NOT_CONFIGURED")
  })
})

describe("a search for projects", () => {
  it("has deployed ones and intents of version 6, each half with its own cursor", async () => {
    const { deployed, undeployed } = await ask(runSearchProjects, {
      query: "seven",
      limit: 5,
      intentCursor: "3"
    })
    assert.deepEqual(
      deployed.value.items.map(({ name }: { name: string }) => name),
      ["Seven Others", "Seven Seas"]
    )
    assert.lengthOf(undeployed.value.items, 1)
    assert.deepInclude(undeployed.value, { totalCount: null, nextCursor: "2" })
    assert.deepInclude(undeployed.value.pagination, {
      totalCountStatus: "unknown",
      upstreamTotalCount: 9,
      upstreamPageItemCount: 2,
      excludedNonV6ItemCount: 1,
      returnedV6ItemCount: 1
    })
    assert.deepEqual(searched.at(-1), { text: "seven", limit: 5, offset: 3 })
  })

  it("takes digits for an id too, blank for all, and one chain where it is named", async () => {
    const names = async (input: object) =>
      (await ask(runSearchProjects, input)).deployed.value.items.map(({ name }: { name: string }) => name)
    assert.deepEqual(await names({ query: "9" }), ["Sister"])
    assert.deepEqual(await names({ chainId: 8453 }), ["Seven Others"])
    assert.lengthOf(await names({ query: " " }), 3)
    assert.lengthOf(await names({ query: "%" }), 0)
  })

  it("loses no half for the other's failure", async () => {
    const unread = await sourceless.runPromise(answering(runSearchProjects, {}))
    assert.deepEqual([unread.deployed.status, unread.undeployed.status], ["unknown", "known"])
    holdsIntents = false
    try {
      const { deployed, undeployed } = await ask(runSearchProjects, {})
      assert.deepEqual([deployed.status, undeployed.error.code], ["known", "DATABASE_UNAVAILABLE"])
    } finally {
      holdsIntents = true
    }
  })

  it("asks no intents where the indexer is the source", async () => {
    const before = searched.length
    const answer = await world.runPromise(answering(runSearchProjects, {}, "indexer"))
    assert.strictEqual(answer.source, "indexer")
    assert.notProperty(answer, "undeployed")
    assert.strictEqual(searched.length, before)
  })

  it("is refused for a chain of another network and for a cursor that no page gave", async () => {
    for (const input of [{ chainId: 1, network: "testnet" }, { chainId: 31338 }, { intentCursor: "x" }])
      assert.strictEqual(await refused(answering(runSearchProjects, input)), "INVALID_INPUT")
  })
})

describe("an indexed project", () => {
  it("has its row, version 6 alone, with addresses in their checksummed form", async () => {
    const found = await world.runPromise(showProject({ chainId: 1, projectId: "7" }, "indexer"))
    assert.strictEqual(found.source, "indexer")
    const row = found.source === "indexer" && found.indexed.status === "known" ? found.indexed.value : null
    assert.deepInclude(row, { owner: CHECKSUMMED, projectId: "7", volume: "123456789012345678901234567890" })
    const old = await world.runPromise(showProject({ chainId: 1, projectId: "8" }, "indexer"))
    assert.deepEqual(old.source === "indexer" && old.indexed, { status: "known", value: null })
  })

  it("leaves out what an older source lacks, and says so where it lists", async () => {
    source.lack(["project.balanceUsd"])
    const older = worldOf(source.url)
    try {
      const found = await older.runPromise(showProject({ chainId: 1, projectId: "7" }, "indexer"))
      const row = found.source === "indexer" && found.indexed.status === "known" ? found.indexed.value : null
      assert.isNotNull(row)
      assert.notProperty(row, "balanceUsd")
      const { candidates } = await older.runPromise(answering(runResolveProject, { input: "seas" }))
      assert.deepEqual(candidates.value.coverage.missingFields, ["balanceUsd"])
    } finally {
      source.lack([])
      await older.dispose()
    }
  })

  it("is unknown where the source is not configured, and refused for a chain that no source has", async () => {
    const found = await sourceless.runPromise(showProject({ chainId: 1, projectId: "7" }, "indexer"))
    const indexed = found.source === "indexer" ? found.indexed : undefined
    assert.strictEqual(indexed?.status === "unknown" && indexed.error.code, "INDEXER_NOT_CONFIGURED")
    const stranger = showProject({ chainId: 31338, projectId: "7" }, "indexer")
    assert.strictEqual(await refused(stranger), "INDEXER_NETWORK_MISMATCH")
  })
})

describe("an indexed group", () => {
  it("has its totals and its projects by chain", async () => {
    const { group, projects } = await ask(runGetOmnichainGroup, { id: GROUP })
    assert.deepInclude(group, { id: GROUP, volumeUsd: "5", version: 6 })
    assert.deepEqual(
      projects.items.map(({ chainId }: { chainId: number }) => chainId),
      [1, 10]
    )
    assert.deepInclude(await ask(runGetOmnichainGroup, { id: "none" }), { group: null })
  })

  it("as a view has the origin first and no membership that was proved", async () => {
    const query = { chainId: 10, projectId: "9", maxMembers: 8 }
    const view = await world.runPromise(showIndexedOmnichain(query))
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
    const cut = await world.runPromise(showIndexedOmnichain({ ...query, maxMembers: 1 }))
    assert.deepInclude(cut.group, { truncated: true, membersFound: { status: "known", value: 2 } })
    const absent = showIndexedOmnichain({ ...query, projectId: "404" })
    assert.strictEqual(await refused(absent), "PROJECT_NOT_FOUND")
    const unread = await sourceless.runPromise(showIndexedOmnichain(query))
    assert.strictEqual(unread.source === "indexer" && unread.members.status, "unknown")
  })
})

describe("an indexed account", () => {
  it("has a row for each of its projects, found by any spelling of the address", async () => {
    const { indexed } = await ask(runGetAccount, { address: CHECKSUMMED, chainId: 1 })
    assert.strictEqual(indexed.value.totalCount, 1)
    assert.deepInclude(indexed.value.items[0], { address: CHECKSUMMED, balance: "9", creditBalance: "4" })
    assert.deepEqual(indexed.value.pageInfo, { hasNextPage: false, endCursor: null })
  })

  it("is of the chain's network, and refused where the network is another", async () => {
    const input = { address: OWNER, chainId: 1, network: "testnet" }
    assert.strictEqual(await refused(answering(runGetAccount, input)), "INVALID_INPUT")
    const { indexed } = await ask(runGetAccount, { address: OWNER, network: "testnet" })
    assert.strictEqual(indexed.error.code, "INDEXER_NOT_CONFIGURED")
  })
})

describe("indexed activity", () => {
  const input = { project: { chainId: 1, projectId: "7" } }

  it("is told newest first, each event with the details of its type", async () => {
    const { indexed } = await ask(runGetActivity, input)
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
    const first = await ask(runGetActivity, { ...input, limit: 1 })
    const cursor = first.indexed.pageInfo.endCursor
    const second = await ask(runGetActivity, { ...input, limit: 1, cursor })
    assert.strictEqual(second.indexed.items[0].id, "a-1")
    assert.deepEqual(second.indexed.pageInfo, { hasNextPage: false, endCursor: null })
    const altered = answering(runGetActivity, { ...input, limit: 1, cursor: `${cursor}x` })
    assert.strictEqual(await refused(altered), "INDEXER_INVALID_CURSOR")
  })

  it("is refused without a source", async () => {
    assert.strictEqual(await refused(answering(runGetActivity, input), sourceless), "INDEXER_NOT_CONFIGURED")
  })
})

describe("the indexed source's progress", () => {
  it("is told chain by chain", async () => {
    const { chains, network, semantics } = await ask(runGetIndexerStatus, {})
    assert.deepEqual([network, chains], ["mainnet", [{ chainId: 1, block: 77, timestamp: 1_700_000_300 }]])
    assert.include(semantics.progress, "does not prove")
    const unread = answering(runGetIndexerStatus, { network: "testnet" })
    assert.strictEqual(await refused(unread), "INDEXER_NOT_CONFIGURED")
  })
})
