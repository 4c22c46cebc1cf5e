import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import type { Read } from "../../src/chain/ChainClient.ts"
import { balance, call, code, gasEstimate, simulation, storageWord } from "../../src/chain/PinnedReads.ts"
import {
  blockByHash,
  blockByNumber,
  chainProof,
  eventLogs,
  latestBlock,
  rawSend,
  taggedBlock,
  transactionByHash,
  transactionCount,
  transactionReceipt
} from "../../src/chain/Reads.ts"

const word = (digit: string) => `0x${digit.repeat(64)}` as const
const HASH = word("a")
const OTHER = word("b")
const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const LOWER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"

const block = {
  number: "0x10",
  hash: HASH,
  parentHash: OTHER,
  timestamp: "0x5",
  baseFeePerGas: "0x7",
  extra: 1
}
const log = {
  ...{ address: LOWER, blockHash: OTHER, blockNumber: "0x10", data: "0x", logIndex: "0x0", topics: [HASH] },
  ...{ transactionHash: HASH, transactionIndex: "0x0" }
}
const receipt = {
  ...{ transactionHash: HASH, blockHash: OTHER, blockNumber: "0x10", status: "0x1", from: LOWER, to: null },
  ...{ logs: [{ ...log, removed: false }], gasUsed: "0x1" }
}
const transaction = { hash: HASH, from: LOWER, nonce: "0x1", blockHash: null, blockNumber: null, input: "0x" }
const quantity = transactionCount(ADDRESS, "latest")
const simulatedOne = simulation([{ to: ADDRESS, data: "0x" }], HASH)

const outcome = <A>(read: Read<A>, result: unknown) =>
  Either.match(Effect.runSync(Effect.either(read.decode(result))), {
    onLeft: ({ _tag }) => _tag,
    onRight: value => value
  })

describe("an answer that fits", () => {
  it("is read into exact values", () => {
    const read = { chainId: 1, number: 16n, hash: HASH, parentHash: OTHER, timestamp: 5n, baseFeePerGas: 7n }
    assert.deepStrictEqual(outcome(latestBlock(1), block), read)
    assert.deepStrictEqual(outcome(blockByNumber(1, 16n), block), read)
    assert.deepStrictEqual(outcome(blockByHash(1, HASH), block), read)
    const before = { ...block, baseFeePerGas: undefined }
    assert.deepStrictEqual(outcome(latestBlock(1), before), { ...read, baseFeePerGas: null })
    assert.deepStrictEqual(outcome<unknown>(transactionReceipt(HASH), receipt), {
      ...{ transactionHash: HASH, blockHash: OTHER, blockNumber: 16n, status: "success", from: ADDRESS },
      ...{ to: null, logs: [log] }
    })
    const known = { hash: HASH, from: ADDRESS, nonce: 1n, blockHash: null, blockNumber: null }
    assert.deepStrictEqual(outcome<unknown>(transactionByHash(HASH), transaction), known)
    assert.strictEqual(outcome(quantity, `0x${"f".repeat(64)}`), 2n ** 256n - 1n)
    assert.strictEqual(outcome(storageWord(ADDRESS, HASH, OTHER), HASH), HASH)
  })

  it("of a simulated call that failed may tell no logs", () => {
    const failed = { status: "0x0", returnData: "0x08c3", gasUsed: "0x5" }
    const calls = [{ status: "reverted", returnData: "0x08c3", gasUsed: 5n, logs: [] }]
    for (const told of [failed, { ...failed, logs: null }, { ...failed, logs: [] }])
      assert.deepStrictEqual<unknown>(outcome(simulatedOne, [{ calls: [told] }]), {
        _tag: "Simulated",
        calls
      })
  })

  it("may be the absence of what was asked for", () => {
    for (const read of [blockByNumber(1, 1n), blockByHash(1, HASH), taggedBlock(1, "safe")])
      assert.isNull(outcome<unknown>(read, null))
    assert.isNull(outcome(transactionReceipt(HASH), null))
    assert.isNull(outcome(transactionByHash(HASH), null))
  })
})

