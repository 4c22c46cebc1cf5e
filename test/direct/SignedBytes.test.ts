import { type Hex, parseTransaction, serializeTransaction } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { callOf, planned, stepOf } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { newPayer, startRelayBench } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { pendingNonce, signCall } from "../support/SignedCalls.ts"
import { freshNonce, newOwner } from "../support/SignedFetch.ts"
import { shown, submit, submitted } from "../support/Submissions.ts"

const BOUNDS = {
  ttlSeconds: 300,
  maximumGas: 2_000_000n,
  maximumFeePerGas: 200_000_000_000n,
  maximumTransactionCost: 3n * 10n ** 17n,
  maximumRawBytes: 4_096,
  maximumAccessListItems: 3
}

const bench = await startRelayBench({ settings: { plans: BOUNDS } })
const owner = await newPayer(bench)
const plan = await planned(bench, owner)

afterAll(() => bench.stop())

const refused = async (rawSignedTransaction: unknown, code: string, trips = 0) => {
  const asked = bench.proxy.roundTrips()
  const problem = await assertProblem(
    await submit(bench.service, owner, plan, { rawSignedTransaction }),
    code
  )
  assert.strictEqual(bench.proxy.roundTrips() - asked, trips, "of the chain")
  const step = stepOf(await shown(bench.service, owner, plan))
  assert.strictEqual(step.state, "ready")
  assert.notProperty(step, "transaction")
  assert.notProperty(step, "dispatch")
  return problem
}

describe("bytes that are no transaction", () => {
  it.each(["", "0x", "0x0", "02ff", "0xzz", "0x00", "0x02", "0x02c0", `0x02f8${"00".repeat(40)}`, "0xc0"])(
    "are refused: %s",
    async bytes => {
      const answer = await submit(bench.service, owner, plan, { rawSignedTransaction: bytes })
      const problem = await assertProblem(
        answer,
        bytes === "0x00" ? "UNSUPPORTED_TRANSACTION_TYPE" : "INVALID_SIGNED_TRANSACTION"
      )
      assert.isFalse(problem.retryable)
    }
  )

  it("are refused when they go on after the end", async () => {
    await refused(`${await signCall(bench, owner, callOf(plan))}00`, "INVALID_SIGNED_TRANSACTION")
  })

  it("are refused above the size bound", async () => {
    const raw = await signCall(bench, owner, callOf(plan), { data: `0x${"ab".repeat(4_096)}` })
    await refused(raw, "INVALID_SIGNED_TRANSACTION")
  })

  it("are refused as JSON of another type", async () => {
    await assertProblem(
      await submit(bench.service, owner, plan, { rawSignedTransaction: 7 }),
      "INVALID_INPUT"
    )
    await assertProblem(await submit(bench.service, owner, plan, {}), "INVALID_INPUT")
    const raw = await signCall(bench, owner, callOf(plan))
    await assertProblem(
      await submit(bench.service, owner, plan, { rawSignedTransaction: raw, more: true }),
      "INVALID_INPUT"
    )
  })
})

