import { encodeErrorResult, type Hex, keccak256, toHex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { minimalProxyOf } from "../../src/protocol/MinimalProxy.ts"
import { owner, type Sandbox, startSandbox } from "./support/Sandbox.ts"
import { cloneWith, deployScripted, scriptedAbi, tell } from "./support/Scripted.ts"

const SELECTOR: Hex = "0x12345678"
const EXACT: Hex = `${SELECTOR}${"00".repeat(31)}07`
const topic = (text: string) => keccak256(toHex(text))

describe("a scripted contract", () => {
  let sandbox: Sandbox
  let address: `0x${string}`

  beforeAll(async () => {
    sandbox = await startSandbox()
    address = (await deployScripted(sandbox)).address
  })
  afterAll(() => sandbox.stop())

  const ask = async (to: `0x${string}`, data: Hex): Promise<unknown> =>
    sandbox.client.transport.request({ method: "eth_call", params: [{ to, data }, "latest"] })

  const revertData = async (to: `0x${string}`, data: Hex) => {
    const error: unknown = await ask(to, data).catch((cause: unknown) => cause)
    return Object(error).data ?? Object(Object(error).cause).data
  }

  it("answers by calldata before selector and reverts by name otherwise", async () => {
    await tell(sandbox, address, SELECTOR, { data: "0x0102" })
    await tell(sandbox, address, EXACT, { data: "0x" })
    assert.equal(await ask(address, `${SELECTOR}ff`), "0x0102")
    assert.equal(await ask(address, EXACT), "0x")
    const untold = encodeErrorResult({
      abi: scriptedAbi,
      errorName: "Scripted_NotTold",
      args: ["0x87654321"]
    })
    assert.equal(await revertData(address, "0x87654321"), untold)
    await tell(sandbox, address, EXACT, { reverts: true, data: "0xdeadbeef" })
    assert.equal(await revertData(address, EXACT), "0xdeadbeef")
  })

  it("emits what it was told, with up to four topics", async () => {
    const logs = [0, 1, 2, 3, 4].map(count => ({
      topics: Array.from({ length: count }, (_, index) => topic(String(index))),
      data: toHex("x".repeat(count * 20))
    }))
    await tell(sandbox, address, "0xaaaaaaaa", { data: "0x01", logs })
    const receipt = await sandbox.mined(
      sandbox.client.sendTransaction({ account: owner, to: address, data: "0xaaaaaaaa", value: 5n })
    )
    assert.deepEqual(
      receipt.logs.map(({ topics, data }) => ({ topics: [...topics], data })),
      logs
    )
    await tell(sandbox, address, "0xaaaaaaaa", { data: "0x02" })
    assert.equal(await ask(address, "0xaaaaaaaa"), "0x02")
  })

  it("makes the exact minimal proxies, each with answers of its own", async () => {
    for (const standard of ["erc1167", "solady"] as const) {
      const clone = await cloneWith(sandbox, address, standard, address)
      const code = await sandbox.client.getCode({ address: clone })
      const proxy = minimalProxyOf(code ?? "0x")
      assert.equal(proxy?.standard, standard)
      assert.equal(proxy?.implementation.toLowerCase(), address.toLowerCase())
      await tell(sandbox, address, SELECTOR, { data: "0x01" })
      await tell(sandbox, clone, SELECTOR, { data: "0x02" })
      assert.equal(await ask(clone, SELECTOR), "0x02")
      assert.equal(await ask(address, SELECTOR), "0x01")
    }
  })
})