describe("an answer that does not fit", () => {
  const refused: ReadonlyArray<readonly [string, Read<unknown>, unknown]> = [
    ["a quantity with a leading zero", quantity, "0x01"],
    ["a quantity in capitals", quantity, "0xA"],
    ["an empty quantity", quantity, "0x"],
    ["a quantity of 257 bits", quantity, `0x1${"0".repeat(64)}`],
    ["a decimal quantity", quantity, "10"],
    ["a numeric quantity", quantity, 10],
    ["a null quantity", quantity, null],
    ["a null latest block", latestBlock(1), null],
    ["a block without a hash", latestBlock(1), { ...block, hash: null }],
    ["a block without a number", latestBlock(1), { ...block, number: null }],
    ["a short block hash", latestBlock(1), { ...block, hash: "0xab" }],
    ["another number than asked for", blockByNumber(1, 17n), block],
    ["another hash than asked for", blockByHash(1, OTHER), block],
    ["another transaction's receipt", transactionReceipt(OTHER), receipt],
    [
      "a receipt with a foreign log",
      transactionReceipt(HASH),
      { ...receipt, logs: [{ ...log, transactionHash: OTHER }] }
    ],
    [
      "a receipt with a log of another block",
      transactionReceipt(HASH),
      { ...receipt, logs: [{ ...log, blockHash: HASH }] }
    ],
    [
      "a receipt with a log that was removed",
      transactionReceipt(HASH),
      { ...receipt, logs: [log, { ...log, removed: true }] }
    ],
    [
      "a log of a range that was removed",
      eventLogs({ address: ADDRESS, topics: [], from: 16n, to: 16n }),
      [{ ...log, removed: true }]
    ],
    ["a receipt of unknown status", transactionReceipt(HASH), { ...receipt, status: "0x2" }],
    ["a receipt without a status", transactionReceipt(HASH), { ...receipt, status: undefined }],
    ["a receipt that is pending", transactionReceipt(HASH), { ...receipt, blockHash: null }],
    [
      "five topics",
      transactionReceipt(HASH),
      { ...receipt, logs: [{ ...log, topics: Array(5).fill(HASH) }] }
    ],
    ["another transaction", transactionByHash(OTHER), transaction],
    ["a transaction mined half", transactionByHash(HASH), { ...transaction, blockNumber: "0x1" }],
    ["odd bytes", call({ to: ADDRESS, data: "0x" }, HASH), "0xabc"],
    ["bytes in capitals", code(ADDRESS, HASH), "0xAB"],
    ["null for code", code(ADDRESS, HASH), null],
    ["null for a balance", balance(ADDRESS, HASH), null],
    ["a short storage word", storageWord(ADDRESS, HASH, OTHER), "0x0"],
    ["bytes for an estimate", gasEstimate({ to: ADDRESS, data: "0x" }, HASH), "0x0001"],
    ["fewer simulated calls than asked for", simulatedOne, [{ calls: [] }]],
    [
      "a simulated call that went well without logs",
      simulatedOne,
      [{ calls: [{ status: "0x1", returnData: "0x", gasUsed: "0x5" }] }]
    ],
    ["another hash for the bytes sent", rawSend("0x01"), HASH]
  ]

  it.each(refused)("is invalid: %s", (_, read, result) => {
    assert.strictEqual(outcome(read, result), "RPC_INVALID_RESPONSE")
  })

  it("is a mismatch where the chain id is another", () => {
    assert.strictEqual(outcome(chainProof(1), "0x2"), "RPC_CHAIN_MISMATCH")
    assert.strictEqual(outcome(chainProof(1), "0x1"), 1n)
  })
})

describe("a node's error", () => {
  const onCall = (error: { code: number; data?: unknown }) =>
    call({ to: ADDRESS, data: "0x" }, HASH).onNodeError?.({ data: undefined, ...error })

  it("is a revert by code 3 or by the bytes in its data, never by its text", () => {
    assert.deepStrictEqual(onCall({ code: 3 }), { _tag: "Reverted", data: "0x" })
    assert.deepStrictEqual(onCall({ code: 3, data: "0xAB" }), { _tag: "Reverted", data: "0xab" })
    assert.deepStrictEqual(onCall({ code: -32000, data: "0x08c3" }), { _tag: "Reverted", data: "0x08c3" })
    assert.deepStrictEqual(onCall({ code: -32015, data: { data: "0x08c3" } }), {
      _tag: "Reverted",
      data: "0x08c3"
    })
  })

  it("is otherwise a refusal known by its code", () => {
    for (const data of [
      undefined,
      null,
      "execution reverted",
      "Reverted 0x08c3",
      "0xabc",
      { data: 7 },
      { message: "0x" }
    ])
      assert.deepStrictEqual(onCall({ code: -32000, data }), { _tag: "Refused", code: -32000 })
  })

  it("has no meaning for reads that cannot revert", () => {
    const reads: ReadonlyArray<Read<unknown>> = [
      quantity,
      latestBlock(1),
      transactionReceipt(HASH),
      code(ADDRESS, HASH)
    ]
    for (const read of reads) assert.isUndefined(read.onNodeError)
  })
})
