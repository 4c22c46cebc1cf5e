import { createHash } from "node:crypto"
import { afterAll, assert, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { newBot } from "../support/Bots.ts"
import { contractCalls, payment, planned, requestPlan } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { newPayer, newRelayBot, startRelayBench } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { freshNonce, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { shown } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const sql = (text: string, values: ReadonlyArray<unknown> = []) =>
  sqlOn(bench.service.databaseUrl, text, values)

/** Canonical JSON, written again from its definition. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`
}

const commitmentOf = (plan: Plan, accountId: string, principalId: string): string => {
  const { operation, account, project, calls, evidence, summary, warnings, expiresAt, smartAccount } = plan
  const committed = {
    accountId,
    principalId,
    operation,
    account,
    project,
    calls,
    evidence,
    summary,
    warnings,
    expiresAt,
    smartAccount
  }
  return `0x${createHash("sha256").update(canonical(committed)).digest("hex")}`
}

describe("a plan's record", () => {
  it("is committed to with its principal and its expiry", async () => {
    const owner = await newPayer(bench)
    const bot = await newRelayBot(bench, owner)
    const label = "Ünïcode “label” \u2028 and \\ backslash"
    const pay = payment(bench, owner.key.address, {
      args: [
        "2",
        "0x000000000000000000000000000000000000EEEe",
        "1000",
        owner.key.address,
        "0",
        label,
        "0x00ff"
      ]
    })
    const own = await planned(bench, owner, { calls: [pay, { ...pay, dependsOn: [0] }] })
    assert.strictEqual(own.commitment, commitmentOf(own, owner.accountId, `owner:${owner.accountId}`))
    const others = await planned(bench, owner, { by: bot, calls: [pay] })
    assert.strictEqual(others.commitment, commitmentOf(others, owner.accountId, `bot:${bot.grantId}`))
    const stored = await shown(bench.service, owner, own)
    assert.deepStrictEqual(stored, own)
  })

  it("rests on one canonical block for each chain and expires five minutes after the older of it and now", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const [evidence] = plan.evidence
    const block = await rpc(bench.chain.url, "eth_getBlockByHash", [evidence?.blockHash, false])
    assert.strictEqual(plan.evidence.length, 1)
    assert.strictEqual(evidence?.chainId, 31337)
    assert.strictEqual(BigInt(evidence?.blockNumber ?? -1), BigInt(block.number))
    assert.strictEqual(BigInt(evidence?.timestamp ?? -1), BigInt(block.timestamp))
    const oldest = Math.min(plan.createdAt, Number(BigInt(block.timestamp)) * 1000)
    assert.strictEqual(plan.expiresAt, oldest + 300_000)
    assert.strictEqual(plan.status, "prepared")
    assert.strictEqual(plan.revision, 0)
    assert.deepStrictEqual(plan.steps, [{ index: 0, state: "ready", blockedBy: [] }])
  })
})

describe("a plan at a head that is older than a plan lives", () => {
  it("is refused, and nothing of it is stored", async () => {
    const owner = await newPayer(bench)
    const body = contractCalls(owner, [payment(bench, owner.key.address)])
    const options = { idempotencyKey: freshNonce() }
    const old = `0x${(Math.floor(Date.now() / 1000) - 300).toString(16)}`
    const isHead = ({ method, params }: Question) =>
      method === "eth_getBlockByNumber" && params[0] === "latest"
    bench.proxy.fault({
      method: "eth_getBlockByNumber",
      within: questions => questions.some(isHead),
      phase: "after",
      act: {
        kind: "rewrite",
        rewrite: (question, block) => (isHead(question) ? { ...Object(block), timestamp: old } : undefined)
      }
    })
    const problem = await assertProblem(await requestPlan(bench.service, owner, body, options), "RPC_BEHIND")
    assert.isTrue(problem.retryable)
    assert.include(problem.detail, "older than a plan lives")
    assert.deepStrictEqual(
      await sql("SELECT 1 FROM idempotency_keys WHERE key = $1", [options.idempotencyKey]),
      []
    )
    assert.strictEqual((await requestPlan(bench.service, owner, body, options)).status, 201)
  })
})

const listed = async (party: Party, query = "") => {
  const answer = await signedFetch(bench.service, party, "GET", `/api/v1/plans${query}`)
  const page: { readonly items: ReadonlyArray<Plan>; readonly nextCursor: string | null } =
    await answer.json()
  assert.strictEqual(answer.status, 200, JSON.stringify(page))
  return page
}

const allOf = async (party: Party, limit: number, query = "") => {
  const ids: Array<string> = []
  let cursor: string | null = ""
  while (cursor !== null) {
    const page = await listed(party, `?limit=${limit}${query}${cursor === "" ? "" : `&cursor=${cursor}`}`)
    assert.isAtMost(page.items.length, limit)
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  }
  return ids
}

describe("the list of plans", () => {
  it("pages newest first, ties by id, each plan once, while others are made", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    await sql(
      `WITH copied AS (
        INSERT INTO plans (id, account, principal, operation, wallet, terms, commitment, created_at, expires_at)
        SELECT gen_random_uuid(), account, principal, operation, wallet, terms, commitment, created_at + copy / 4, expires_at
        FROM plans, generate_series(1, 22) copy WHERE id = $1 RETURNING id)
       INSERT INTO plan_steps (plan, step) SELECT id, 0 FROM copied`,
      [plan.id]
    )
    const rows = await sql(
      "SELECT id FROM plans WHERE account = (SELECT account FROM plans WHERE id = $1) ORDER BY created_at DESC, id DESC",
      [plan.id]
    )
    const expected = rows.map(({ id }) => id)
    for (const limit of [1, 3, 5, 23, 100]) assert.deepStrictEqual(await allOf(owner, limit), expected)
    const first = await listed(owner, "?limit=4")
    const late = await planned(bench, owner)
    await sql("UPDATE plans SET created_at = created_at + 10 WHERE id = $1", [late.id])
    const second = await listed(owner, `?limit=4&cursor=${first.nextCursor}`)
    assert.deepStrictEqual(
      [...first.items, ...second.items].map(({ id }) => id),
      expected.slice(0, 8)
    )
  })

  it("ends a page early rather than growing beyond what an answer may hold", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    await sql(
      `WITH copied AS (
        INSERT INTO plans (id, account, principal, operation, wallet, terms, commitment, created_at, expires_at)
        SELECT gen_random_uuid(), account, principal, operation, wallet,
          jsonb_set(terms::jsonb, '{warnings}', to_jsonb(array[repeat('w', 900000)]))::json, commitment, created_at, expires_at
        FROM plans, generate_series(1, 9) WHERE id = $1 RETURNING id)
       INSERT INTO plan_steps (plan, step) SELECT id, 0 FROM copied`,
      [plan.id]
    )
    const ids = await allOf(owner, 100)
    assert.strictEqual(ids.length, 10)
    assert.strictEqual(new Set(ids).size, 10)
  })

  it("shows the owner everything, a bot its own, and strangers nothing", async () => {
    const owner = await newPayer(bench)
    const stranger = await newPayer(bench)
    const bots = [await newRelayBot(bench, owner), await newRelayBot(bench, owner)]
    const own = await planned(bench, owner)
    const theirs = await Promise.all(bots.map(by => planned(bench, owner, { by })))
    assert.sameMembers(await allOf(owner, 2), [own.id, ...theirs.map(({ id }) => id)])
    for (const [index, bot] of bots.entries()) {
      assert.deepStrictEqual(await allOf(bot, 2), [theirs[index]?.id])
      const foreign = [own, ...theirs.filter((_, position) => position !== index)]
      for (const { id } of foreign) {
        await assertProblem(
          await signedFetch(bench.service, bot, "GET", `/api/v1/plans/${id}`),
          "PLAN_NOT_FOUND"
        )
        await assertProblem(
          await signedFetch(bench.service, bot, "GET", `/api/v1/plans/${id}?refresh=true`),
          "PLAN_NOT_FOUND"
        )
      }
    }
    assert.deepStrictEqual(await allOf(stranger, 2), [])
    await assertProblem(
      await signedFetch(bench.service, stranger, "GET", `/api/v1/plans/${own.id}`),
      "PLAN_NOT_FOUND"
    )
  })

  it("binds a cursor to the principal, the wallet and itself", async () => {
    const owner = await newPayer(bench)
    const bot = await newRelayBot(bench, owner)
    for (let index = 0; index < 3; index++) await planned(bench, owner, { by: bot })
    const { nextCursor: cursor } = await listed(owner, "?limit=1")
    const wallet = owner.key.address
    const [payload = "", tag = ""] = (cursor ?? "").split(".")
    const forged = `${Buffer.from('[9999999999999,"00000000-0000-4000-8000-000000000000"]').toString("base64url")}.${tag}`
    const flipped = `${payload}.${tag.slice(0, 20)}${tag.charAt(20) === "A" ? "B" : "A"}${tag.slice(21)}`
    const ended = `${payload}.${tag.startsWith("A") ? "B" : "A"}${tag.slice(1)}`
    const refused: ReadonlyArray<readonly [Party, string]> = [
      [bot, `?cursor=${cursor}`],
      [owner, `?cursor=${cursor}&account=${wallet}`],
      [owner, `?cursor=${forged}`],
      [owner, `?cursor=${flipped}`],
      [owner, `?cursor=${ended}`],
      [owner, `?cursor=${payload}`],
      [owner, "?cursor=x.y"],
      [owner, "?limit=0"],
      [owner, "?limit=101"],
      [owner, "?account=0x12"]
    ]
    for (const [party, query] of refused)
      await assertProblem(
        await signedFetch(bench.service, party, "GET", `/api/v1/plans${query}`),
        "INVALID_PARAMETER"
      )
    const toldOf = async (given: string) => {
      const answer = await signedFetch(bench.service, owner, "GET", `/api/v1/plans?cursor=${given}`)
      return (await assertProblem(answer, "INVALID_PARAMETER")).detail
    }
    assert.match(await toldOf(ended), /^The cursor has ended: /)
    assert.notMatch(await toldOf(flipped), /ended/)
    assert.strictEqual((await allOf(owner, 2, `&account=${wallet}`)).length, 3)
    assert.deepStrictEqual(await allOf(owner, 2, `&account=${bot.key.address}`), [])
  })

  it("asks no chain", async () => {
    const owner = await newPayer(bench)
    await planned(bench, owner)
    const asked = bench.proxy.roundTrips()
    await listed(owner)
    assert.strictEqual(bench.proxy.roundTrips(), asked)
  })
})

describe("scopes", () => {
  it("let only plan prepare plans", async () => {
    const owner = await newPayer(bench)
    const reader = await newBot(bench.service, owner)
    const body = contractCalls(owner, [payment(bench, owner.key.address)])
    const asked = bench.proxy.roundTrips()
    await assertProblem(await requestPlan(bench.service, reader, body), "FORBIDDEN")
    assert.strictEqual(bench.proxy.roundTrips(), asked)
  })
})