describe("signatures", () => {
  const withSignature = async (r: Hex, s: Hex) => {
    const { r: _r, s: _s, v: _v, ...unsigned } = parseTransaction(await signCall(bench, owner, callOf(plan)))
    return serializeTransaction(unsigned, { r, s, yParity: 0 })
  }
  const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`

  it("are refused with a high s", async () => {
    const { r, s } = parseTransaction(await signCall(bench, owner, callOf(plan)))
    assert.isDefined(r)
    const high = word(ORDER - BigInt(s ?? 0))
    await refused(await withSignature(r ?? "0x", high), "INVALID_TRANSACTION_SIGNATURE")
  })

  it("are refused with r beyond the order", async () => {
    await refused(await withSignature(word(ORDER), word(1n)), "INVALID_TRANSACTION_SIGNATURE")
  })
})

describe("transaction types", () => {
  const base = async () => {
    const call = callOf(plan)
    const nonce = await pendingNonce(bench, owner.key.address)
    return { to: call.to, data: call.data, value: BigInt(call.value), nonce, gas: 1_000_000n }
  }

  it("refuses a legacy transaction without replay protection", async () => {
    const raw = await owner.key.signTransaction({ type: "legacy", gasPrice: 10n ** 10n, ...(await base()) })
    await refused(raw, "UNSUPPORTED_TRANSACTION_TYPE")
  })

  it("refuses the creation of a contract", async () => {
    const { to: _to, ...creation } = await base()
    const raw = await owner.key.signTransaction({
      type: "eip1559",
      chainId: 31337,
      maxFeePerGas: 10n ** 10n,
      ...creation
    })
    await refused(raw, "UNSUPPORTED_TRANSACTION_TYPE")
  })

  it("refuses EIP-7702", async () => {
    const call = await base()
    const authorization = await owner.key.signAuthorization({
      contractAddress: call.to,
      chainId: 31337,
      nonce: 0
    })
    const raw = await owner.key.signTransaction({
      type: "eip7702",
      chainId: 31337,
      authorizationList: [authorization],
      maxFeePerGas: 10n ** 10n,
      ...call
    })
    await refused(raw, "UNSUPPORTED_TRANSACTION_TYPE")
  })

  it("refuses blobs", async () => {
    await refused("0x03c0", "UNSUPPORTED_TRANSACTION_TYPE")
  })

  it("relays legacy transactions with replay protection and EIP-2930 ones", async () => {
    for (const type of ["legacy", "eip2930"] as const) {
      const payer = await newPayer(bench)
      const own = await planned(bench, payer)
      const call = callOf(own)
      const raw = await payer.key.signTransaction({
        type,
        chainId: 31337,
        to: call.to,
        data: call.data,
        value: BigInt(call.value),
        nonce: 0,
        gas: 1_000_000n,
        gasPrice: 10n ** 11n
      })
      const { dispatch, plan: told } = await submitted(bench.service, payer, own, {
        rawSignedTransaction: raw
      })
      assert.strictEqual(dispatch.status, "submitted")
      assert.strictEqual(stepOf(told).transaction?.type, type)
    }
  })

  it("refuses a priority fee above the fee cap", async () => {
    const raw = await signCall(bench, owner, callOf(plan))
    const { r, s, yParity } = parseTransaction(raw)
    const { to, data, value } = callOf(plan)
    const fields = { to, data, value: BigInt(value), nonce: 0, gas: 1_000_000n, chainId: 31337 }
    const signed = serializeTransaction(
      { type: "eip1559", ...fields, maxFeePerGas: 5n, maxPriorityFeePerGas: 5n },
      { r: r ?? "0x", s: s ?? "0x", yParity: yParity ?? 0 }
    )
    const swapped = signed.replace("0505830f4240", "0605830f4240")
    assert.notStrictEqual(swapped, signed)
    await refused(swapped, "INVALID_FEE_ENVELOPE")
  })
})

describe("another call than the planned one", () => {
  const mismatch = async (raw: Hex, members: ReadonlyArray<string>) => {
    const problem = await refused(raw, "SIGNED_PLAN_MISMATCH")
    assert.deepStrictEqual(problem.context, { members })
  }

  it("is refused for each member that differs", async () => {
    const call = callOf(plan)
    await mismatch(await signCall(bench, owner, call, { chainId: 1 }), ["chainId"])
    await mismatch(await signCall(bench, newOwner(), call, { nonce: 0 }), ["sender"])
    await mismatch(await signCall(bench, owner, call, { to: owner.key.address }), ["to"])
    await mismatch(await signCall(bench, owner, call, { data: `${call.data}00` }), ["data"])
    await mismatch(await signCall(bench, owner, call, { value: BigInt(call.value) + 1n }), ["value"])
    await mismatch(await signCall(bench, owner, call, { value: 0n, data: "0x" }), ["data", "value"])
  })
})

/** Whether the chain has the transaction already. */
const overBound = (raw: string, code: string) => refused(raw, code, 1)

describe("bounds of the operator", () => {
  it("refuses gas above the highest and takes the highest", async () => {
    const problem = await overBound(
      await signCall(bench, owner, callOf(plan), { gas: BOUNDS.maximumGas + 1n }),
      "TRANSACTION_FEE_BOUND"
    )
    assert.deepStrictEqual(problem.context, { member: "gas", limit: "2000000" })
  })

  it("refuses a fee cap above the highest", async () => {
    const over = { maxFeePerGas: BOUNDS.maximumFeePerGas + 1n }
    const problem = await overBound(await signCall(bench, owner, callOf(plan), over), "TRANSACTION_FEE_BOUND")
    assert.deepStrictEqual(problem.context, { member: "maximumFeePerGas", limit: "200000000000" })
  })

  it("refuses value and gas that cost too much together", async () => {
    const over = { gas: 1_600_000n, maxFeePerGas: 200_000_000_000n }
    await overBound(await signCall(bench, owner, callOf(plan), over), "TRANSACTION_COST_BOUND")
  })

  it("counts addresses and keys of an access list", async () => {
    const call = callOf(plan)
    const withKeys = async (count: number) =>
      owner.key.signTransaction({
        type: "eip1559",
        chainId: 31337,
        to: call.to,
        data: call.data,
        value: BigInt(call.value),
        nonce: await pendingNonce(bench, owner.key.address),
        gas: 1_000_000n,
        maxFeePerGas: 10n ** 11n,
        accessList: [{ address: call.to, storageKeys: Array.from({ length: count }, freshNonce) }]
      })
    const problem = await overBound(await withKeys(3), "ACCESS_LIST_BOUND")
    assert.deepStrictEqual(problem.context, { limit: 3 })
    const { dispatch } = await submitted(bench.service, owner, plan, {
      rawSignedTransaction: await withKeys(2)
    })
    assert.strictEqual(dispatch.status, "submitted")
  })
})

describe("bytes in upper case", () => {
  it("are the same bytes", async () => {
    const payer = await newPayer(bench)
    const own = await planned(bench, payer)
    const raw = await signCall(bench, payer, callOf(own))
    const upper = `0x${raw.slice(2).toUpperCase()}`
    const { dispatch } = await submitted(bench.service, payer, own, { rawSignedTransaction: upper })
    assert.strictEqual(dispatch.status, "submitted")
    assert.isNotNull(await rpc(bench.chain.url, "eth_getTransactionByHash", [dispatch.hash]))
  })
})
