/** Bodies, ids and queries of the routes of user operations that are none: refused with a whole problem, and nothing is stored or sent. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { problemIn } from "../support/Problem.ts"
import { freshNonce, signedFetch } from "../support/SignedFetch.ts"
import { spoiltBodies } from "../support/SpoiltBodies.ts"
import { sqlOn } from "../support/Sql.ts"
import { startOperatingBench } from "./support/Operating.ts"
import { sendingOn } from "./support/Sending.ts"

const PATH = "/api/v1/user-operations"

const bench = await startOperatingBench()
const { service, bundling } = bench
const { prepared, isUntouched } = sendingOn(bench)

let one: Awaited<ReturnType<typeof prepared>>

beforeAll(async () => {
  one = await prepared()
})
afterAll(() => bench.stop())

const post = (path: string, body: unknown) =>
  signedFetch(service, one.owner, "POST", path, {
    rawBody: JSON.stringify(body),
    idempotencyKey: freshNonce()
  })

const get = (target: string) => signedFetch(service, one.owner, "GET", target)

const refusalOf = async (answer: Response) => {
  const { status, code } = await problemIn(answer)
  return `${status} ${code}`
}

const kept = async () => [
  await sqlOn(
    service.databaseUrl,
    "SELECT (SELECT count(*) FROM user_operations) AS operations, (SELECT count(*) FROM operation_sends) AS sends, (SELECT count(*) FROM idempotency_keys) AS keys"
  ),
  bundling.records.length
]

const refusesAll = async (path: string, body: Readonly<Record<string, unknown>>) => {
  const before = await kept()
  const passed: Array<string> = []
  for (const [what, given] of spoiltBodies(body)) {
    const answer = await post(path, given)
    const refusal = answer.ok ? String(answer.status) : await refusalOf(answer)
    if (!refusal.startsWith("400 ")) passed.push(`${what}: ${refusal}`)
  }
  assert.deepEqual(passed, [])
  assert.deepEqual(await kept(), before)
}

describe("a body with a member that is none", { timeout: 120_000 }, () => {
  it("prepares no operation", () => refusesAll(PATH, { planId: one.plan.id, stepIndexes: [0] }))

  it("sends none", async () => {
    await refusesAll(`${PATH}/${one.operation.id}/submissions`, { signature: one.signature })
    await isUntouched(one)
  })

  it("of a megabyte is refused before it is read", async () => {
    const path = `${PATH}/${one.operation.id}/submissions`
    const answer = await post(path, { signature: `0x${"00".repeat(600_000)}` })
    assert.equal(await refusalOf(answer), "413 BODY_TOO_LARGE")
    await isUntouched(one)
  })
})

describe("steps", () => {
  const range = (count: number) => Array.from({ length: count }, (_, index) => index)

  it.each([
    ["in falling order", [1, 0], "400 INVALID_INPUT"],
    ["of which one is there twice", [0, 0], "400 INVALID_INPUT"],
    ["of which there are none", [], "400 INVALID_INPUT"],
    ["of which there are too many", range(17), "400 INVALID_INPUT"],
    ["beyond what a plan has at most", [32], "400 INVALID_INPUT"],
    ["below the first", [-1], "400 INVALID_INPUT"],
    ["as texts", ["0"], "400 INVALID_INPUT"],
    ["of which one is a half", [0.5], "400 INVALID_INPUT"],
    ["beyond any number", [2 ** 256], "400 UNSAFE_JSON_NUMBER"],
    ["that the plan does not have", range(16), "404 STEP_NOT_FOUND"]
  ])("%s are refused", async (_, stepIndexes, refusal) => {
    const before = await kept()
    const answer = await post(PATH, { planId: one.plan.id, stepIndexes })
    assert.equal(await refusalOf(answer), refusal)
    assert.deepEqual(await kept(), before)
  })
})

describe("a session", () => {
  it.each<readonly [what: string, sessionId: unknown, refusal: string]>([
    ["as a number", 1, "400 INVALID_INPUT"],
    ["as null", null, "400 INVALID_INPUT"],
    ["as a list", [], "400 INVALID_INPUT"],
    ["without a name", "", "400 INVALID_INPUT"],
    ["in upper case", "ABCDEF00-0000-4000-8000-000000000000", "400 INVALID_INPUT"],
    ["by a hash", `0x${"00".repeat(32)}`, "400 INVALID_INPUT"],
    ["__proto__", "__proto__", "400 INVALID_INPUT"],
    ["nil", "00000000-0000-0000-0000-000000000000", "404 SESSION_NOT_FOUND"]
  ])("%s is refused", async (_, sessionId, refusal) => {
    const before = await kept()
    const answer = await post(PATH, { planId: one.plan.id, stepIndexes: [0], sessionId })
    assert.equal(await refusalOf(answer), refusal)
    assert.deepEqual(await kept(), before)
  })
})

describe("an id that is none of the caller's operations", () => {
  const OTHERS: ReadonlyArray<readonly [string, () => string, string]> = [
    ["of a plan", () => one.plan.id, "404 USER_OPERATION_NOT_FOUND"],
    ["of a binding", () => one.binding.id, "400 INVALID_PARAMETER"],
    ["the operation's hash", () => one.operation.operationHash, "400 INVALID_PARAMETER"],
    ["in upper case", () => one.operation.id.toUpperCase(), "400 INVALID_PARAMETER"],
    ["without its dashes", () => one.operation.id.replaceAll("-", ""), "400 INVALID_PARAMETER"],
    ["a digit longer", () => `${one.operation.id}0`, "400 INVALID_PARAMETER"],
    ["nil", () => "00000000-0000-0000-0000-000000000000", "404 USER_OPERATION_NOT_FOUND"],
    ["__proto__", () => "__proto__", "400 INVALID_PARAMETER"]
  ]

  it.each(OTHERS)("%s is neither shown nor sent", async (_, idOf, refusal) => {
    const id = idOf()
    assert.equal(await refusalOf(await get(`${PATH}/${id}`)), refusal)
    assert.equal(await refusalOf(await get(`${PATH}/${id}?wait=1&since=0`)), refusal)
    const answer = await post(`${PATH}/${id}/submissions`, { signature: one.signature })
    assert.equal(await refusalOf(answer), refusal)
    await isUntouched(one)
  })

  it("is refused where a page is asked for", async () => {
    for (const query of [
      "limit=0",
      "limit=101",
      "limit=1e1",
      "limit=-1",
      "cursor=",
      "cursor=%00",
      `cursor=${"a".repeat(1025)}`,
      "planId=",
      `planId=${"0".repeat(36)}`,
      `planId=${one.plan.id.toUpperCase()}`,
      "more=1"
    ]) {
      const { status } = await problemIn(await get(`${PATH}?${query}`))
      assert.equal(status, 400, query)
    }
  })
})
