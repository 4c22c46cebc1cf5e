/** What goes one beyond a limit of a session is refused by the service, before a bundler is asked for anything. */
import { toHex } from "viem"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { maximumCostOf } from "../../src/values/PackedOperation.ts"
import { revokeBot } from "../support/Bots.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { NATIVE_TOKEN } from "../support/Sandbox.ts"
import { boundWallet, startOperatingBench } from "../useroperations/support/Operating.ts"
import { carried } from "./support/Guarded.ts"
import {
  askSessionOperation,
  BENEFICIARY,
  GAS_LIMITS,
  type LiveSession,
  liveSession,
  type Paying,
  PER_CALL,
  paymentPlan,
  preparedSession,
  revokedByOwners,
  sendByKey,
  sessionBot,
  sessionOperationOf,
  terminal,
  used
} from "./support/Operated.ts"
import { ownOperation } from "./support/OwnOperation.ts"

const bench = await startOperatingBench()
const { bundling, chain, sandbox, service } = bench
afterAll(() => bench.stop())
afterEach(() => bundling.clearFaults())

const TIMEOUT = { timeout: 120_000 }

const asked = () =>
  bundling.records.filter(({ method }) => /^eth_(estimate|send)UserOperation/.test(method)).length

const refused = async (live: LiveSession, code: Parameters<typeof assertProblem>[1], paying: Paying = {}) => {
  const plan = await paymentPlan(bench, live, paying)
  const { context } = await assertProblem(
    await askSessionOperation(bench, live, plan, paying.by === undefined ? {} : { by: paying.by }),
    code
  )
  return context
}

/** Nobody is asked to estimate what the policy alone refuses. */
const refusedUnasked = async (...given: Parameters<typeof refused>) => {
  const before = asked()
  const context = await refused(...given)
  assert.strictEqual(asked(), before)
  return context
}

describe("a call beyond the policy", TIMEOUT, () => {
  let live: LiveSession
  beforeAll(async () => {
    live = await liveSession(bench)
  }, 90_000)

  const args = (over: Readonly<Record<number, string>>) =>
    ["2", NATIVE_TOKEN, String(PER_CALL), BENEFICIARY, "0", "", "0x"].map((each, at) => over[at] ?? each)
  const value = String(PER_CALL)

  it.each<readonly [what: string, paying: Paying, rule: number]>([
    ["with a wei more than a call may", { amount: PER_CALL + 1n }, 33],
    ["for somebody else", { call: { args: args({ 3: terminal }), value } }, 31],
    ["to another project", { call: { args: args({ 0: "1" }), value } }, 31],
    ["for a token back", { call: { args: args({ 4: "1" }), value } }, 31],
    ["with a memo of a byte", { call: { args: args({ 5: "t" }), value } }, 30],
    ["with another value than its amount", { call: { value: String(PER_CALL - 1n) } }, 32]
  ])("%s", async (_, paying, rule) => {
    assert.deepStrictEqual(await refusedUnasked(live, "SESSION_CALL_REFUSED", paying), { rule })
  })
})

