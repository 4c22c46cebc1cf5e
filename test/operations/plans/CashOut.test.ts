import { type Address, parseEther, zeroAddress } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import type { Plan } from "../../../src/plans/Plan.ts"
import { holder, onSandbox, stranger } from "../../sandbox/support/Sandbox.ts"
import { enrolled, prepared, refused, relayed, startPlanBench } from "../../support/PlanBench.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"

const project = { chainId: 31337, projectId: "2" }
const DEMO = 2n
const CASH_OUT_TOKENS = 4
const BENEFICIARY = "0x00000000000000000000000000000000000000AA"

const bench = await startPlanBench()
const chain = onSandbox(bench.chain.url, bench.manifest)

afterAll(() => bench.stop())

const cashOut = (over: object = {}) => ({
  project,
  account: holder.address,
  holder: holder.address,
  beneficiary: BENEFICIARY,
  tokenToReclaim: NATIVE_TOKEN,
  cashOutCount: String(parseEther("500")),
  ...over
})

const summaryOf = ({ summary }: Plan) => Object(summary)

const tokensOf = (account: Address) =>
  chain.client.readContract({
    ...chain.contract("JBTokens"),
    functionName: "totalBalanceOf",
    args: [account, DEMO]
  })

describe("prepare_cash_out", () => {
  it("plans the cash out with the least that its quote lets it return, which the relay proves", async () => {
    const before = await tokensOf(holder.address)
    const plan = await prepared(bench, bench.holder, "prepare_cash_out", cashOut({ slippageBps: 0 }))
    const summary = summaryOf(plan)
    assert.deepInclude(summary, {
      route: "treasury",
      authority: "holder",
      holderBalance: { status: "known", value: String(before) },
      terminalMinimum: summary.expectedReturn
    })
    await relayed(bench, bench.holder, plan)
    assert.strictEqual(before - (await tokensOf(holder.address)), parseEther("500"))
    const received = await chain.client.getBalance({ address: BENEFICIARY })
    assert.strictEqual(String(received), summary.expectedReturn)
  })

  it("lets who has the holder's permission cash out for it, and nobody else", async () => {
    const party = await enrolled(bench, 3)
    const input = cashOut({ account: stranger.address })
    assert.strictEqual(await refused(bench, party, "prepare_cash_out", input), "PERMISSION_DENIED")
    await chain.mined(
      chain.client.writeContract({
        ...chain.contract("JBPermissions"),
        account: holder,
        functionName: "setPermissionsFor",
        args: [
          holder.address,
          { operator: stranger.address, projectId: DEMO, permissionIds: [CASH_OUT_TOKENS] }
        ]
      })
    )
    const plan = await prepared(bench, party, "prepare_cash_out", input)
    assert.strictEqual(summaryOf(plan).authority, "permission")
    await relayed(bench, party, plan)
  })

  it("refuses what could not be cashed out", async () => {
    const cases: ReadonlyArray<readonly [object, string]> = [
      [{ project: { chainId: 31337, projectId: "999" } }, "PROJECT_NOT_FOUND"],
      [{ project: { chainId: 10, projectId: "2" } }, "UNSUPPORTED_CHAIN"],
      [{ cashOutCount: String(parseEther("100000000")) }, "INSUFFICIENT_BALANCE"],
      [{ cashOutCount: "1" }, "NOTHING_TO_RECLAIM"],
      [{ tokenToReclaim: bench.manifest.seeded.token }, "TOKEN_NOT_ACCEPTED"],
      [{ terminal: stranger.address }, "UNSUPPORTED_TERMINAL"],
      [{ beneficiary: zeroAddress }, "INVALID_INPUT"],
      [{ slippageBps: -1 }, "INVALID_INPUT"]
    ]
    for (const [over, code] of cases)
      assert.strictEqual(
        await refused(bench, bench.holder, "prepare_cash_out", cashOut(over)),
        code,
        JSON.stringify(over)
      )
  })
})

describe("prepare_cash_out of every project of the sandbox", () => {
  it.each(["1", "2", "3", "4", "5", "6"])("%s returns what its plan said", async projectId => {
    const of = { project: { chainId: 31337, projectId }, account: holder.address }
    const amount = String(parseEther("1"))
    const pay = { ...of, beneficiary: holder.address, token: NATIVE_TOKEN, amount }
    const paid = await relayed(bench, bench.holder, await prepared(bench, bench.holder, "prepare_pay", pay))
    const cashOutCount = String(BigInt(summaryOf(paid).beneficiaryTokenCount) / 2n)
    const before = await chain.client.getBalance({ address: BENEFICIARY })
    const input = cashOut({ ...of, cashOutCount })
    const plan = await prepared(bench, bench.holder, "prepare_cash_out", input)
    await relayed(bench, bench.holder, plan)
    const received = (await chain.client.getBalance({ address: BENEFICIARY })) - before
    assert.strictEqual(String(received), summaryOf(plan).expectedReturn)
  })
})
