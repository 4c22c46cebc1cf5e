import { afterAll, assert, describe, it } from "vitest"
import { bindToOperations } from "../support/BoundOperation.ts"
import { callOf, hopelessPayment, planned } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine, newPayer, newRelayBot, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { hashOf, signCall } from "../support/SignedCalls.ts"
import { freshNonce, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, shown, submit, submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const sql = (text: string, values: ReadonlyArray<unknown> = []) =>
  sqlOn(bench.service.databaseUrl, text, values)

/** A refusal leaves the step, the nonce and the key as they were. */
const refused = async (
  owner: Party,
  plan: { readonly id: string },
  raw: string,
  code: string,
  options: { readonly step?: number } = {}
) => {
  const idempotencyKey = freshNonce()
  const answer = await submit(
    bench.service,
    owner,
    plan,
    { rawSignedTransaction: raw },
    { idempotencyKey, ...options }
  )
  const problem = await assertProblem(answer, code)
  assert.strictEqual(timesSent(bench, raw), 0)
  for (const table of ["transport_bindings", "reserved_nonces", "dispatch_leases", "owner_approvals"])
    assert.deepStrictEqual(
      await sql(`SELECT 1 FROM ${table} WHERE plan = $1 AND step = $2`, [plan.id, options.step ?? 0]),
      [],
      table
    )
  assert.deepStrictEqual(await sql("SELECT 1 FROM idempotency_keys WHERE key = $1", [idempotencyKey]), [])
  return problem
}

describe("a nonce that is not the pending one", () => {
  it("is refused in the future and in the past", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const future = await refused(
      owner,
      plan,
      await signCall(bench, owner, callOf(plan), { nonce: 1 }),
      "NONCE_NOT_READY"
    )
    assert.deepStrictEqual(future.context, { signed: "1", latest: "0", pending: "0" })
    assert.isTrue(future.retryable)
    await rpc(bench.chain.url, "anvil_setNonce", [owner.key.address, "0x3"])
    const past = await refused(
      owner,
      plan,
      await signCall(bench, owner, callOf(plan), { nonce: 2 }),
      "NONCE_NOT_READY"
    )
    assert.deepStrictEqual(past.context, { signed: "2", latest: "3", pending: "3" })
    assert.isFalse(past.retryable)
    assert.include(past.detail, "look at what the wallet sent")
  })
})

describe("the wallet's means", () => {
  it("must cover value and gas at the fee cap", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    await rpc(bench.chain.url, "anvil_setBalance", [
      owner.key.address,
      `0x${(10n ** 17n + 999n).toString(16)}`
    ])
    const problem = await refused(owner, plan, raw, "INSUFFICIENT_BALANCE")
    assert.deepStrictEqual(problem.context, {
      balance: String(10n ** 17n + 999n),
      maximumCost: String(10n ** 17n + 1_000n)
    })
    await rpc(bench.chain.url, "anvil_setBalance", [
      owner.key.address,
      `0x${(10n ** 17n + 1_000n).toString(16)}`
    ])
    assert.strictEqual(
      (await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })).dispatch.status,
      "submitted"
    )
  })

  it("must offer the base fee", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan), { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n })
    await refused(owner, plan, raw, "SIGNED_FEE_BELOW_BASE_FEE")
  })

  it("must give as much gas as the call needs", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const problem = await refused(
      owner,
      plan,
      await signCall(bench, owner, callOf(plan), { gas: 60_000n }),
      "SIGNED_GAS_TOO_LOW"
    )
    assert.isAbove(Number(problem.context?.estimated), 60_000)
  })
})

describe("a call that reverts", () => {
  it("is refused in the words of its ABI and reserves nothing", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner, { calls: [hopelessPayment(bench, owner.key.address)] })
    const problem = await refused(
      owner,
      plan,
      await signCall(bench, owner, callOf(plan)),
      "SIMULATION_REVERTED"
    )
    assert.isDefined(problem.context?.revert)
    assert.match(problem.detail, /^The call reverts with JBMultiTerminal_UnderMin\(/)
    assert.isFalse(problem.retryable)
  })
})

describe("evidence", () => {
  it("must still be canonical", async () => {
    const owner = await newPayer(bench)
    await mine(bench, 3)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    await rpc(bench.chain.url, "anvil_reorg", [2, []])
    await refused(owner, plan, raw, "PLAN_EVIDENCE_REORGED")
  })

  it("is not gone where the node is behind it", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    await mine(bench, 1)
    const raw = await signCall(bench, owner, callOf(plan))
    const number = `0x${Number(plan.evidence[0]?.blockNumber).toString(16)}`
    const isItsBlock = ({ method, params }: Question) =>
      method === "eth_getBlockByNumber" && params[0] === number
    bench.proxy.fault({
      method: "eth_getBlockByNumber",
      within: questions => questions.some(isItsBlock),
      phase: "after",
      act: { kind: "rewrite", rewrite: question => (isItsBlock(question) ? null : undefined) }
    })
    const problem = await refused(owner, plan, raw, "RPC_BEHIND")
    assert.isTrue(problem.retryable)
    const { dispatch } = await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })
    assert.strictEqual(dispatch.status, "submitted")
  })
})

