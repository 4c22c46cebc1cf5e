import { afterAll, assert, describe, it } from "vitest"
import type { OperationInput, OperationOutput } from "../../../src/client/Operations.ts"
import type { ReadId } from "../../../src/operations/generated/OperationIds.ts"
import { enroll } from "../../support/Bots.ts"
import { operationTarget } from "../../support/OperationTarget.ts"
import { assertProblem } from "../../support/Problem.ts"
import { startService } from "../../support/Service.ts"
import { newOwner, signedFetch } from "../../support/SignedFetch.ts"

const service = await startService({
  settings: { quotas: { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 } }
})
const owner = newOwner()
await enroll(service, owner)

afterAll(() => service.stop())

const get = (id: string, input: unknown) => signedFetch(service, owner, "GET", operationTarget(id, input))

const answer = async <Id extends ReadId>(id: Id, input: OperationInput<Id>): Promise<OperationOutput<Id>> => {
  const given = await get(id, input)
  assert.strictEqual(given.status, 200, await given.clone().text())
  return given.json()
}

const refused = async (id: ReadId, input: unknown, code: string) => assertProblem(await get(id, input), code)

describe("search_reference", () => {
  it("finds what is meant and says which bundle it looked into", async () => {
    const query = "how do I publish an intent"
    const found = await answer("search_reference", { query })
    assert.strictEqual(found.query, query)
    assert.isTrue(found.referenceOnly)
    assert.strictEqual(found.results[0]?.metadata.id, "skills/publish-an-intent")
    assert.lengthOf(found.results, 5)
    assert.isAbove(found.totalMatches, 5)
    const listed = await answer("list_references", {})
    assert.strictEqual(found.bundleId, listed.bundleId)
    for (const { excerpt, score } of found.results) {
      assert.isAtMost(excerpt.length, 601)
      assert.isAbove(score, 0)
    }
  })

  it("names the contracts that the query means", async () => {
    const { contractReferences } = await answer("search_reference", {
      query: "what does the MultiTerminal do"
    })
    assert.include(contractReferences, "JBMultiTerminal")
    assert.notInclude(contractReferences, "JBController")
    assert.deepStrictEqual((await answer("search_reference", { query: "jb" })).contractReferences, [])
    assert.include(
      (await answer("search_reference", { query: "JBController" })).contractReferences,
      "JBController"
    )
  })

  it("stays within its category and its limits", async () => {
    const { results } = await answer("search_reference", { query: "project", category: "indexer", limit: 20 })
    assert.lengthOf(results, 20)
    assert.isTrue(results.every(({ metadata }) => metadata.category === "indexer"))
    assert.lengthOf((await answer("search_reference", { query: "q".repeat(300), limit: 1 })).results, 0)
    for (const input of [
      {},
      { query: "" },
      { query: "q".repeat(301) },
      { query: "q", limit: 0 },
      { query: "q", limit: 21 },
      { query: "q", category: "all" }
    ])
      await refused("search_reference", input, "INVALID_INPUT")
  })
})

describe("list_references and get_reference", () => {
  it("list every document once, and give each whole, page by page", async () => {
    const ids: Array<string> = []
    let offset: number | null = 0
    while (offset !== null) {
      const page: OperationOutput<"list_references"> = await answer("list_references", {
        category: "skills",
        offset,
        limit: 4
      })
      ids.push(...page.documents.map(({ id }) => id))
      assert.isAtMost(page.documents.length, 4)
      offset = page.nextOffset
      if (offset === null) assert.strictEqual(page.total, ids.length)
    }
    assert.deepStrictEqual(ids, [...new Set(ids)].sort())
    assert.include(ids, "skills/pay-a-project")
    let text = ""
    for (let at: number | null = 0; at !== null; ) {
      const page: OperationOutput<"get_reference"> = await answer("get_reference", {
        id: "skills/pay-a-project",
        offset: at,
        limit: 500
      })
      assert.strictEqual(page.offset, at)
      assert.isNotEmpty(page.warnings)
      text += page.text
      at = page.nextOffset
      if (at === null) assert.strictEqual(page.totalCharacters, text.length)
    }
    assert.isTrue(text.startsWith("# Pay a project"))
  })

  it("give the standard page and nothing behind the end", async () => {
    const id = "contracts/JBController"
    const page = await answer("get_reference", { id })
    assert.lengthOf(page.text, 8_000)
    assert.strictEqual(page.nextOffset, 8_000)
    assert.strictEqual(page.characters, page.totalCharacters)
    assert.strictEqual((await answer("get_reference", { id, offset: 750_000 })).text, "")
    assert.strictEqual((await answer("list_references", { offset: 9_999 })).documents.length, 0)
  })

  it("refuse what there is not and what is no page", async () => {
    await refused("get_reference", { id: "skills/nothing" }, "REFERENCE_NOT_FOUND")
    await refused("get_reference", { id: "__proto__" }, "REFERENCE_NOT_FOUND")
    const id = "sdk/client"
    for (const input of [
      {},
      { id: "" },
      { id: "i".repeat(161) },
      { id, offset: -1 },
      { id, offset: 750_001 },
      { id, limit: 0 },
      { id, limit: 24_001 }
    ])
      await refused("get_reference", input, "INVALID_INPUT")
    for (const input of [{ offset: -1 }, { limit: 0 }, { limit: 51 }, { category: "" }])
      await refused("list_references", input, "INVALID_INPUT")
    assert.isAbove((await answer("get_reference", { id, limit: 24_000 })).text.length, 0)
  })
})

