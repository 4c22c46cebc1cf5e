/** Why a transaction reverted is found by running its call again at the parent block. */
import { encodeErrorResult, type Hex, parseAbi, size } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { forgetAbi } from "../support/ForgottenAbi.ts"
import { mined } from "../support/Mined.ts"
import { stepOf } from "../support/PlannedCalls.ts"
import { mine, startRelayBench } from "../support/RelayBench.ts"
import { relayed } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import { hashOf } from "../support/SignedCalls.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, shown } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const node = (method: string, parameters: ReadonlyArray<unknown>) => rpc(bench.chain.url, method, parameters)

const revertingWith = (data: Hex) => (): Hex =>
  `0x61${size(data).toString(16).padStart(4, "0")}80600c6000396000fd${data.slice(2)}`

const message = (text: string): Hex =>
  encodeErrorResult({ abi: parseAbi(["error Error(string message)"]), args: [text] })

/** Code that reverts in the block of this number alone. */
const revertingIn = (number: number): Hex =>
  `0x4361${number.toString(16).padStart(4, "0")}14600957005b60006000fd`

/** A payment whose terminal came to have other code in the block before its own. */
const reverted = async (
  codeFor: (own: number) => Hex,
  beforeItIsMined: (plan: Plan) => Promise<unknown> = async () => {}
) => {
  const terminal = bench.manifest.deployments.find(({ alias }) => alias === "JBMultiTerminal")?.address
  const trueCode = await node("eth_getCode", [terminal, "latest"])
  await node("evm_setAutomine", [false])
  const { owner, plan, raw } = await relayed(bench)
  await beforeItIsMined(plan)
  await node("anvil_setCode", [terminal, codeFor(Number(await node("eth_blockNumber", [])) + 2)])
  await node("anvil_dropTransaction", [hashOf(raw)])
  await mine(bench, 1)
  await node("eth_sendRawTransaction", [raw])
  await mine(bench)
  await node("anvil_setCode", [terminal, trueCode])
  await node("evm_setAutomine", [true])
  await mined(bench, raw)
  const { blockNumber } = await node("eth_getTransactionReceipt", [hashOf(raw)])
  const parent = await node("eth_getBlockByNumber", [`0x${(BigInt(blockNumber) - 1n).toString(16)}`, false])
  const at = { blockNumber: String(BigInt(parent.number)), blockHash: parent.hash }
  return { owner, plan, raw, at, refresh: () => refreshed(bench.service, owner, plan) }
}

const semanticOf = (plan: Plan) => stepOf(plan).semantic ?? assert.fail("no effects are told")

const FAILED = { status: "failed", reason: "the transaction reverted" } as const

const callsMade = () => bench.proxy.records.filter(({ method }) => method === "eth_call").length

describe("a transaction that reverted", () => {
  it("says with what the same call reverts at the end of the parent block, which is asked for once", async () => {
    const { owner, plan, at, refresh } = await reverted(revertingWith(message("no more")))
    const [before, trips] = [callsMade(), bench.proxy.roundTrips()]
    const revert = {
      status: "known",
      ...at,
      selector: "0x08c379a0",
      name: "Error",
      args: [{ name: "message", type: "string", value: "no more" }]
    } as const
    assert.deepStrictEqual(semanticOf(await refresh()), { ...FAILED, revert })
    assert.isAtMost(bench.proxy.roundTrips() - trips, 3)
    await mine(bench, 1)
    assert.deepStrictEqual(semanticOf(await refresh()), { ...FAILED, revert })
    assert.deepStrictEqual(semanticOf(await shown(bench.service, owner, plan)), { ...FAILED, revert })
    assert.strictEqual(callsMade() - before, 1)
  })

  it.each([
    ["does not revert again", revertingIn, "did not revert when it was run again"],
    ["runs out of gas", (): Hex => "0x5b600056", "error"]
  ] as const)("says why its reason is unknown where the call %s", async (_, codeFor, reason) => {
    const { refresh, at } = await reverted(codeFor)
    const { revert } = semanticOf(await refresh())
    assert.deepInclude(revert, { status: "unknown", ...at })
    assert.include(revert?.status === "unknown" ? revert.reason : "", reason)
  })

  it.each([
    ["has a NUL in it", message("no \0 more")],
    ["is long", message("no more ".repeat(300))]
  ])("is stored with its error's name alone where what it says %s", async (_, data) => {
    const { refresh, at } = await reverted(revertingWith(data))
    const revert = { status: "known", ...at, selector: "0x08c379a0", name: "Error" } as const
    assert.deepStrictEqual(semanticOf(await refresh()).revert, revert)
  })

  it("is stored with its error's selector where the catalog has the call's ABI no more", async () => {
    const { refresh, at } = await reverted(revertingWith("0xdeadbeef"), plan =>
      forgetAbi(bench.service.databaseUrl, plan)
    )
    const revert = { status: "known", ...at, selector: "0xdeadbeef" } as const
    assert.deepStrictEqual(semanticOf(await refresh()), { ...FAILED, revert })
  })

  it("is told as such while no node answers why, and says why once one does", async () => {
    const { refresh, plan, at } = await reverted(revertingWith("0x"))
    await sqlOn(bench.service.databaseUrl, "UPDATE plans SET sweep_at = NULL WHERE id = $1", [plan.id])
    bench.proxy.fault({ method: "eth_call", phase: "before", act: { kind: "status", status: 503 } })
    const found = await refresh()
    assert.strictEqual(stepOf(found).state, "reverted")
    assert.deepStrictEqual(semanticOf(found), FAILED)
    const limit = { kind: "error", code: -32_005, message: "limit exceeded" } as const
    bench.proxy.fault({ method: "eth_call", phase: "before", act: limit })
    assert.deepStrictEqual(semanticOf(await refresh()), FAILED)
    assert.deepStrictEqual(semanticOf(await refresh()).revert, { status: "known", ...at, selector: null })
  })
})
