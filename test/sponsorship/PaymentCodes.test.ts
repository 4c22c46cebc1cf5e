/** What is looked at of the contracts that providers are paid through. */
import { Effect, Layer, TestContext } from "effect"
import { type Address, keccak256 } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { SteadyHeads } from "../../src/chain/SteadyHeads.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { PaymentCodes } from "../../src/sponsorship/PaymentCodes.ts"
import { checksummed } from "../../src/values/Checksum.ts"
import { clientOver } from "../chain/ChainUnderTest.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { type RecordingProxy, startRecordingProxy } from "../support/RecordingProxy.ts"
import { rpc } from "../support/Rpc.ts"
import { testSettings } from "../support/Settings.ts"

const CHAIN = 31_337
const CONTRACT: Address = checksummed("0x00000000000000000000000000000000000000f2")
const CODE = "0x6001"

let sandbox: Sandbox
let proxy: RecordingProxy

beforeAll(async () => {
  sandbox = await startSandbox()
  proxy = await startRecordingProxy({ upstream: sandbox.url })
})
afterAll(async () => {
  await proxy.stop()
  await sandbox.stop()
})

const placed = (code: string) =>
  Effect.promise(async () => {
    await rpc(sandbox.url, "anvil_setCode", [CONTRACT, code])
    await rpc(sandbox.url, "anvil_mine", ["0x1"])
  })

const defaults = testSettings({})
const payments = [{ chainId: CHAIN, address: CONTRACT, runtimeCodeHash: keccak256(CODE) }]
const settings = { ...defaults, sponsorship: { ...defaults.sponsorship, payments } }

const running = <A, E>(body: Effect.Effect<A, E, PaymentCodes>) =>
  body.pipe(
    Effect.provide(PaymentCodes.layer),
    Effect.provide(SteadyHeads.layer),
    Effect.provide(clientOver({ chainId: CHAIN, urls: [proxy.url] })),
    Effect.provide(Layer.succeed(Settings, settings)),
    Effect.provide(TestContext.TestContext),
    Effect.runPromise
  )

const looks = () => proxy.records.filter(({ method }) => method === "eth_getCode").length

describe("the code of a payment contract", () => {
  it("is looked at once for all who ask at the same moment, and anew for whoever asks later", () =>
    running(
      Effect.gen(function* () {
        const { holds } = yield* PaymentCodes
        yield* placed(CODE)
        const before = looks()
        const told = yield* Effect.all([holds(CHAIN), holds(CHAIN), holds(CHAIN)], {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(told, [true, true, true])
        assert.strictEqual(looks() - before, 1)
        yield* placed("0x6002")
        assert.isFalse(yield* holds(CHAIN))
        yield* placed(CODE)
        assert.isTrue(yield* holds(CHAIN))
        assert.strictEqual(looks() - before, 3)
      })
    ))

  it("is nobody's to ask for on a chain without one", () =>
    running(
      Effect.gen(function* () {
        const refused = yield* Effect.flip((yield* PaymentCodes).holds(1))
        assert.strictEqual(refused._tag, "RPC_UNAVAILABLE")
      })
    ))
})
