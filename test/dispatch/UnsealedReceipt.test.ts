/** Some nodes tell of a transaction in a block that is not sealed yet, and that another may take the place of. */
import { toHex } from "viem"
import { afterAll, afterEach, assert, it } from "vitest"
import { relayedAndMined } from "../support/Mined.ts"
import { stepOf } from "../support/PlannedCalls.ts"
import { startRelayBench } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { hashOf } from "../support/SignedCalls.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())
afterEach(() => bench.proxy.clearFaults())

const BLOCK = "eth_getBlockByNumber"

it.each([
  ["not there", () => null],
  ["another one", (sealed: unknown) => ({ ...Object(sealed), hash: `0x${"ab".repeat(32)}` })]
])("a receipt above the head, where its block is %s, is none yet", async (_, blockOf) => {
  const { raw, refresh } = await relayedAndMined(bench)
  const { blockNumber } = await rpc(bench.chain.url, "eth_getTransactionReceipt", [hashOf(raw)])
  const parent = await rpc(bench.chain.url, BLOCK, [toHex(BigInt(blockNumber) - 1n), false])
  bench.proxy.fault({
    method: BLOCK,
    times: 100,
    phase: "after",
    act: {
      kind: "rewrite",
      rewrite: ({ method, params: [block] }, result) => {
        if (method !== BLOCK) return undefined
        if (block === "latest") return parent
        return block === blockNumber ? blockOf(result) : undefined
      }
    }
  })
  assert.strictEqual(stepOf(await refresh()).state, "submitted")
  bench.proxy.clearFaults()
  assert.strictEqual(stepOf(await refresh()).state, "confirming")
})
