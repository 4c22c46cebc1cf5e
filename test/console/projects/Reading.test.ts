import { assert, describe, it } from "vitest"
import { type ProjectParts, readProjectParts } from "../../../src/console/projects/reading/ReadProject.ts"
import { findProjects } from "../../../src/console/projects/reading/Search.ts"
import type { ProblemCode } from "../../../src/values/ProblemRegister.ts"
import { answeredClient } from "../support/AnsweredClient.ts"

const PLACE = { network: "mainnet", chainId: 1, projectId: "7" } as const
const WALLET = "0x00000000000000000000000000000000000000aa"
const NONE = { items: [], nextCursor: null, degraded: [] }

const split = (projectId: string) => ({
  percent: "1",
  projectId,
  beneficiary: WALLET,
  preferAddToBalance: false,
  lockedUntil: "0",
  hook: WALLET
})

const known = <A>(value: A) => ({ status: "known", value })

const VIEW = {
  reservedTokenSplits: known(["12", "9007199254740993", "2147483648"].map(split)),
  terminals: known([])
}

/** As the service's routes answer by their paths. */
const answerTo = ({ pathname, searchParams }: URL): object => {
  if (pathname.includes("/projects/"))
    return searchParams.get("source") === "onchain"
      ? { source: "onchain", onchain: VIEW }
      : { source: "indexer", indexed: known({ name: "Seven" }) }
  if (pathname.endsWith("/status")) return { chains: [] }
  return pathname.endsWith("/project") ? { ...NONE, items: [{ projectId: "12", name: "Twelve" }] } : NONE
}

/** What was read, what was asked for, and how much of it at a time. */
const reading = async (grant: object | undefined, answer = answerTo) => {
  const asked: Array<URL> = []
  let [open, most] = [0, 0]
  const client = answeredClient(async url => {
    asked.push(url)
    open += 1
    most = Math.max(most, open)
    await new Promise(resolve => setImmediate(resolve))
    open -= 1
    return answer(url)
  })
  let parts: ProjectParts = {}
  const found = (more: ProjectParts) => {
    parts = { ...parts, ...more }
  }
  const failure = await readProjectParts({ client, wallet: WALLET, grant }, PLACE, found).catch(String)
  return { parts, failure, asked, most: () => most }
}

describe("the parts of a project", () => {
  it("are read side by side while the tab signs by itself", async () => {
    const { parts, asked, most, failure } = await reading({})
    assert.isUndefined(failure)
    assert.lengthOf(asked, 10)
    assert.isAtLeast(most(), 5)
    assert.deepStrictEqual(
      Object.entries(parts).filter(([name, part]) => name !== "names" && Object(part).status !== "known"),
      []
    )
  })

  it("are asked for one at a time where a wallet signs, and none after it refused", async () => {
    const { asked, most } = await reading(undefined)
    assert.lengthOf(asked, 10)
    assert.strictEqual(most(), 1)
    const refused = await reading(undefined, url => {
      if (url.searchParams.get("source") === "onchain") throw new Error("The person said no.")
      return answerTo(url)
    })
    assert.isString(refused.failure)
    assert.lengthOf(refused.asked, 1)
  })

  it("name the projects of splits, of which one that no index can hold hides none", async () => {
    const { parts, asked } = await reading({})
    const query = asked.find(({ pathname }) => pathname.endsWith("/indexer/project"))
    assert.deepStrictEqual(JSON.parse(query?.searchParams.get("filters") ?? ""), { projectId_in: [12] })
    assert.deepStrictEqual(parts.names, new Map([["12", "Twelve"]]))
  })
})

describe("a search for projects", () => {
  const refused = (code: ProblemCode): Response =>
    Response.json(
      { type: "about:blank", title: code, status: 400, detail: code, code, requestId: "1", retryable: false },
      { status: 400, headers: { "content-type": "application/problem+json" } }
    )

  /** Of an index that refuses filters that fold case so, where it does. */
  const searching = (code?: ProblemCode) => {
    const client = answeredClient(({ searchParams }) =>
      code !== undefined && searchParams.get("filters")?.includes("nocase") === true
        ? refused(code)
        : { ...NONE, items: [{ projectId: "7", name: "Seven" }] }
    )
    return findProjects({ client }, "Seven", { network: "mainnet", chainId: undefined })
  }

  it("is one of names as they are written where the index does not fold case, and says so", async () => {
    const { isCased, items } = await searching("INDEXER_INVALID_FIELDS")
    assert.deepStrictEqual([isCased, items.map(({ name }) => name)], [true, ["Seven"]])
    assert.isFalse((await searching()).isCased)
    const failure = await searching("INDEXER_NOT_CONFIGURED").catch(String)
    assert.include(String(failure), "INDEXER_NOT_CONFIGURED")
  })
})
