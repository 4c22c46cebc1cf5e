import { afterAll, assert, describe, it } from "vitest"
import { onchainText } from "../../src/cli/ProjectText.ts"
import { enroll } from "../support/Bots.ts"
import { problemIn } from "../support/Problem.ts"
import { startSandbox } from "../support/Sandbox.ts"
import { newOwner, signedFetch } from "../support/SignedFetch.ts"

const sandbox = await startSandbox()
const owner = newOwner()
await enroll(sandbox.service, owner)

afterAll(() => sandbox.stop())

const get = (path: string) => signedFetch(sandbox.service, owner, "GET", `/api/v1/projects/${path}`)

describe("the routes of projects", () => {
  it("tell a project of the chain, as the operation does, and the command line puts it in words", async () => {
    const answer = await get("31337/2?source=onchain")
    assert.strictEqual(answer.status, 200)
    const body = await answer.json()
    assert.deepEqual([body.source, body.onchain.coverage.complete], ["onchain", true])
    const input = encodeURIComponent(JSON.stringify({ project: { chainId: 31337, projectId: "2" } }))
    const target = `/api/v1/operations/get_project?input=${input}&source=onchain`
    const operation = await (await signedFetch(sandbox.service, owner, "GET", target)).json()
    assert.deepEqual(operation.onchain.terminals, body.onchain.terminals)
    const text = onchainText(body.onchain)
    assert.include(text, '"DEMO" at ')
    assert.include(text, "2 of 2 in currency 61166")
    assert.include(text, "reserved 20 %, cash-out tax 50 %")
  })

  it("say of a source that is not configured that its part is unknown", async () => {
    const body = await (await get("31337/2?source=indexer")).json()
    assert.strictEqual(body.indexed.error.code, "INDEXER_NOT_CONFIGURED")
  })

  it("tell the origin alone of a project without bridges", async () => {
    const answer = await get("31337/2/omnichain?source=onchain")
    const body = await answer.json()
    assert.strictEqual(answer.status, 200, JSON.stringify(body))
    assert.deepEqual(body.group.membersFound, { status: "known", value: 1 })
    assert.lengthOf(body.members, 1)
    assert.strictEqual(body.members[0].state.value.owner.status, "known")
    const indexed = await get("31337/2/omnichain?source=indexer")
    assert.strictEqual(indexed.status, 200)
    const capabilities = await (await fetch(`${sandbox.service.url}/api/v1/capabilities`)).json()
    assert.isTrue(capabilities.omnichain.available)
  })

  it.each([
    ["31337/2", "SOURCE_REQUIRED"],
    ["31337/2?source=model", "SOURCE_NOT_SUPPORTED"],
    ["31337/404?source=onchain", "PROJECT_NOT_FOUND"],
    ["31337/0?source=onchain", "PROJECT_NOT_FOUND"],
    ["5/2?source=onchain", "UNSUPPORTED_CHAIN"],
    ["5/2?source=indexer", "INDEXER_NETWORK_MISMATCH"],
    ["31337/02?source=onchain", "INVALID_PARAMETER"],
    ["31337/2/omnichain?source=onchain&maxMembers=9", "INVALID_PARAMETER"],
    ["31337/2/omnichain?source=onchain&maxMembers=0", "INVALID_PARAMETER"],
    ["31337/2/omnichain", "SOURCE_REQUIRED"]
  ])("refuse %s as %s", async (path, code) => {
    assert.strictEqual((await problemIn(await get(path))).code, code)
  })
})
