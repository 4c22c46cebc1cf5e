import { JSONSchema } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { runGetOmnichainGroup } from "../../../src/operations/omnichain/get_omnichain_group/Run.ts"
import { runGetAccount } from "../../../src/operations/projects/get_account/Run.ts"
import { getIndexerStatus } from "../../../src/operations/projects/get_indexer_status/Declaration.ts"
import { runGetIndexerStatus } from "../../../src/operations/projects/get_indexer_status/Run.ts"
import { runResolveProject } from "../../../src/operations/projects/resolve_project/Run.ts"
import { runSearchProjects } from "../../../src/operations/projects/search_projects/Run.ts"
import { answering, CHECKSUMMED, type IndexedWorld, startIndexedWorld } from "./support/IndexedWorld.ts"

const bench = await startIndexedWorld()

afterAll(() => bench.stop())

describe("what people write for a project", () => {
  it.each([
    ["eth:7", 1, "7"],
    ["v6:base:12", 8453, "12"],
    ["421614:3", 421614, "3"],
    [" https://juicebox.money/v6/op:5 ", 10, "5"],
    ["https://www.revnet.money/arb:5/anything?x=1", 42161, "5"],
    ["https://dev.juicebox.money/eth%3A7", 1, "7"]
  ])("%s is a chain and an id, and nothing is fetched", async (input, chainId, projectId) => {
    const before = bench.questions().length
    assert.deepStrictEqual(await bench.ask(runResolveProject, { input }), {
      kind: "project",
      project: { chainId, projectId, version: 6 },
      existenceVerified: false
    })
    assert.strictEqual(bench.questions().length, before)
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
    assert.strictEqual(await bench.refused(answering(runResolveProject, { input })), code)
  })

  it("a name gives candidates and chooses none, also where there is one", async () => {
    const { kind, candidates, selectionRequired } = await bench.ask(runResolveProject, { input: "@seas" })
    assert.deepEqual([kind, selectionRequired, candidates.status], ["candidates", true, "known"])
    assert.deepEqual(
      candidates.value.items.map(({ name }: { name: string }) => name),
      ["Seven Seas"]
    )
    const unread = await bench.sourceless.runPromise(answering(runResolveProject, { input: "seas" }))
    assert.strictEqual(unread.candidates.error.code, "INDEXER_NOT_CONFIGURED")
  })
})

