/** A bot tips for a week under a session through the service, whose clock, database and chain pass the days together. */
import { afterAll, assert, it, vi } from "vitest"
import { assertProblem } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { NATIVE_TOKEN } from "../support/Sandbox.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { startOperatingBench } from "../useroperations/support/Operating.ts"
import { entryPointSays } from "./support/Guarded.ts"
import {
  askSessionOperation,
  type LiveSession,
  liveSession,
  PER_CALL,
  paymentPlan,
  shownOperationOf,
  shownSession,
  used
} from "./support/Operated.ts"
import { ownOperation } from "./support/OwnOperation.ts"

const bench = await startOperatingBench()
const { chain, sandbox, service } = bench

const realNow = Date.now.bind(Date)
let ahead = 0
const clock = vi.spyOn(Date, "now").mockImplementation(() => realNow() + ahead)

afterAll(async () => {
  clock.mockRestore()
  await bench.stop()
})

const DAY = 86_400
const DAYS = 7
const LIMIT = BigInt(DAYS + 1) * PER_CALL - 1n

/** Of the service and its database, so that what ends by the chain's second ends by that alone. */
const SECONDS_BEHIND = 120

/** The chain's next block is of that second. */
const comes = async (seconds: number) => {
  ahead = (seconds - SECONDS_BEHIND) * 1_000 - realNow()
  const now = `extract(epoch FROM clock_timestamp()) + ${ahead / 1_000}`
  for (const [name, unit] of [
    ["unix_millis", 1_000],
    ["unix_seconds", 1]
  ])
    await sqlOn(
      service.databaseUrl,
      `CREATE OR REPLACE FUNCTION ${name}() RETURNS bigint LANGUAGE sql VOLATILE AS $$ SELECT floor((${now}) * ${unit})::bigint $$`
    )
  await rpc(chain.url, "evm_setNextBlockTimestamp", [seconds])
  await rpc(chain.url, "evm_mine", [])
}

const tips = async (live: LiveSession, amount: bigint) => {
  const operation = await used(bench, live, { amount })
  await until(
    async () => {
      await mine(bench, 1)
      return shownOperationOf(bench, live.bot, operation)
    },
    ({ state }) => state === "confirmed"
  )
}

const refused = async (
  live: LiveSession,
  code: Parameters<typeof assertProblem>[1],
  amount: bigint
): Promise<unknown> => {
  const plan = await paymentPlan(bench, live, { amount })
  return (await assertProblem(await askSessionOperation(bench, live, plan), code)).context
}

const chainSays = async (live: LiveSession, amount: bigint) =>
  entryPointSays(sandbox, await ownOperation(bench, live, amount))

it("tips every day, and is refused a wei, a call and a second beyond by the service, and without it by the chain", {
  timeout: 240_000
}, async () => {
  const limit = String(LIMIT)
  const live = await liveSession(bench, {
    maximumCalls: DAYS + 1,
    action: { totalLimit: limit },
    allocations: [
      { id: "all", total: limit, allocations: [{ id: "tips", chainId: 31_337, asset: NATIVE_TOKEN, limit }] }
    ]
  })
  const unused = await liveSession(bench)
  const begins = live.session.validUntil - DAYS * DAY
  for (let day = 1; day <= DAYS; day++) {
    await tips(live, PER_CALL)
    if (day < DAYS) await comes(begins + day * DAY)
  }

  assert.deepInclude(await refused(live, "SESSION_BUDGET_EXHAUSTED", PER_CALL), {
    counter: "action:0",
    used: String(BigInt(DAYS) * PER_CALL),
    needed: String(PER_CALL),
    limit
  })
  assert.strictEqual(await chainSays(live, PER_CALL), "AA23 rule 33")

  await tips(live, PER_CALL - 2n)
  const calls = { counter: "calls", used: String(DAYS + 1), needed: "1", limit: String(DAYS + 1) }
  assert.deepInclude(await refused(live, "SESSION_BUDGET_EXHAUSTED", 1n), calls)
  assert.strictEqual(await chainSays(live, 1n), "AA23 rule 28")

  const ends = unused.session.validUntil
  await comes(ends - 60)
  const plan = await paymentPlan(bench, unused)
  assert.strictEqual((await askSessionOperation(bench, unused, plan)).status, 201)
  await comes(ends)
  const late = await assertProblem(await askSessionOperation(bench, unused, plan), "SESSION_NOT_ACTIVE")
  assert.deepInclude(late.context, { state: "expired" })
  assert.strictEqual(await chainSays(unused, PER_CALL), "accepted")
  await comes(ends + 1)
  assert.strictEqual(await chainSays(unused, PER_CALL), "AA22")
  assert.strictEqual((await shownSession(bench, unused.bot, unused.session)).state, "expired")
})
