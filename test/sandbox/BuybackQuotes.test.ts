import { type Address, encodeAbiParameters, encodeFunctionData, type Hex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ROUTED_PROJECT_ID as ID, sandboxUsdOf } from "../../sandbox/families/routing.ts"
import { metadataOf } from "../../src/protocol/MetadataEntry.ts"
import { abi, errorOf, send } from "./support/routing.ts"
import { holder, type Sandbox, startSandbox } from "./support/Sandbox.ts"

const TERMINAL = "JBMultiTerminal"
const PAID = 1_000_000n
const COUNT = 10n ** 17n
const MUCH = 10n ** 30n

/** As the deployed hook reads them; a value of another length reverts without data, longer ones are cut. */
describe("what payers and holders ask of a buyback hook on the sandbox", () => {
  let sandbox: Sandbox
  let usd: Address

  beforeAll(async () => {
    sandbox = await startSandbox()
    usd = sandboxUsdOf(sandbox.manifest.accounts)
    const approved = encodeFunctionData({ abi, functionName: "approve", args: [sandbox.at(TERMINAL), PAID] })
    await sandbox.mined(sandbox.client.sendTransaction({ account: holder, to: usd, data: approved }))
    await send(
      sandbox,
      holder,
      TERMINAL,
      encodeFunctionData({ abi, functionName: "pay", args: [ID, usd, PAID, holder.address, 0n, "", "0x"] })
    )
  })
  afterAll(() => sandbox.stop())

  const asking = (purpose: "pay" | "cashOut", ...words: ReadonlyArray<bigint>): Hex => {
    const value = encodeAbiParameters(
      words.map(() => ({ type: "uint256" })),
      words
    )
    return metadataOf({ purpose, target: sandbox.at("JBBuybackHook") }, value)
  }

  const payment = (metadata: Hex) => [ID, usd, PAID, holder.address, metadata] as const

  const previewedPay = (metadata: Hex) =>
    sandbox.client.readContract({
      ...sandbox.contract(TERMINAL),
      functionName: "previewPayFor",
      args: payment(metadata)
    })

  const cashOut = (metadata: Hex) => [holder.address, ID, COUNT, usd, holder.address, metadata] as const

  const previewedCashOut = (metadata: Hex) =>
    sandbox.client.readContract({
      ...sandbox.contract(TERMINAL),
      functionName: "previewCashOutFrom",
      args: cashOut(metadata)
    })

  it("issues where issuance reaches the payer's minimum, and takes no amount above the payment", async () => {
    const [, issued] = await previewedPay("0x")
    for (const metadata of [asking("pay", 0n, issued), asking("pay", PAID / 2n, 1n, 0n)]) {
      const [, count, , specs] = await previewedPay(metadata)
      assert.deepStrictEqual([count, specs.map(({ noop }) => noop)], [issued, [true]])
    }
    const [, nothing, , [spec]] = await previewedPay(asking("pay", 0n, MUCH))
    assert.deepStrictEqual([nothing, spec?.noop, spec?.amount], [0n, false, PAID])
    const error = (metadata: Hex) => {
      const data = encodeFunctionData({ abi, functionName: "previewPayFor", args: payment(metadata) })
      return errorOf(sandbox, holder, TERMINAL, data)
    }
    assert.strictEqual(await error(asking("pay", PAID + 1n, 1n)), "JBBuybackHook_InsufficientPayAmount")
    assert.isUndefined(await error(asking("pay", PAID)))
  })

  it("holds the treasury to the holder's minimum too, unless it is told to skip the pool", async () => {
    const [, gross, tax] = await previewedCashOut("0x")
    const net = gross - gross / 40n
    const [, reclaimed, kept, [spec]] = await previewedCashOut(asking("cashOut", net, 0n))
    assert.deepStrictEqual([reclaimed, kept, spec?.noop], [gross, tax, true])
    const [, skipped, , none] = await previewedCashOut(asking("cashOut", MUCH, 1n))
    assert.deepStrictEqual([skipped, none], [gross, []])
    const error = (metadata: Hex) => {
      const data = encodeFunctionData({
        abi: sandbox.contract(TERMINAL).abi,
        functionName: "previewCashOutFrom",
        args: cashOut(metadata)
      })
      return errorOf(sandbox, holder, TERMINAL, data)
    }
    const exceeding = await error(asking("cashOut", net + 1n, 0n))
    assert.strictEqual(exceeding, "JBBuybackHook_SpecifiedSlippageExceeded")
    assert.isUndefined(await error(asking("cashOut", net)))
  })
})