describe("the samples of a web client", () => {
  it("are listed, and given with the lines of their source", async () => {
    const { references, total, nextOffset } = await answer("list_webclient_references", {})
    assert.strictEqual(total, references.length)
    assert.isNull(nextOffset)
    assert.lengthOf((await answer("list_webclient_references", { offset: 1, limit: 2 })).references, 2)
    const id = "webclient/amounts"
    const whole = await answer("get_webclient_reference", { id })
    assert.deepStrictEqual(whole.exports, ["formatAmount", "parseAmount"])
    assert.deepStrictEqual([whole.pageStartLine, whole.pageEndLine], [1, whole.source.endLine])
    const lines = whole.text.split("\n")
    const offset = (lines[0] ?? "").length + 1
    const second = await answer("get_webclient_reference", { id, offset, limit: (lines[1] ?? "").length })
    assert.strictEqual(second.text, lines[1])
    assert.deepStrictEqual([second.pageStartLine, second.pageEndLine], [2, 2])
  })

  it("are refused where there is none", async () => {
    await refused("get_webclient_reference", { id: "sdk/client" }, "REFERENCE_NOT_FOUND")
    for (const input of [{}, { id: "a", limit: 24_001 }, { id: "a", offset: 750_001 }])
      await refused("get_webclient_reference", input, "INVALID_INPUT")
    for (const input of [{ limit: 51 }, { limit: 0 }, { offset: -1 }, { category: "sdk" }])
      await refused("list_webclient_references", input, "INVALID_INPUT")
  })
})

/** Section by section as the protocol's readers know them. */
const DEPENDENCIES: Readonly<Record<string, string>> = {
  "indexed-queries": "",
  "review-pipeline": "",
  "metadata-center": "review-pipeline",
  payments: "indexed-queries review-pipeline",
  cashouts: "indexed-queries review-pipeline",
  "721-storefront": "payments metadata-center",
  "buyback-routing": "payments cashouts",
  "router-terminal": "payments",
  "project-launch": "metadata-center",
  "ruleset-editing": "indexed-queries review-pipeline",
  "revnet-launch": "metadata-center revnet-stages",
  "revnet-stages": "indexed-queries review-pipeline",
  "revnet-loans": "cashouts",
  "account-portfolio": "indexed-queries",
  "omnichain-claims": "indexed-queries review-pipeline"
}

type Plan = OperationInput<"plan_integration">
type FeatureId = Plan["features"][number]

const request: Plan = { framework: "vanilla", features: ["payments"], projectType: "project", chainIds: [1] }

const featureIds = Object.keys(DEPENDENCIES)
const isFeatureId = (id: string): id is FeatureId => id in DEPENDENCIES

describe("plan_integration", () => {
  it("adds what each feature depends on, and puts it before", async () => {
    for (const feature of featureIds.filter(isFeatureId)) {
      const plan = await answer("plan_integration", {
        ...request,
        projectType: "revnet",
        features: [feature]
      })
      const ids = plan.features.map(({ id }) => id)
      assert.strictEqual(ids.at(-1), feature)
      assert.strictEqual(plan.addedDependencies.join(" "), ids.slice(0, -1).join(" "))
      for (const [at, { id, dependsOn }] of plan.features.entries()) {
        assert.strictEqual(dependsOn.join(" "), DEPENDENCIES[id])
        for (const needed of dependsOn) assert.isBelow(ids.indexOf(needed), at, `${id} ${needed}`)
      }
    }
  })

  it("plans everything for a revnet, and refuses a revnet's features for a project", async () => {
    const features = featureIds.filter(isFeatureId)
    const all = await answer("plan_integration", { ...request, features, projectType: "revnet" })
    assert.lengthOf(all.features, 15)
    assert.deepStrictEqual(all.addedDependencies, [])
    for (const feature of features) {
      const input = { ...request, features: [feature] }
      if (!feature.startsWith("revnet-"))
        assert.strictEqual((await get("plan_integration", input)).status, 200)
      else {
        const { context } = await refused("plan_integration", input, "INVALID_INPUT")
        assert.strictEqual(context?.path, "features")
      }
    }
  })

  it("says what it was asked, what is live and what is not, and where to read on", async () => {
    const plan = await answer("plan_integration", { ...request, chainIds: [10, 1] })
    assert.deepStrictEqual(plan.request, { ...request, chainIds: [10, 1] })
    assert.strictEqual(plan.publicOrigin, service.audience)
    assert.isTrue(plan.referenceOnly)
    assert.lengthOf(plan.architecture, 5)
    assert.deepStrictEqual(plan.chainScope, [
      { chainId: 10, deploymentStatus: "requires-live-verification" },
      { chainId: 1, deploymentStatus: "requires-live-verification" }
    ])
    assert.deepStrictEqual(plan.sdkImports, [
      { from: "signed-request-service/client", symbols: ["ServiceProblem", "createClient", "eip1193Signer"] }
    ])
    assert.strictEqual(plan.references[0]?.framework, "vanilla")
    const react = await answer("plan_integration", { ...request, framework: "react" })
    assert.sameDeepMembers([...react.references], [...plan.references])
    assert.isAtLeast(plan.features[0]?.actions.length ?? 0, 3)
  })

  it("refuses chains that are not served and lists that are none", async () => {
    await refused("plan_integration", { ...request, chainIds: [5] }, "UNSUPPORTED_CHAIN")
    for (const over of [
      { features: [] },
      { features: ["payments", "payments"] },
      { features: ["all"] },
      { chainIds: [] },
      { chainIds: [1, 1] },
      { framework: "vue" },
      { projectType: "shop" }
    ])
      await refused("plan_integration", { ...request, ...over }, "INVALID_INPUT")
  })
})
