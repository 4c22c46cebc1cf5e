/** The first look at a session, which believes no block before the one that the session was compiled at. */
import { encodeFunctionData } from "viem"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { guardAbi } from "./support/Abis.ts"
import {
  boundWallet,
  enabled,
  preparedSession,
  readSession,
  revoked,
  type SessionBench,
  shownSession,
  startSessionBench
} from "./support/SessionBench.ts"

const FINAL_BLOCKS = 300

let bench: SessionBench

beforeAll(async () => {
  bench = await startSessionBench()
})
afterEach(() => bench.proxy.clearFaults())
afterAll(() => bench.stop())

const head = () => rpc(bench.chain.url, "eth_getBlockByNumber", ["latest", false])

/** A session that was prepared once another one of its wallet was revoked, and the block before that. */
const followed = async () => {
  const of = await boundWallet(bench)
  const first = await preparedSession(bench, of)
  await enabled(bench, of, first)
  const before = await head()
  await revoked(bench, of, first)
  return { of, first, before, next: await preparedSession(bench, of, { generation: "2" }) }
}

describe("the first look at a session", () => {
  it("takes nothing from an endpoint that has not the block yet that it was compiled at", async () => {
    const { before, next } = await followed()
    bench.proxy.fault({
      method: "eth_getBlockByNumber",
      phase: "after",
      times: 100,
      act: {
        kind: "rewrite",
        rewrite: ({ params: [asked] }) => (asked === "latest" ? before : undefined)
      }
    })
    const early = await shownSession(bench, next)
    assert.deepStrictEqual([early.state, early.observation], ["prepared", undefined])
    bench.proxy.clearFaults()
    const shown = await shownSession(bench, next)
    assert.deepStrictEqual([shown.state, shown.invalidation], ["prepared", undefined])
    assert.isDefined(shown.observation)
  })

  it.each([
    ["once, and asks again", 1],
    ["twice, and keeps nothing of it", 2]
  ])(
    "is told the guard's state of after an enabling beside its administration of before, %s",
    async (_, times) => {
      const of = await boundWallet(bench)
      const session = await preparedSession(bench, of)
      const asked = encodeFunctionData({
        abi: guardAbi,
        functionName: "administrationOf",
        args: [session.wallet]
      })
      const before = await rpc(bench.chain.url, "eth_call", [
        { to: session.compiled.guard, data: asked },
        "latest"
      ])
      await enabled(bench, of, session)
      let told = 0
      bench.proxy.fault({
        method: "eth_call",
        phase: "after",
        times: 100,
        act: {
          kind: "rewrite",
          rewrite: ({ params: [call] }) =>
            String(Object(call).data).toLowerCase() === asked.toLowerCase() && told++ < times
              ? before
              : undefined
        }
      })
      const first = await readSession(bench, `/${session.id}`)
      assert.strictEqual(first.status, times === 1 ? 200 : 502)
      bench.proxy.clearFaults()
      const shown = await shownSession(bench, session)
      assert.deepStrictEqual([shown.state, shown.invalidation], ["active", undefined])
    }
  )

  it("finds nothing for good where that block left the chain", async () => {
    const { of, first, next } = await followed()
    await rpc(bench.chain.url, "anvil_reorg", [1, []])
    assert.deepInclude((await shownSession(bench, next)).invalidation, { reason: "reorg", permanent: false })
    await mine(bench, 2)
    assert.deepInclude((await shownSession(bench, next)).invalidation, { reason: "reorg", permanent: false })
    await revoked(bench, of, first)
    await shownSession(bench, next)
    await mine(bench, FINAL_BLOCKS)
    const shown = await shownSession(bench, next)
    assert.deepStrictEqual([shown.state, shown.invalidation], ["prepared", undefined])
  })
})