describe("what is left", TIMEOUT, () => {
  it("of an action, to the last wei", async () => {
    const live = await liveSession(bench, { action: { totalLimit: String(PER_CALL + 500n) } })
    await used(bench, live)
    assert.deepStrictEqual(await refusedUnasked(live, "SESSION_BUDGET_EXHAUSTED", { amount: 501n }), {
      counter: "action:0",
      used: String(PER_CALL),
      needed: "501",
      limit: String(PER_CALL + 500n)
    })
    await used(bench, live, { amount: 500n })
  })

  it("of calls that were used outside the service, too", async () => {
    const live = await liveSession(bench, { maximumCalls: 1 })
    await carried(sandbox, [await ownOperation(bench, live, 1n)])
    const context = await refusedUnasked(live, "SESSION_BUDGET_EXHAUSTED")
    assert.deepStrictEqual(context, { counter: "calls", used: "1", needed: "1", limit: "1" })
  })

  it.each([
    ["gas", { totalGasLimit: "1500000" }],
    ["cost", { totalCostLimit: String(1_500_000n * 5n * 10n ** 9n), maxFeePerGas: String(5n * 10n ** 9n) }]
  ])("of %s, by what the operations may use at most", async (counter, gas) => {
    const live = await liveSession(bench, { gas: { maxGasPerOperation: "1500000", ...gas } })
    const limit = BigInt(Object.values(gas)[0] ?? 0)
    let spent = 0n
    for (;;) {
      const plan = await paymentPlan(bench, live, { amount: 1n })
      const answer = await askSessionOperation(bench, live, plan)
      if (answer.status !== 201) {
        const { context } = await assertProblem(answer, "SESSION_BUDGET_EXHAUSTED")
        assert.deepInclude(context, { counter, used: String(spent), limit: String(limit) })
        assert.isTrue(spent > 0n)
        assert.isTrue(spent + BigInt(String(context?.needed)) > limit)
        return
      }
      const { operation } = await used(bench, live, { amount: 1n })
      const cost = maximumCostOf(operation)
      spent += counter === "cost" ? cost : cost / BigInt(operation.maxFeePerGas)
      assert.isTrue(spent <= limit)
    }
  })

  it("of one operation's gas and fee", async () => {
    const little = await liveSession(bench, { gas: { maxGasPerOperation: "400000" } })
    assert.deepStrictEqual(await refused(little, "SESSION_CALL_REFUSED"), { rule: 26 })
    const cheap = await liveSession(bench, { gas: { maxFeePerGas: "1", maxPriorityFeePerGas: "1" } })
    assert.deepInclude(await refusedUnasked(cheap, "SESSION_CALL_REFUSED"), { rule: 26 })
  })

  it("of gas is not reached by what makes operations differ", async () => {
    const { id, operation } = await sessionOperationOf(bench, await liveSession(bench))
    const gas = maximumCostOf(operation) / BigInt(operation.maxFeePerGas) - BigInt(`0x${id.slice(0, 3)}`)
    const narrow = await liveSession(bench, { gas: { maxGasPerOperation: String(gas + 1_000n) } })
    for (let amount = 1n; amount <= 8n; amount++) await sessionOperationOf(bench, narrow, { amount })
  })

  it("of the fee gives way to the policy before it refuses", async () => {
    const live = await liveSession(bench)
    const { operation } = await sessionOperationOf(bench, live)
    const [fee, priority] = [BigInt(operation.maxFeePerGas), BigInt(operation.maxPriorityFeePerGas)]
    const ceiling = fee - 1n
    const narrow = await liveSession(bench, {
      gas: { maxFeePerGas: String(ceiling), maxPriorityFeePerGas: String(ceiling) }
    })
    const halfwayUp = ((fee - priority) * 3n) / 4n
    await rpc(bench.chain.url, "anvil_setNextBlockBaseFeePerGas", [toHex(halfwayUp)])
    await mine(bench)
    const within = await sessionOperationOf(bench, narrow)
    assert.strictEqual(BigInt(within.operation.maxFeePerGas), ceiling)
    assert.isTrue(BigInt(GAS_LIMITS.maxFeePerGas) > ceiling)
  })
})

describe("a session that is not active", TIMEOUT, () => {
  it("has no operations before its owners enabled it", async () => {
    const bound = await boundWallet(bench)
    const bot = await sessionBot(bench, bound.owner)
    const session = await preparedSession(bench, bound, bot)
    const live = { ...bound, bot, session }
    assert.deepInclude(await refusedUnasked(live, "SESSION_NOT_ACTIVE"), { state: "prepared" })
  })

  it("has none once its owners revoked it, by a transaction that the service knows nothing of", async () => {
    const live = await liveSession(bench)
    const operation = await sessionOperationOf(bench, live)
    await revokedByOwners(bench, live)
    assert.deepInclude(await refusedUnasked(live, "SESSION_NOT_ACTIVE"), { state: "revoked" })
    const { context } = await assertProblem(await sendByKey(bench, live, operation), "SESSION_NOT_ACTIVE")
    assert.deepInclude(context, { state: "revoked" })
  })

  it("has none once its grant is revoked, whoever asks", async () => {
    const live = await liveSession(bench)
    const operation = await sessionOperationOf(bench, live, { by: live.owner })
    const plan = await paymentPlan(bench, live, { by: live.owner })
    await revokeBot(service, live.owner, live.bot)
    const stale = { state: "stale", reason: "grant-inactive" }
    for (const answer of [
      await askSessionOperation(bench, live, plan, { by: live.owner }),
      await sendByKey(bench, live, operation, { by: live.owner })
    ])
      assert.deepInclude((await assertProblem(answer, "SESSION_NOT_ACTIVE")).context, stale)
    await assertProblem(await askSessionOperation(bench, live, plan), "FORBIDDEN")
  })

  it("has none until ten seconds after it begins, and has one then", async () => {
    const { timestamp } = await sandbox.client.getBlock()
    const validAfter = Number(timestamp) + 120
    const live = await liveSession(bench, { validAfter })
    const plan = await paymentPlan(bench, live)
    const at = (seconds: number) =>
      rpc(chain.url, "evm_setNextBlockTimestamp", [seconds]).then(() => rpc(chain.url, "evm_mine", []))
    for (const timestamp of [validAfter - 1, validAfter, validAfter + 9]) {
      await at(timestamp)
      const { context } = await assertProblem(
        await askSessionOperation(bench, live, plan),
        "SESSION_NOT_ACTIVE"
      )
      assert.deepStrictEqual(context, { state: "active", validAfter, timestamp: String(timestamp) })
    }
    await at(validAfter + 10)
    const answer = await askSessionOperation(bench, live, plan)
    assert.strictEqual(answer.status, 201, await answer.text())
  })
})
