/** The paymaster's word, against its contract. */
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Chain, paymasterAddress, paymasterSigner } from "../../sandbox/bundler/Chain.ts"
import { Paymaster } from "../../sandbox/bundler/Paymaster.ts"
import { type PaymasterServer, servePaymaster } from "../../sandbox/bundler/Server.ts"
import { PAYMASTER_SIGNER } from "../../sandbox/execution/place.ts"
import { packedOperation } from "../../src/values/PackedOperation.ts"
import { type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { asked } from "./support/Bundler.ts"

const abi = parseAbi([
  "struct Packed { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }",
  "function validatePaymasterUserOp(Packed operation, bytes32 hash, uint256 cost) view returns (bytes context, uint256 validationData)",
  "error DataLength(uint256 length)"
])

let sandbox: Sandbox
let chain: Chain
let server: PaymasterServer

beforeAll(async () => {
  sandbox = await startSandbox()
  chain = new Chain(sandbox.url)
  await chain.standing()
  await chain.fund()
  server = await servePaymaster(new Paymaster(chain), 0)
})
afterAll(async () => {
  await server.stop()
  await sandbox.stop()
})

const SENDER: Address = "0x00000000000000000000000000000000000000a1"

const unsigned = {
  sender: SENDER,
  nonce: "0x5",
  callData: "0xdeadbeef",
  callGasLimit: "0x30d40",
  verificationGasLimit: "0x1d4c0",
  preVerificationGas: "0xea60",
  maxFeePerGas: "0xb2d05e00",
  maxPriorityFeePerGas: "0x3b9aca00",
  paymasterVerificationGasLimit: "0xea60",
  paymasterPostOpGasLimit: "0x1",
  signature: "0x"
} as const

const place = [ENTRY_POINT, "0x7a69", {}] as const
const ask = (method: string, params: ReadonlyArray<unknown>) => asked(server.url, method, params)

interface Promised {
  readonly paymaster: Address
  readonly paymasterData: Hex
}

const promised = async (operation: object = unsigned): Promise<Promised> => {
  const { result, error } = await ask("pm_getPaymasterData", [operation, ...place])
  assert.isUndefined(error)
  return result
}

/** What the entry point would hear of it. */
const judged = async (promise: Promised, change: object = {}) => {
  const packed = packedOperation({ ...unsigned, ...promise, ...change })
  const data = encodeFunctionData({
    abi,
    functionName: "validatePaymasterUserOp",
    args: [packed, `0x${"00".repeat(32)}`, 1n]
  })
  const answer = await sandbox.client.call({ to: promise.paymaster, data })
  const [context, validation] = decodeFunctionResult({
    abi,
    functionName: "validatePaymasterUserOp",
    data: answer.data ?? "0x"
  })
  assert.equal(context, "0x")
  const part = (from: bigint) => Number((validation >> from) & ((1n << 48n) - 1n))
  return { failed: validation & ((1n << 160n) - 1n), validUntil: part(160n), validAfter: part(208n) }
}

describe("the paymaster's contract", () => {
  it("is the key's", () => {
    assert.equal(paymasterSigner.address, PAYMASTER_SIGNER)
  })

  it("takes what the paymaster signed, for as long as it said", async () => {
    const { timestamp } = await sandbox.client.getBlock()
    const { failed, validUntil, validAfter } = await judged(await promised())
    assert.equal(failed, 0n)
    assert.equal(validUntil, Number(timestamp) + 600)
    assert.equal(validAfter, Number(timestamp) - 60)
  })

  it.each([
    ["sender", { sender: ENTRY_POINT }],
    ["nonce", { nonce: "0x6" }],
    ["callData", { callData: "0xdeadbeee" }],
    ["callGasLimit", { callGasLimit: "0x30d41" }],
    ["verificationGasLimit", { verificationGasLimit: "0x1d4c1" }],
    ["preVerificationGas", { preVerificationGas: "0xea61" }],
    ["maxFeePerGas", { maxFeePerGas: "0xb2d05e01" }],
    ["maxPriorityFeePerGas", { maxPriorityFeePerGas: "0x3b9aca01" }],
    ["paymasterVerificationGasLimit", { paymasterVerificationGasLimit: "0xea61" }],
    ["paymasterPostOpGasLimit", { paymasterPostOpGasLimit: "0x2" }]
  ])("takes no other %s", async (_, change) => {
    assert.equal((await judged(await promised(), change)).failed, 1n)
  })

  it("takes no other times and no other signature, but the operation's own", async () => {
    const promise = await promised()
    const { paymasterData } = promise
    const altered = (at: number): Hex => {
      const digit = paymasterData.charAt(at) === "0" ? "1" : "0"
      return `0x${paymasterData.slice(2, at)}${digit}${paymasterData.slice(at + 1)}`
    }
    for (const at of [13, 25, 60, 120, 155])
      assert.equal((await judged(promise, { paymasterData: altered(at) })).failed, 1n, String(at))
    assert.equal((await judged(promise, { signature: "0x1234" })).failed, 0n)
  })

  it("takes 77 bytes and no others", async () => {
    const promise = await promised()
    for (const paymasterData of ["0x", promise.paymasterData.slice(0, -2), `${promise.paymasterData}00`])
      assert.match(String(await judged(promise, { paymasterData }).catch(String)), /DataLength|reverted/)
  })

  it("answers a stub as long as its word, which it then refuses", async () => {
    const { result } = await ask("pm_getPaymasterStubData", [{ sender: SENDER }, ...place])
    const { paymasterData } = await promised()
    assert.deepInclude(result, { paymaster: paymasterAddress(), isFinal: false })
    assert.equal(result.paymasterData.length, paymasterData.length)
    assert.equal((await judged(result)).failed, 1n)
  })

  it("has a deposit once, and again where half of it is used", async () => {
    await chain.fill()
    const deposit = await chain.deposit()
    assert.isAbove(Number(deposit), 0)
    await chain.fill()
    assert.equal(await chain.deposit(), deposit)
  })
})

describe("the paymaster", () => {
  it.each([
    ["another chain", [unsigned, ENTRY_POINT, "0x1", {}]],
    ["another entry point", [unsigned, SENDER, "0x7a69", {}]],
    ["nothing", []],
    ["no sender", [{ ...unsigned, sender: "0x" }, ...place]],
    ["a factory", [{ ...unsigned, factory: SENDER }, ...place]],
    ["a decimal", [{ ...unsigned, nonce: "5" }, ...place]],
    ["too wide a limit", [{ ...unsigned, callGasLimit: `0x1${"0".repeat(32)}` }, ...place]],
    ["too much gas", [{ ...unsigned, callGasLimit: "0x1ffffff" }, ...place]],
    ["too high a price", [{ ...unsigned, maxFeePerGas: "0xffffffffffffff" }, ...place]]
  ])("pays not for %s", async (_, params) => {
    const { error } = await ask("pm_getPaymasterData", params)
    assert.equal(error.code, -32602)
  })

  it("knows two methods, and JSON alone", async () => {
    assert.equal((await ask("eth_chainId", [])).error.code, -32601)
    const post = (init: RequestInit) => fetch(server.url, { method: "POST", ...init })
    const json = { "content-type": "application/json" }
    assert.equal((await (await post({ headers: json, body: "{" })).json()).error.code, -32700)
    assert.equal((await post({ headers: { "content-type": "text/plain" }, body: "{}" })).status, 415)
    assert.equal((await fetch(server.url)).status, 405)
    assert.equal((await post({ headers: json, body: "x".repeat(600_000) })).status, 413)
  })
})
