/** A use of a session whose block leaves the chain: nothing is sent under the session until what is seen then is final. */
import { afterAll, afterEach, assert, describe, it } from "vitest"
import { assertProblem } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { until } from "../support/Until.ts"
import { startOperatingBench } from "../useroperations/support/Operating.ts"
import { stateAt } from "./support/Guarded.ts"
import {
  askSessionOperation,
  executedByBundler,
  type LiveSession,
  liveSession,
  PER_CALL,
  paymentPlan,
  sendByKey,
  sentByKey,
  sessionOperationOf,
  shownOperationOf,
  shownSession,
  used
} from "./support/Operated.ts"

const bench = await startOperatingBench()
const { chain, proxy, sandbox } = bench
afterAll(() => bench.stop())
afterEach(() => proxy.clearFaults())

const TIMEOUT = { timeout: 120_000 }
const FINAL = 300

const callsOf = async ({ session, wallet }: LiveSession) =>
  (await stateAt(sandbox, { permissionId: session.compiled.permissionId, account: wallet.address })).calls

describe("a use that a reorganisation takes back", TIMEOUT, () => {
  it("keeps the session from being used until that is over, and the wallet's nonce for its operation", async () => {
    const live = await liveSession(bench)
    await mine(bench, 10)
    const operation = await sessionOperationOf(bench, live)
    await sentByKey(bench, live, operation)
    await executedByBundler(bench, operation)
    await until(
      () => shownOperationOf(bench, live.bot, operation),
      ({ state }) => state === "confirmed" || state === "confirming"
    )
    const before = await shownSession(bench, live.bot, live.session)
    assert.strictEqual(before.observation?.counters.find(({ name }) => name === "calls")?.used, "1")

    await rpc(chain.url, "anvil_reorg", [8, []])
    assert.strictEqual(await callsOf(live), 0)
    const plan = await paymentPlan(bench, live)
    const { context } = await assertProblem(
      await askSessionOperation(bench, live, plan),
      "SESSION_NOT_ACTIVE"
    )
    assert.deepInclude(context, { state: "stale", reason: "reorg" })
    const { nextAction } = await until(
      () => shownOperationOf(bench, live.bot, operation),
      ({ state }) => state === "reorged"
    )
    assert.match(nextAction.reason ?? "", /until its session is over, or is revoked in a final block/)
    await shownSession(bench, live.bot, live.session)
    await mine(bench, FINAL)
    assert.strictEqual((await shownSession(bench, live.bot, live.session)).state, "active")
    const answer = await askSessionOperation(bench, live, plan)
    const next = await answer.json()
    assert.strictEqual(answer.status, 201, JSON.stringify(next))
    if (BigInt(next.operation.nonce) === BigInt(operation.operation.nonce))
      await assertProblem(await sendByKey(bench, live, next), "USER_OPERATION_NONCE_RESERVED")
  })
})

/** Its own node tells of another block whenever it is asked for the newest. */
const headIs = (told: unknown) =>
  proxy.fault({
    method: "eth_getBlockByNumber",
    phase: "after",
    times: 100,
    act: {
      kind: "rewrite",
      rewrite: ({ method, params: [asked] }) =>
        method === "eth_getBlockByNumber" && asked === "latest" ? told : undefined
    }
  })

describe("an endpoint that is behind", TIMEOUT, () => {
  it("takes nothing back, though it has the later block as well", async () => {
    const live = await liveSession(bench)
    const unused = await rpc(chain.url, "eth_getBlockByNumber", ["latest", false])
    await used(bench, live)
    const next = await sessionOperationOf(bench, live)
    const before = await shownSession(bench, live.bot, live.session)
    headIs(unused)
    await assertProblem(await sendByKey(bench, live, next), "SESSION_OBSERVATION_STALE")
    assert.deepEqual(await shownSession(bench, live.bot, live.session), before)
    proxy.clearFaults()
    assert.strictEqual((await shownSession(bench, live.bot, live.session)).state, "active")
    await sentByKey(bench, live, next)
    await executedByBundler(bench, next)
  })

  it("is not believed of a session that another look saw later", async () => {
    const live = await liveSession(bench)
    const operation = await sessionOperationOf(bench, live)
    await mine(bench, 5)
    await shownSession(bench, live.bot, live.session)
    const head = await rpc(chain.url, "eth_getBlockByNumber", ["latest", false])
    const number = BigInt(head.number) - 3n
    const old = await rpc(chain.url, "eth_getBlockByNumber", [`0x${number.toString(16)}`, false])
    proxy.fault({
      method: "eth_getBlockByNumber",
      phase: "after",
      times: 100,
      act: {
        kind: "rewrite",
        rewrite: ({ method, params: [asked] }) => {
          if (method !== "eth_getBlockByNumber") return undefined
          if (asked === "latest") return old
          return /^0x/.test(String(asked)) && BigInt(String(asked)) > number ? null : undefined
        }
      }
    })
    await assertProblem(await sendByKey(bench, live, operation), "SESSION_OBSERVATION_STALE")
    proxy.clearFaults()
    const answer = await sendByKey(bench, live, operation)
    assert.strictEqual(answer.status, 202, await answer.text())
    await executedByBundler(bench, operation)
  })
})

describe("what is used", TIMEOUT, () => {
  it("is counted to the last wei by the chain alone, whatever was stored", async () => {
    const live = await liveSession(bench, { action: { totalLimit: String(2n * PER_CALL) } })
    await used(bench, live)
    await used(bench, live)
    const plan = await paymentPlan(bench, live, { amount: 1n })
    await assertProblem(await askSessionOperation(bench, live, plan), "SESSION_BUDGET_EXHAUSTED")
    assert.strictEqual(await callsOf(live), 2)
  })
})
