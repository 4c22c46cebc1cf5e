import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import type { Read } from "../../src/chain/ChainClient.ts"
import { RpcInvalidResponse } from "../../src/chain/refusals.ts"
import { readBridge } from "../../src/projects/BridgeReads.ts"
import type { PinnedSnapshot } from "../../src/protocol/PinnedContracts.ts"
import { known } from "../../src/values/Observed.ts"
import type { Bytes32 } from "../../src/values/Scalars.ts"

const BLOCK = `0x${"11".repeat(32)}` as const
const OTHER_BLOCK = `0x${"22".repeat(32)}` as const
const BRIDGE = `0x${"33".repeat(20)}` as const

const block = (hash: Bytes32) => ({
  chainId: 1,
  hash,
  parentHash: OTHER_BLOCK,
  number: 9n,
  timestamp: 1n,
  baseFeePerGas: null
})

/** As the node writes a block, of which it has this hash at the number now. */
const answers = (hash: Bytes32): Readonly<Record<string, unknown>> => ({
  eth_getLogs: [],
  eth_getBlockByNumber: {
    hash,
    number: "0x9",
    timestamp: "0x1",
    parentHash: OTHER_BLOCK,
    transactions: []
  }
})

const unread = () => Effect.fail(new RpcInvalidResponse())

const answering =
  (hashNow: Bytes32) =>
  <A>(read: Read<A>) =>
    Either.match(read.decode(answers(hashNow)[read.method]), {
      onLeft: Effect.fail,
      onRight: Effect.succeed
    })

const snapshotWhere = (hashNow: Bytes32): PinnedSnapshot => ({
  chainId: 1,
  block: block(BLOCK),
  evidence: { chainId: 1, blockNumber: "9", blockHash: BLOCK, timestamp: "1", source: "onchain" },
  addressOf: () => Effect.succeed(BRIDGE),
  deploymentsOf: () => [],
  read: unread,
  readAdded: unread,
  readAt: unread,
  simulate: unread,
  code: unread,
  storage: unread,
  balance: unread,
  foresee: () => Effect.void,
  ask: answering(hashNow),
  askApart: answering(hashNow),
  askAll: unread
})

const outboxWhere = (hashNow: Bytes32) =>
  Effect.map(
    readBridge(snapshotWhere(hashNow), BRIDGE, {
      tokens: known([]),
      range: { holder: BRIDGE, from: 1n, to: 9n }
    }),
    ({ outboxEvents }) => outboxEvents
  )

describe("what a bridge was sent", () => {
  it.effect("is known while the block of the answer is where it was", () =>
    Effect.map(outboxWhere(BLOCK), outbox => assert.deepStrictEqual(outbox, known([])))
  )

  it.effect("is unknown where the chain has another block by then", () =>
    Effect.map(outboxWhere(OTHER_BLOCK), outbox => {
      assert.strictEqual(outbox.status, "unknown")
      assert.strictEqual(Object(outbox).error?.code, "BLOCK_UNAVAILABLE")
    })
  )
})