describe("bindings", () => {
  it("refuse other bytes for good, before a chain is asked", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })
    const other = await signCall(bench, owner, callOf(plan), { nonce: 0, gas: 900_000n })
    const asked = bench.proxy.roundTrips()
    const problem = await assertProblem(
      await submit(bench.service, owner, plan, { rawSignedTransaction: other }),
      "STEP_ALREADY_BOUND"
    )
    assert.deepStrictEqual(problem.context, { transactionHash: hashOf(raw) })
    assert.strictEqual(bench.proxy.roundTrips(), asked)
    assert.strictEqual(timesSent(bench, other), 0)
  })

  it("refuse another transport", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })
    await bindToOperations(bench.service.databaseUrl, plan.id)
    await assertProblem(
      await submit(bench.service, owner, plan, { rawSignedTransaction: raw }),
      "TRANSPORT_CONFLICT"
    )
  })

  it("hold a nonce after the step was confirmed and against other accounts of the same wallet", async () => {
    const owner = await newPayer(bench)
    const elsewhere: Party = {
      ...owner,
      chainId: 1,
      accountId: owner.accountId.replace("eip155:31337:", "eip155:1:")
    }
    assert.strictEqual(
      (await signedFetch(bench.service, elsewhere, "POST", "/api/v1/accounts/enroll", { body: {} })).status,
      200
    )
    const plan = await planned(bench, owner)
    const other = await planned(bench, elsewhere)
    bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: { kind: "drop" } })
    await submitted(bench.service, owner, plan, {
      rawSignedTransaction: await signCall(bench, owner, callOf(plan))
    })
    await refused(
      elsewhere,
      other,
      await signCall(bench, owner, callOf(other), { nonce: 0, gas: 900_000n }),
      "NONCE_RESERVED"
    )
  })
})

describe("a step whose end is known", () => {
  it("is not sent again when the node has forgotten it", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })
    await mine(bench)
    assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
    await sql("UPDATE dispatch_leases SET expires_at = 0 WHERE plan = $1", [plan.id])
    bench.proxy.fault({
      method: "eth_getTransactionByHash",
      phase: "after",
      act: { kind: "result", result: null }
    })
    const answer = await submit(bench.service, owner, plan, { rawSignedTransaction: raw })
    await assertProblem(answer, "STEP_STATE_UNCERTAIN")
    assert.strictEqual(timesSent(bench, raw), 1)
  })
})

describe("paths", () => {
  it("must name a plan and a step of the principal's own", async () => {
    const owner = await newPayer(bench)
    const stranger = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    const body = { rawSignedTransaction: raw }
    await assertProblem(await submit(bench.service, stranger, plan, body), "PLAN_NOT_FOUND")
    await assertProblem(
      await submit(bench.service, owner, { id: "00000000-0000-4000-8000-000000000000" }, body),
      "PLAN_NOT_FOUND"
    )
    await assertProblem(await submit(bench.service, owner, { id: "plan" }, body), "INVALID_PARAMETER")
    await assertProblem(await submit(bench.service, owner, plan, body, { step: 1 }), "STEP_NOT_FOUND")
    await assertProblem(await submit(bench.service, owner, plan, body, { step: 32 }), "INVALID_PARAMETER")
  })

  it("lets the owner read a bot's plan and not dispatch from it", async () => {
    const owner = await newPayer(bench)
    const bot = await newRelayBot(bench, owner)
    const plan = await planned(bench, owner, { by: bot })
    assert.deepStrictEqual((await shown(bench.service, owner, plan)).id, plan.id)
    const body = { rawSignedTransaction: await signCall(bench, owner, callOf(plan)) }
    await assertProblem(await submit(bench.service, owner, plan, body), "PLAN_NOT_FOUND")
  })

  it("must carry an idempotency key and the scope", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const target = `/api/v1/plans/${plan.id}/steps/0/submissions`
    const body = { rawSignedTransaction: await signCall(bench, owner, callOf(plan)) }
    await assertProblem(
      await signedFetch(bench.service, owner, "POST", target, { body }),
      "IDEMPOTENCY_REQUIRED"
    )
  })
})
