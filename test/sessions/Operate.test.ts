/** A bot acts for a wallet under its session, through the service and the real bundler, and its guard counts exactly that. */
import { createHash } from "node:crypto"
import { hashMessage } from "viem"
import { afterAll, afterEach, assert, describe, it } from "vitest"
import { committedOperationText } from "../../src/useroperations/CommittedOperation.ts"
import type { PublicUserOperation } from "../../src/useroperations/PublicUserOperation.ts"
import { maximumCostOf, operationHash } from "../../src/values/PackedOperation.ts"
import { ENTRY_POINT, GUARD } from "../smartaccounts/support/Wallets.ts"
import { enroll } from "../support/Bots.ts"
import { payment } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { newOwner, signedFetch } from "../support/SignedFetch.ts"
import { until } from "../support/Until.ts"
import {
  askOperation,
  boundWallet,
  preparedOperation,
  startOperatingBench,
  timesSent,
  walletPlan
} from "../useroperations/support/Operating.ts"
import {
  askSessionOperation,
  BENEFICIARY,
  executedByBundler,
  liveSession,
  PER_CALL,
  paymentPlan,
  sendByKey,
  sentByKey,
  sessionBot,
  sessionOperationOf,
  shownOperationOf,
  shownSession,
  signedByKey,
  used
} from "./support/Operated.ts"

const bench = await startOperatingBench()
const { service, sandbox, bundling, proxy } = bench
afterAll(() => bench.stop())
afterEach(() => bundling.clearFaults())

const TIMEOUT = { timeout: 120_000 }

const gasOf = ({ operation }: PublicUserOperation): bigint =>
  maximumCostOf(operation) / BigInt(operation.maxFeePerGas)

const countersOf = async (live: Awaited<ReturnType<typeof liveSession>>) => {
  const { observation } = await shownSession(bench, live.bot, live.session)
  return Object.fromEntries((observation?.counters ?? []).map(({ name, used }) => [name, BigInt(used)]))
}

describe("an operation of a session", TIMEOUT, () => {
  it("is prepared by its bot, signed by its key, carried by the bundler, proved, and counted exactly", async () => {
    const live = await liveSession(bench)
    const before = await sandbox.client.getBalance({ address: live.wallet.address })
    const operation = await sessionOperationOf(bench, live)
    const told = await sentByKey(bench, live, operation)
    assert.strictEqual(told.state, "pending")
    await executedByBundler(bench, operation)
    await mine(bench)
    const shown = await until(
      () => shownOperationOf(bench, live.bot, operation),
      ({ state }) => state === "confirmed"
    )
    assert.strictEqual(shown.observation?.semantic?.status, "verified")
    assert.strictEqual(timesSent(bench, { ...operation, signing: Object(operation.signing) }), 1)
    const cost = BigInt(shown.observation?.actualGasCost ?? 0)
    const after = await sandbox.client.getBalance({ address: live.wallet.address })
    const deposit = before - after - PER_CALL
    assert.isAtLeast(Number(deposit), Number(cost))
    assert.deepStrictEqual(await countersOf(live), {
      calls: 1n,
      gas: gasOf(operation),
      cost: maximumCostOf(operation.operation),
      "action:0": PER_CALL,
      "allocation:tips": PER_CALL
    })
  })

  it("says what its key signs, by which session, and what both commit to", async () => {
    const live = await liveSession(bench)
    const { bot, session } = live
    const { compiled } = session
    const told = await sessionOperationOf(bench, live)
    const { operation, signing } = told
    assert.deepStrictEqual(told.session, {
      id: session.id,
      compiledHash: compiled.compiledHash,
      generation: "1",
      grantId: bot.grantId,
      permissionId: compiled.permissionId,
      sessionKey: bot.key.address
    })
    const hash = operationHash(operation, { chainId: 31_337, entryPoint: ENTRY_POINT })
    assert.deepStrictEqual(signing, {
      scheme: "eip191-session-operation",
      operationHash: hash,
      digest: hashMessage({ raw: hash }),
      message: { raw: hash },
      permissionId: compiled.permissionId,
      signaturePrefix: `0x01${compiled.permissionId.slice(2)}${((compiled.encodedPolicy.length - 2) / 2)
        .toString(16)
        .padStart(8, "0")}${compiled.encodedPolicy.slice(2)}`
    })
    assert.strictEqual(BigInt(operation.nonce), BigInt(GUARD) << 96n)
    assert.isAtMost(told.expiresAt, told.createdAt + 300_000)
    const { validAfter, validUntil } = session
    const text = committedOperationText(
      { ...told, signing: { validAfter, validUntil } },
      { accountId: bot.accountId, principalId: `bot:${bot.grantId}` }
    )
    assert.strictEqual(told.commitment, `0x${createHash("sha256").update(text).digest("hex")}`)
    assert.strictEqual(told.maximumCost, String(maximumCostOf(operation)))
    assert.include(text, compiled.compiledHash)
  })

  it("is prepared by the owner too, and signed by the same key alone", async () => {
    const live = await liveSession(bench)
    const operation = await sessionOperationOf(bench, live, { by: live.owner })
    await assertProblem(
      await sendByKey(bench, { bot: { ...live.bot, key: newOwner().key } }, operation, { by: live.owner }),
      "SESSION_SIGNATURE_MISMATCH"
    )
    const answer = await sendByKey(bench, live, operation, { by: live.owner })
    assert.strictEqual(answer.status, 202, await answer.text())
    await executedByBundler(bench, operation)
  })

  it("follows another one, and the last call is the last", async () => {
    const live = await liveSession(bench, { maximumCalls: 2 })
    const first = await used(bench, live)
    const second = await used(bench, live)
    assert.strictEqual(BigInt(second.operation.nonce), BigInt(first.operation.nonce) + 1n)
    assert.strictEqual(await sandbox.client.getBalance({ address: BENEFICIARY }), 0n)
    const plan = await paymentPlan(bench, live)
    const problem = await assertProblem(
      await askSessionOperation(bench, live, plan),
      "SESSION_BUDGET_EXHAUSTED"
    )
    assert.deepStrictEqual(problem.context, { counter: "calls", used: "2", needed: "1", limit: "2" })
  })

  it("takes as many round trips as an owners' operation", async () => {
    const live = await liveSession(bench)
    const plans = [await walletPlan(bench, live), await paymentPlan(bench, live)] as const
    const trips = async <A>(act: () => Promise<A>) => {
      const before = [proxy.roundTrips(), bundling.roundTrips()]
      const made = await act()
      return {
        made,
        took: [proxy.roundTrips(), bundling.roundTrips()].map((now, at) => now - (before[at] ?? 0))
      }
    }
    const owners = await trips(() => preparedOperation(service, live.owner, plans[0]))
    const keys = await trips(async () => (await askSessionOperation(bench, live, plans[1])).json())
    assert.deepStrictEqual(keys.took, owners.took)
    const { took } = await trips(() => sentByKey(bench, live, keys.made))
    assert.isAtMost(took[0] ?? 0, 3)
    await executedByBundler(bench, keys.made)
  })

  it("leaves the owners' own operations as they are", async () => {
    const live = await liveSession(bench)
    const operation = await preparedOperation(service, live.owner, await walletPlan(bench, live))
    assert.strictEqual(operation.operation.nonce, "0x0")
    assert.notProperty(operation, "session")
  })

  it("is sent again by the same key alone, and answered from storage", async () => {
    const live = await liveSession(bench)
    const operation = await sessionOperationOf(bench, live)
    const idempotencyKey = `0x${"5e".repeat(16)}`
    const first = await sendByKey(bench, live, operation, { idempotencyKey })
    const again = await sendByKey(bench, live, operation, { idempotencyKey })
    assert.deepStrictEqual([first.status, again.status], [202, 202])
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    await assertProblem(await sendByKey(bench, live, operation), "USER_OPERATION_CONFLICT")
    await executedByBundler(bench, operation)
  })
})

