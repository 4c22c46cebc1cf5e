/** The contract that the prepaid provider is paid by: where it is, what the catalog knows of it, and what proves a payment. */
import { Effect, Either } from "effect"
import { encodeAbiParameters, type Hex, toEventSelector } from "viem"
import { assert, describe, it } from "vitest"
import artifact from "../../sandbox/artifacts/PrepaidPayments.json" with { type: "json" }
import { Catalog } from "../../src/catalog/Catalog.ts"
import { executionContracts, PREPAID_PAYMENTS } from "../../src/catalog/ExecutionContracts.ts"
import { prepayment } from "../../src/operations/plans/effects/Prepayment.ts"
import { decodeSettings } from "../../src/settings/decode.ts"
import type { Address } from "../../src/values/Scalars.ts"

const ADDRESS: Address = "0x1311a7D9a0e8d2fDE2D955D80f12C65a56D445b2"
const HASH = `0x${"ab".repeat(32)}` as const
const BUNDLE = `0x${"33".repeat(16)}` as const
const FILE = "schema/execution/contracts.json"

const paymentsIn = (text: string | undefined) =>
  Either.map(decodeSettings({ SERVICE_PROVIDER_PAYMENTS: text }), ({ sponsorship }) => sponsorship.payments)

describe("the setting", () => {
  it("names the contract of the public networks where nothing is set", () => {
    const payments = Either.getOrThrow(paymentsIn(undefined))
    assert.deepStrictEqual(
      payments.map(({ chainId }) => chainId),
      [1, 10, 8453, 42161]
    )
    for (const { address, runtimeCodeHash } of payments) {
      assert.strictEqual(address.toLowerCase(), "0x1c05f7841379d4393574c0ffa17908ec40ffd97d")
      assert.match(runtimeCodeHash, /^0x6006b5ac/)
    }
  })

  it("takes contracts by chain id, and nothing else", () => {
    const contract = { address: ADDRESS.toLowerCase(), runtimeCodeHash: HASH }
    assert.deepStrictEqual(Either.getOrThrow(paymentsIn(JSON.stringify({ 31337: contract }))), [
      { chainId: 31337, address: ADDRESS, runtimeCodeHash: HASH }
    ])
    assert.deepStrictEqual(Either.getOrThrow(paymentsIn("{}")), [])
    for (const wrong of [
      "[]",
      "1",
      JSON.stringify({ one: contract }),
      JSON.stringify({ 0: contract }),
      JSON.stringify({ 1: { ...contract, more: 1 } }),
      JSON.stringify({ 1: { ...contract, runtimeCodeHash: "0x" } }),
      JSON.stringify({ 1: { ...contract, address: "0x1" } })
    ])
      assert.isTrue(Either.isLeft(paymentsIn(wrong)), wrong)
  })
})

const known = executionContracts(FILE, {
  payments: [{ chainId: 1, address: ADDRESS, runtimeCodeHash: HASH }]
})

describe("the catalog", () => {
  it("has the interface that our own contract has", async () => {
    const [{ abi } = assert.fail("none")] = await Effect.runPromise(known)
    assert.isArray(abi)
    for (const entry of Array.isArray(abi) ? abi : []) assert.deepInclude(artifact.abi, entry)
  })

  it("has its place, of which no receipt is known", async () => {
    const detail = await Effect.runPromise(
      Effect.gen(function* () {
        const catalog = Catalog.layer({ directory: "schema/protocol", contracts: yield* known })
        return yield* Effect.provide(
          Effect.flatMap(Catalog, ({ contract }) => contract(PREPAID_PAYMENTS)),
          catalog
        )
      })
    )
    const [instance] = detail.deployments.find(({ chainId }) => chainId === 1)?.instances ?? []
    assert.deepInclude(instance, { address: ADDRESS, runtimeCodeHash: HASH, receipt: null })
  })
})

describe("a payment", () => {
  const event = { type: "event", name: "Prepayment" } as const
  const topic = toEventSelector("Prepayment(bytes16,uint256,uint40)")

  const paid = (amount: bigint, deadline: number, over: { bundle?: Hex; address?: Hex } = {}) => ({
    address: over.address ?? `0x${ADDRESS.slice(2).toLowerCase()}`,
    topics: [topic, `${over.bundle ?? BUNDLE}${"00".repeat(16)}`] as const,
    data: encodeAbiParameters([{ type: "uint256" }, { type: "uint40" }], [amount, deadline]),
    blockNumber: "0x1" as const,
    blockHash: HASH,
    transactionHash: HASH,
    transactionIndex: "0x0" as const,
    logIndex: "0x0" as const,
    removed: false
  })

  const judged = async (...logs: ReadonlyArray<ReturnType<typeof paid>>) => {
    const catalog = await Effect.runPromise(
      Effect.flatMap(known, contracts =>
        Effect.provide(Catalog, Catalog.layer({ directory: "schema/protocol", contracts }))
      )
    )
    const { abiHash } = await Effect.runPromise(catalog.declaration(PREPAID_PAYMENTS))
    const abi = await Effect.runPromise(catalog.abi(abiHash ?? ""))
    assert.deepInclude(
      abi.map(({ type, name }) => ({ type, name })),
      event
    )
    return prepayment.judge({
      args: { bundle: BUNDLE, deadline: "1790000200" },
      chainId: 1,
      value: "25",
      account: ADDRESS,
      target: { address: ADDRESS, abi },
      summary: undefined,
      logs: logs.map(log => ({ ...log, topics: [...log.topics] })),
      published: () => []
    })
  }

  it("is proved by one event of its bundle, amount and deadline", async () => {
    assert.deepStrictEqual(
      await judged(paid(25n, 1_790_000_200), paid(1n, 1, { bundle: `0x${"44".repeat(16)}` })),
      Either.right([{ event: "Prepayment", bundle: BUNDLE, amount: "25", deadline: "1790000200" }])
    )
  })

  it.each([
    ["no event", []],
    ["another amount", [paid(24n, 1_790_000_200)]],
    ["another deadline", [paid(25n, 1_790_000_201)]],
    ["another contract's", [paid(25n, 1_790_000_200, { address: `0x${"55".repeat(20)}` })]],
    ["two of them", [paid(25n, 1_790_000_200), paid(25n, 1_790_000_200)]]
  ])("is in doubt with %s", async (_, logs) => {
    const verdict = await judged(...logs)
    assert.isTrue(Either.isLeft(verdict) && verdict.left.status === "unknown")
  })
})
