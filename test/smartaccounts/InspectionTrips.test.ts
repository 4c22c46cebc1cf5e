/** What an inspection of a real wallet asks of its chain's node. */
import { Effect, Either } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { PACKED_CALLS } from "../../src/protocol/PackedCalls.ts"
import { inspectWallet } from "../../src/smartaccounts/Inspect.ts"
import { pinsOf } from "../../src/smartaccounts/Manifest.ts"
import { clientOver } from "../chain/ChainUnderTest.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { type Question, startRecordingProxy } from "../support/RecordingProxy.ts"
import { faultOf, inspected, manifest } from "./support/Inspections.ts"
import { createWallet, type Wallet, walletOwners } from "./support/Wallets.ts"

let sandbox: Sandbox
let salt = 0n

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.stop())

const created = (): Promise<Wallet> => createWallet(sandbox, { threshold: 2, saltNonce: ++salt })

describe("an inspection", () => {
  it("asks for all that contracts say and for every code in one call, for its singleton and history beside it", async () => {
    const { address } = await created()
    const proxy = await startRecordingProxy({ upstream: sandbox.url })
    const before = proxy.records.length
    assert.equal(await faultOf({ ...sandbox, url: proxy.url }, address), "none")
    const asked = proxy.records.slice(before).map(({ method }) => method)
    await proxy.stop()
    const times = (name: string) => asked.filter(method => method === name).length
    /** The code of the owners, whom nobody named before, takes a call of its own. */
    assert.equal(times("eth_call"), 2)
    assert.equal(times("eth_getStorageAt"), 1)
    assert.equal(times("eth_getLogs"), 1)
    assert.equal(times("eth_getCode"), 0)
  })

  it("sees the same through a node that runs no program", async () => {
    const { address } = await created()
    const proxy = await startRecordingProxy({ upstream: sandbox.url })
    const rewrite = ({ params: [asked] }: Question) =>
      JSON.stringify(asked).includes(PACKED_CALLS) ? "0x" : undefined
    proxy.fault({ method: "eth_call", phase: "after", times: 1_000, act: { kind: "rewrite", rewrite } })
    const through = Either.getOrThrow(await inspected({ ...sandbox, url: proxy.url }, address))
    const asked = proxy.records.filter(({ method }) => method === "eth_getCode").length
    await proxy.stop()
    assert.deepEqual(through.state, Either.getOrThrow(await inspected(sandbox, address)).state)
    assert.equal(asked, 1 + pinsOf(manifest).length + walletOwners.length)
  })

  it("takes three round trips at one block", async () => {
    const { address } = await created()
    const proxy = await startRecordingProxy({ upstream: sandbox.url })
    try {
      const program = Effect.gen(function* () {
        yield* inspectWallet(manifest, address)
        const before = proxy.roundTrips()
        yield* inspectWallet(manifest, address)
        return proxy.roundTrips() - before
      }).pipe(Effect.provide(clientOver({ chainId: 31_337, urls: [proxy.url] })), Effect.scoped)
      assert.isAtMost(await Effect.runPromise(program), 3)
    } finally {
      await proxy.stop()
    }
  })
})