describe("whom a session is for", TIMEOUT, () => {
  it("nobody else knows of: a foreign one and none are answered alike", async () => {
    const live = await liveSession(bench)
    const other = await sessionBot(bench, live.owner)
    const foreign = await boundWallet(bench)
    const plan = await paymentPlan(bench, live, { by: other })
    const none = { sessionId: "00000000-0000-4000-8000-000000000000" }
    await assertProblem(await askSessionOperation(bench, live, plan, { by: other }), "SESSION_NOT_FOUND")
    await assertProblem(
      await askSessionOperation(bench, live, plan, { by: other, ...none }),
      "SESSION_NOT_FOUND"
    )
    const theirs = await walletPlan(bench, foreign)
    await assertProblem(
      await askSessionOperation(bench, live, theirs, { by: foreign.owner }),
      "SESSION_NOT_FOUND"
    )
  })

  it("and for which wallet", async () => {
    const live = await liveSession(bench)
    const plan = await walletPlan(bench, await boundWallet(bench))
    const stranger = newOwner()
    await enroll(service, stranger)
    await assertProblem(
      await askOperation(service, stranger, {
        planId: plan.id,
        stepIndexes: [0],
        sessionId: live.session.id
      }),
      "PLAN_NOT_FOUND"
    )
  })

  it("has one step", async () => {
    const live = await liveSession(bench)
    const calls = [payment(bench, BENEFICIARY), payment(bench, BENEFICIARY)]
    const plan = await walletPlan(bench, live, { by: live.bot, calls })
    const problem = await assertProblem(
      await askSessionOperation(bench, live, plan, { stepIndexes: [0, 1] }),
      "INVALID_INPUT"
    )
    assert.include(JSON.stringify(problem), "stepIndexes")
  })
})

describe("its envelope", TIMEOUT, () => {
  it("stands in no answer, and is taken as it was prepared alone", async () => {
    const live = await liveSession(bench)
    const operation = await sessionOperationOf(bench, live)
    const signature = await signedByKey(operation, live.bot)
    const key = `0x${signature.slice(-130)}`
    const send = (given: string) =>
      signedFetch(service, live.bot, "POST", `/api/v1/user-operations/${operation.id}/submissions`, {
        body: { signature: given },
        idempotencyKey: `0x${"7e".repeat(16)}`
      })
    await assertProblem(await send(key), "INVALID_ENVELOPE")
    await assertProblem(await send(`0x02${signature.slice(4)}`), "INVALID_ENVELOPE")
    assert.strictEqual(timesSent(bench, { ...operation, signing: Object(operation.signing) }), 0)
    const answer = await send(signature)
    assert.notInclude(await answer.text(), signature.slice(-130))
    assert.notInclude(
      JSON.stringify(await shownOperationOf(bench, live.owner, operation)),
      signature.slice(-130)
    )
    await executedByBundler(bench, operation)
  })
})
