/** The scripted bundler's answers against the real one's, about the same operations of one chain. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { UserOperation } from "../../src/values/UserOperation.ts"
import { createWallet, ENTRY_POINT, type Wallet } from "../smartaccounts/support/Wallets.ts"
import { until } from "../support/Until.ts"
import { hashOf } from "./scripted/Carry.ts"
import { type ScriptedBundler, startScriptedBundler } from "./scripted/Scripted.ts"
import { asked, type Bundling, bundling } from "./support/Bundler.ts"
import { estimated, sentBy, signed, sponsored, unsponsored } from "./support/Operations.ts"

const PLACE = [ENTRY_POINT, "0x7a69", {}] as const
const SHARED = ["eth_chainId", "eth_supportedEntryPoints", "pimlico_getUserOperationGasPrice"]

let real: Bundling
let scripted: ScriptedBundler
let wallet: Wallet

beforeAll(async () => {
  real = await bundling()
  scripted = await startScriptedBundler({ chainUrl: real.sandbox.url, companions: async () => [] })
  wallet = await createWallet(real.sandbox, { saltNonce: 77n })
})
afterAll(() => scripted.stop())

/** Kinds alone: two answers differ by their values. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]))
  return typeof value === "string" && /^0x[0-9a-fA-F]*$/.test(value) ? "hex" : typeof value
}

const pair = async (method: string, params: ReadonlyArray<unknown>, url = real.bundler.url) => ({
  honest: await asked(url, method, params),
  script: await asked(scripted.url, method, params)
})

/** Everything that the script says, the real one says too. */
const assertWithin = (script: unknown, honest: unknown, path = ""): void => {
  if (script === null || typeof script !== "object") assert.deepEqual(script, honest, path)
  else
    for (const [name, member] of Object.entries(script))
      assertWithin(member, Object(honest)[name], `${path}/${name}`)
}

const assertAlike = ({ honest, script }: Awaited<ReturnType<typeof pair>>) => {
  assert.notProperty(honest, "error", JSON.stringify(honest))
  assertWithin(shapeOf(script), shapeOf(honest))
}

const call = { to: "0x00000000000000000000000000000000000000c1", value: 1n, data: "0x" } as const

const operation = async (): Promise<UserOperation> =>
  signed(real, wallet, await sponsored(real, await unsponsored(real, wallet, [call])))

describe("the scripted bundler", () => {
  it.each(SHARED)("answers %s as the real one", async method => {
    assertAlike(await pair(method, []))
  })

  it("answers estimates and the paymaster's questions as the real ones", async () => {
    const plain = await unsponsored(real, wallet, [call])
    assertAlike(await pair("pm_getPaymasterStubData", [plain, ...PLACE], real.bundler.paymasterUrl))
    const whole = await sponsored(real, plain)
    assertAlike(await pair("pm_getPaymasterData", [whole, ...PLACE], real.bundler.paymasterUrl))
    assertAlike(await pair("eth_estimateUserOperationGas", [whole, ENTRY_POINT]))
  })

  it("carries out what is sent to it, and tells of it as the real one", async () => {
    const whole = await operation()
    const hash = hashOf(whole)
    const { result } = await asked(scripted.url, "eth_sendUserOperation", [whole, ENTRY_POINT])
    assert.equal(result, hash)
    const told = await until(
      () => pair("eth_getUserOperationReceipt", [hash]),
      ({ honest }) => honest.result !== null && honest.result !== undefined
    )
    assertAlike(told)
    assert.equal(told.script.result.success, true)
    assert.equal(told.script.result.receipt.transactionHash, told.honest.result.receipt.transactionHash)
    assert.deepEqual(scripted.sent.map(hashOf), [hash])
  })

  it("knows no receipt of what nobody carried out, as the real one", async () => {
    const { honest, script } = await pair("eth_getUserOperationReceipt", [`0x${"12".repeat(32)}`])
    assert.deepEqual([honest.result, script.result], [null, null])
  })

  it("tells of what the real one carried out as that does", async () => {
    const whole = await operation()
    assert.equal(await sentBy(real, whole), hashOf(whole))
    const told = await until(
      () => pair("eth_getUserOperationReceipt", [hashOf(whole)]),
      ({ honest }) => honest.result !== null && honest.result !== undefined
    )
    assertAlike(told)
  })

  it("refuses with the real one's kinds of errors", async () => {
    const whole = await estimated(real, await unsponsored(real, wallet, [call]))
    const alone = await signed(real, { ...wallet, threshold: 1 }, whole)
    const honest = await asked(real.bundler.url, "eth_sendUserOperation", [alone, ENTRY_POINT])
    scripted.arm("eth_sendUserOperation", {
      name: "refused",
      conduct: "dropped",
      error: { code: -32_500, message: "AA24 signature error" }
    })
    const script = await asked(scripted.url, "eth_sendUserOperation", [alone, ENTRY_POINT])
    assertWithin(shapeOf(script.error), shapeOf(honest.error))
    assert.match(honest.error.message, /\bAA\d\d\b/)
    assert.isBelow(honest.error.code, 0)
  })
})
