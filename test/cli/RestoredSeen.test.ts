/** How `doctor --restored` looks through the blocks of a chain, however many there are. */
import { numberToHex, pad } from "viem"
import { assert, describe, it } from "vitest"
import type { Rpc } from "../../src/cli/Rpc.ts"
import { blocksSince, executionsOf, transactionsOf } from "../../src/cli/restored/Seen.ts"

const WALLET = `0x${"a1".repeat(20)}` as const
const HASH = `0x${"c3".repeat(32)}`
const HEAD = 20_000_000

const sent = { hash: HASH, from: WALLET, to: WALLET, nonce: "0x7", value: "0x0", input: "0x" }
const executed = {
  transactionHash: HASH,
  address: WALLET,
  topics: ["0x", pad(WALLET)],
  data: `0x${"0".repeat(64)}`
}

/** A block each second, of which the chain has given those before `first` away; each has the wallet's transaction. */
const node = (first = 0, logs: (from: number, to: number) => unknown = () => []) => {
  const block = (tag: unknown) => {
    const number = tag === "latest" ? HEAD : Number(tag)
    const at = { number: numberToHex(number), timestamp: numberToHex(number), transactions: [sent] }
    return number < first ? null : at
  }
  const call: Rpc["call"] = async (method, params = []) => {
    const { fromBlock, toBlock } = Object(params[0])
    return method === "eth_getLogs" ? logs(Number(fromBlock), Number(toBlock)) : block(params[0])
  }
  const post: Rpc["post"] = async body =>
    Array.isArray(body) ? body.map(({ params }) => ({ result: block(params[0]) })) : undefined
  return { call, post, ask: async () => ({ result: null }) }
}

const messageOf = (failing: Promise<unknown>) =>
  failing.then(
    () => "",
    failure => failure.message
  )

describe("the blocks since a moment", () => {
  it("are all of them, however many", async () => {
    assert.deepStrictEqual(await blocksSince(node(), 5), { from: 5, to: HEAD })
    assert.deepStrictEqual(await blocksSince(node(), 0), { from: 0, to: HEAD })
    assert.deepStrictEqual(await blocksSince(node(HEAD - 100), HEAD - 50), { from: HEAD - 50, to: HEAD })
  })

  it("are not taken for those that the node still has", async () => {
    const message = await messageOf(blocksSince(node(HEAD - 100), HEAD - 200))
    assert.include(message, `does not give block ${HEAD - 101}`)
    assert.include(await messageOf(blocksSince(node(HEAD + 1), 5)), "does not give its newest block")
  })

  it("are walked with a word now and then of how far", async () => {
    const told: Array<number> = []
    const range = { from: 1, to: 60_000 }
    const seen = await transactionsOf(node(), range, new Set([WALLET]), done => told.push(done))
    assert.strictEqual(seen.length, 60_000)
    assert.deepStrictEqual(
      told,
      Array.from({ length: 11 }, (_, index) => (index + 1) * 5_000)
    )
  })

  it("are asked for events in parts, and each part must be given", async () => {
    const asked: Array<readonly [number, number]> = []
    const logs = (from: number, to: number) => {
      asked.push([from, to])
      return [executed]
    }
    const range = { from: 1, to: 25_000 }
    assert.strictEqual((await executionsOf(node(0, logs), range, [WALLET])).length, 3)
    assert.deepStrictEqual(asked, [
      [1, 10_000],
      [10_001, 20_000],
      [20_001, 25_000]
    ])
    const silent = node(0, from => (from > 1 ? null : []))
    assert.include(await messageOf(executionsOf(silent, range, [WALLET])), "no list of events")
  })
})
