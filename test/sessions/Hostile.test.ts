/** Every member of every body of the routes of sessions, replaced by what it must not be, and requests of those who have no part in a session. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { enroll, newBot } from "../support/Bots.ts"
import { assertProblem, problemIn } from "../support/Problem.ts"
import { freshNonce, newOwner, type Party, signedFetch } from "../support/SignedFetch.ts"
import { spoiltBodies } from "../support/SpoiltBodies.ts"
import { sqlOn } from "../support/Sql.ts"
import {
  askSession,
  type Bound,
  BUDGET,
  boundWallet,
  groupOf,
  newSessionBot,
  paymentOf,
  preparedSession,
  REVIEWS,
  readSession,
  reviewed,
  SESSIONS,
  type SessionBench,
  sessionInput,
  startSessionBench,
  TOKEN,
  transferOf,
  uriOf
} from "./support/SessionBench.ts"

type Body = Readonly<Record<string, unknown>>

let bench: SessionBench
let of: Bound

beforeAll(async () => {
  bench = await startSessionBench()
  of = await boundWallet(bench)
})
afterAll(() => bench.stop())

const count = async () => {
  const [row] = await sqlOn(bench.service.databaseUrl, "SELECT count(*)::integer AS sessions FROM sessions")
  return row?.sessions
}

const refusesAll = async (bodies: ReadonlyArray<readonly [what: string, body: unknown]>) => {
  const party = newOwner()
  await enroll(bench.service, party)
  const before = await count()
  const passed: Array<string> = []
  for (const [what, body] of bodies)
    for (const path of [SESSIONS, REVIEWS]) {
      const answer = await signedFetch(bench.service, party, "POST", path, {
        rawBody: JSON.stringify(body),
        idempotencyKey: freshNonce()
      })
      if (answer.ok) passed.push(`${path} ${what}`)
      else {
        const { status, code } = await problemIn(answer)
        if (status !== 400) passed.push(`${path} ${what}: ${status} ${code}`)
      }
    }
  assert.deepEqual(passed, [])
  assert.equal(await count(), before)
}

/** Each body with this part of it spoilt. */
const within = (
  body: Body,
  part: Body,
  place: (spoilt: unknown) => Body,
  fitting: Readonly<Record<string, ReadonlyArray<unknown>>> = {}
) =>
  spoiltBodies(part, fitting).map(
    ([what, spoilt]) => [what, { ...body, ...place(spoilt) }] as const satisfies readonly [string, unknown]
  )

const NAMES = ["__proto__", "-1", "1.5", "0x", "0x1", "0xzz", `0x${"0".repeat(39)}g`]

describe("a body with a member that is none", { timeout: 300_000 }, () => {
  it("prepares and reviews nothing", async () => {
    const body = await sessionInput(bench, of)
    const fitting = ["allocations: []", "no gasBudget"]
    await refusesAll(spoiltBodies(body).filter(([what]) => !fitting.includes(what)))
  })

  it("prepares and reviews nothing with such a gas budget", async () => {
    const body = await sessionInput(bench, of)
    await refusesAll(within(body, BUDGET, gasBudget => ({ gasBudget }), { paymaster: [null] }))
  })

  it("prepares and reviews nothing with such an allocation", async () => {
    const body = await sessionInput(bench, of)
    const group = groupOf(TOKEN)
    const [allocation] = group.allocations
    await refusesAll(within(body, group, spoilt => ({ allocations: [spoilt] }), { id: NAMES }))
    await refusesAll(
      within(body, allocation ?? {}, spoilt => ({ allocations: [{ ...group, allocations: [spoilt] }] }), {
        id: NAMES
      })
    )
  })

  it.each([
    ["a transfer", () => transferOf()],
    ["a payment", () => paymentOf()],
    ["a project's URI", () => uriOf()]
  ])("prepares and reviews nothing with such an action: %s", async (_, action) => {
    const body = await sessionInput(bench, of)
    await refusesAll(within(body, action(), spoilt => ({ actions: [spoilt] }), { allocationId: NAMES }))
  })
})

describe("a session", () => {
  it("is absent to all but its account and its bot, whether it is there or not", async () => {
    const { id } = await preparedSession(bench, of)
    const stranger = newOwner()
    await enroll(bench.service, stranger)
    const other = await newSessionBot(bench)
    const nobodys = "00000000-0000-4000-8000-000000000000"
    const read = async (party: Party, path: string) => {
      const problem = await assertProblem(await readSession(bench, path, party), "SESSION_NOT_FOUND")
      const { requestId: _, ...told } = problem
      return told
    }
    for (const party of [stranger, other])
      for (const part of ["", "/quota", "?refresh=false"])
        assert.deepEqual(await read(party, `/${id}${part}`), await read(party, `/${nobodys}${part}`))
    assert.equal((await readSession(bench, `/${id}?refresh=false`, bench.bot)).status, 200)
    const listed = await (await readSession(bench, "", other)).json()
    assert.deepEqual(listed.items, [])
  })

  it("is prepared upon no wallet and no grant of another account", async () => {
    const stranger = newOwner()
    await enroll(bench.service, stranger)
    const body = await sessionInput(bench, of, { generation: "50" })
    await assertProblem(await askSession(bench, body, stranger), "BINDING_NOT_FOUND")
    await assertProblem(await reviewed(bench, body, stranger), "BINDING_NOT_FOUND")
    const { grantId } = await newBot(bench.service, stranger, { scopes: ["read", "plan", "relay"] })
    await assertProblem(await askSession(bench, { ...body, grantId }), "GRANT_NOT_FOUND")
  })

  it.each(["x", "nil", "00000000-0000-4000-8000-00000000000G", "../accounts/me", "%00"])(
    "has no such id: %s",
    async id => {
      const answer = await readSession(bench, `/${encodeURIComponent(id)}`)
      assert.include([400, 404], (await problemIn(answer)).status)
    }
  )

  it.each(["refresh=yes", "refresh=", "more=1", "refresh=true&refresh=true"])(
    "is not shown with %s",
    async query => {
      const { id } = await preparedSession(bench, of, { generation: String(60 + query.length) })
      assert.equal((await problemIn(await readSession(bench, `/${id}?${query}`))).status, 400)
    }
  )

  it.each(["limit=0", "limit=101", "limit=x", "cursor=x", "bindingId=0x", "more=1"])(
    "is not listed with %s",
    async query => {
      assert.equal((await problemIn(await readSession(bench, `?${query}`))).status, 400)
    }
  )

  it("of a cursor of another list, of another wallet or of a bot is not listed", async () => {
    const own = await boundWallet(bench)
    await preparedSession(bench, own)
    await preparedSession(bench, own, { generation: "2" })
    const first = await (await readSession(bench, `?bindingId=${own.bindingId}&limit=1`)).json()
    const cursor = encodeURIComponent(first.nextCursor)
    await assertProblem(await readSession(bench, `?limit=1&cursor=${cursor}`), "INVALID_PARAMETER")
    const by = readSession(bench, `?bindingId=${own.bindingId}&limit=1&cursor=${cursor}`, bench.bot)
    await assertProblem(await by, "INVALID_PARAMETER")
  })
})