describe("a search for projects", () => {
  it("has deployed ones and intents of version 6, each half with its own cursor", async () => {
    const { deployed, undeployed } = await bench.ask(runSearchProjects, {
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
    assert.deepEqual(bench.intents.searched.at(-1), { text: "seven", limit: 5, offset: 3 })
  })

  it("takes digits for an id too, blank for all, and one chain where it is named", async () => {
    const names = async (input: object) =>
      (await bench.ask(runSearchProjects, input)).deployed.value.items.map(
        ({ name }: { name: string }) => name
      )
    assert.deepEqual(await names({ query: "9" }), ["Sister"])
    assert.deepEqual(await names({ chainId: 8453 }), ["Seven Others"])
    assert.lengthOf(await names({ query: " " }), 3)
    assert.lengthOf(await names({ query: "%" }), 0)
  })

  it("loses no half for the other's failure", async () => {
    const unread = await bench.sourceless.runPromise(answering(runSearchProjects, {}))
    assert.deepEqual([unread.deployed.status, unread.undeployed.status], ["unknown", "known"])
    bench.intents.held = false
    try {
      const { deployed, undeployed } = await bench.ask(runSearchProjects, {})
      assert.deepEqual([deployed.status, undeployed.error.code], ["known", "DATABASE_UNAVAILABLE"])
    } finally {
      bench.intents.held = true
    }
  })

  it("asks no intents where the indexer is the source", async () => {
    const before = bench.intents.searched.length
    const answer = await bench.world.runPromise(answering(runSearchProjects, {}, "indexer"))
    assert.strictEqual(answer.source, "indexer")
    assert.notProperty(answer, "undeployed")
    assert.strictEqual(bench.intents.searched.length, before)
  })

  it("does not know the deployed ones after a cursor that no page of it ended with, by its own name", async () => {
    const { deployed, undeployed } = await bench.ask(runSearchProjects, { projectCursor: "x" })
    assert.strictEqual(deployed.error.code, "INDEXER_INVALID_CURSOR")
    assert.deepStrictEqual(deployed.error.details, {
      parameter: "projectCursor",
      expected: "the cursor that a page of this same query ended with"
    })
    assert.strictEqual(undeployed.status, "known")
  })

  it("is refused for a chain of another network and for a cursor that no page gave", async () => {
    for (const input of [{ chainId: 1, network: "testnet" }, { chainId: 31338 }, { intentCursor: "x" }])
      assert.strictEqual(await bench.refused(answering(runSearchProjects, input)), "INVALID_INPUT")
  })
})

describe("a source that lacks filters", () => {
  type Ask = IndexedWorld["ask"]

  const onOne = async (lacking: ReadonlyArray<string>, work: (ask: Ask) => Promise<void>) => {
    bench.source.lack(lacking)
    const older = bench.another()
    try {
      await work((operation, input) => older.runPromise(answering(operation, input)))
    } finally {
      bench.source.lack([])
      await older.dispose()
    }
  }

  const FOLDING = ["projectFilter.name_contains_nocase", "projectFilter.handle_contains_nocase"]

  it("that fold case is searched as names are written, and the answer says so", () =>
    onOne([...FOLDING, "project.balanceUsd"], async ask => {
      const found = async (query: string) => {
        const { deployed } = await ask(runSearchProjects, { query })
        assert.strictEqual(deployed.status, "known")
        assert.deepEqual(deployed.value.coverage.missingFields, ["balanceUsd"])
        assert.include(deployed.value.coverage.notes.join(" "), "upper and lower case")
        return deployed.value.items.map(({ name }: { name: string }) => name)
      }
      assert.deepEqual(await found("Seven"), ["Seven Others", "Seven Seas"])
      assert.deepEqual(await found("seven"), ["Seven Seas"])
      const { candidates } = await ask(runResolveProject, { input: "seas" })
      assert.deepEqual([candidates.status, candidates.value.items], ["known", []])
    }))

  it("goes on after a page of one that lacked none, and the other way round", async () => {
    const page = (ask: Ask, projectCursor?: string) =>
      ask(runSearchProjects, { query: "seven", limit: 1, ...(projectCursor && { projectCursor }) })
    const cursorOf = async (ask: Ask) => (await page(ask)).deployed.value.pageInfo.endCursor
    const whole = await cursorOf(bench.ask)
    await onOne(["project.balanceUsd"], async ask => {
      const second = await page(ask, whole)
      assert.deepEqual(second.deployed.value.coverage.missingFields, ["balanceUsd"])
      assert.strictEqual(second.deployed.value.items[0].name, "Seven Seas")
    })
    await onOne([...FOLDING, "project.balanceUsd"], async ask =>
      assert.strictEqual((await page(ask, whole)).deployed.value.items[0].name, "Seven Seas")
    )
    const older: Array<string> = []
    await onOne(["project.balanceUsd"], async ask => {
      older.push(await cursorOf(ask))
    })
    assert.strictEqual((await page(bench.ask, older[0])).deployed.value.items[0].name, "Seven Seas")
  })

  it("for texts is not searched, and that is no fault of the service", () =>
    onOne([...FOLDING, "projectFilter.name_contains"], async ask => {
      const { deployed } = await ask(runSearchProjects, { query: "seven" })
      assert.strictEqual(deployed.error.code, "INDEXER_INVALID_FIELDS")
      assert.strictEqual((await ask(runSearchProjects, {})).deployed.status, "known")
    }))

  it("has no note of it where it lacks none", async () => {
    const { deployed } = await bench.ask(runSearchProjects, { query: "seven" })
    assert.lengthOf(deployed.value.coverage.notes, 1)
  })
})

describe("an operation without a network", () => {
  it("is about the only one of which a source is configured", async () => {
    const world = bench.testnetAlone()
    const ask = (operation: Parameters<IndexedWorld["ask"]>[0], input: object) =>
      world.runPromise(answering(operation, input))
    const progress = { name: "baseSepolia", chainId: 84532, blockNumber: 5, blockTimestamp: 6 }
    await bench.source.progress([progress])
    try {
      assert.strictEqual((await ask(runGetIndexerStatus, {})).network, "testnet")
      assert.strictEqual((await ask(runSearchProjects, {})).deployed.status, "known")
      assert.strictEqual((await ask(runResolveProject, { input: "seas" })).candidates.status, "known")
      assert.strictEqual((await ask(runGetAccount, { address: CHECKSUMMED })).indexed.status, "known")
      assert.isNull((await ask(runGetOmnichainGroup, { id: "none" })).group)
      const named = await ask(runGetAccount, { address: CHECKSUMMED, network: "mainnet" })
      assert.strictEqual(named.indexed.error.code, "INDEXER_NOT_CONFIGURED")
    } finally {
      await world.dispose()
      await bench.source.progress([{ ...progress, name: "ethereum", chainId: 1 }])
    }
  })

  it("is about mainnet where that or none is configured, and says so in its description", async () => {
    assert.strictEqual((await bench.ask(runGetIndexerStatus, {})).network, "mainnet")
    const none = answering(runGetIndexerStatus, {})
    assert.strictEqual(await bench.refused(none, bench.sourceless), "INDEXER_NOT_CONFIGURED")
    assert.include(JSON.stringify(JSONSchema.make(getIndexerStatus.input)), "the only one of which")
  })
})
