/** Plans for a wallet of several owners: who pays is the wallet, whoever reads it. */
import { assert, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { tokenKey } from "../../src/review/Amounts.ts"
import { balanceRows } from "../../src/review/BalanceRows.ts"
import { sentence } from "../../src/review/Words.ts"
import { plannedWallet } from "../client/support/PlanRecords.ts"
import { CLONE_FAMILY } from "./support/CloneFamily.ts"
import {
  callOf,
  contract,
  linesOf,
  NATIVE,
  OTHER,
  planOf,
  reviewOf,
  TERMINAL,
  WALLET
} from "./support/Reviews.ts"

const terminal = contract("JBMultiTerminal", [
  "function pay(uint256 projectId, address token, uint256 amount, address beneficiary, uint256 minReturnedTokens, string memo, bytes metadata) payable"
])
const token = contract("JBERC20", ["function approve(address spender, uint256 value)"], {
  cloneFamilies: [CLONE_FAMILY],
  deployments: []
})

const payment = (beneficiary = WALLET, over: Partial<Plan["calls"][number]> = {}) =>
  callOf(
    terminal,
    [2n, NATIVE, 20_000_000_000_000_000n, beneficiary, 0n, "", "0x"],
    ["2", NATIVE, "20000000000000000", beneficiary, "0", "", "0x"],
    { value: "20000000000000000", ...over }
  )

const approval = (value: bigint) => callOf(token, [TERMINAL, value], [TERMINAL, String(value)], { to: OTHER })

const smartAccount = plannedWallet(WALLET)

const reviewed = async (calls: Plan["calls"], over: Partial<Plan> = {}) =>
  reviewOf(await planOf(calls, { smartAccount, ...over }), terminal, {
    others: [token],
    tokens: new Map([[tokenKey(31_337, OTHER), { symbol: "USD", decimals: 6 }]])
  })

const said = async (calls: Plan["calls"]) => sentence((await reviewed(calls)).sentence)

describe("the sentence of a wallet's plan", () => {
  it("says that the wallet pays, and what comes to it", async () => {
    assert.equal(
      await said([payment()]),
      `The wallet ${WALLET} will pay 0.02 ETH to project 2 and get an amount of its tokens decided when it runs, perhaps none; 100 % go to it.`
    )
    assert.match(await said([payment(OTHER)]), new RegExp(`100 % go to ${OTHER}, none to it\\.$`))
  })

  it("says what comes before, and what it lets others take", async () => {
    assert.equal(
      await said([approval(25_000_000n), payment()]),
      `The wallet ${WALLET} will pay 0.02 ETH to project 2 and get an amount of its tokens decided when it runs, perhaps none; 100 % go to it. Before that it will allow JBMultiTerminal (${TERMINAL}) to take up to 25 "USD" from it.`
    )
    assert.include(await said([approval(0n), payment()]), `take none of its "USD" any more.`)
    assert.include(
      await said([approval(2n ** 256n - 1n), payment()]),
      `to take all of its "USD", now and later.`
    )
    assert.match(await said([payment(), payment()]), /\. Then it will pay 0\.02 ETH to project 2 /)
  })

  it("is of each call too, with who pays its gas, and the plan names the binding", async () => {
    const { calls, rows, dangers } = await reviewed([payment()])
    assert.deepEqual(dangers, [])
    assert.match(sentence(calls[0]?.sentence ?? []), new RegExp(`^The wallet ${WALLET} will pay 0\\.02 ETH `))
    const lines = linesOf(calls[0]?.rows ?? [])
    assert.include(lines, "gas: paid by the wallet, or by a paymaster: its owners sign a user operation")
    assert.include(linesOf(rows), `wallet: ${WALLET}`)
    assert.include(linesOf(rows), `bound as: ${smartAccount.bindingId}`)
  })
})

describe("a wallet's plan that is not what it seems", () => {
  it("names another wallet, or calls on another chain, than it commits to", async () => {
    const fault = "the plan's calls are not those of its smart account"
    const others = await reviewed([payment()], { smartAccount: plannedWallet(OTHER) })
    assert.deepEqual(others.dangers, [fault])
    const elsewhere = await reviewed([payment(WALLET, { chainId: 1 })])
    assert.include(elsewhere.dangers, fault)
  })

  it("names a wallet, a binding or a state that was not committed to", async () => {
    const plan = await planOf([payment()], { smartAccount })
    const changes = [
      { bindingId: `0x${"00".repeat(32)}` },
      { stateHash: `0x${"00".repeat(32)}` },
      { manifestId: "x" }
    ] as const
    for (const change of changes) {
      const altered = { ...plan, smartAccount: { ...smartAccount, ...change } }
      const { dangers } = await reviewOf(altered, terminal)
      assert.deepEqual(dangers, ["the commitment does not match this plan"])
    }
    const { smartAccount: _, ...without } = plan
    assert.include((await reviewOf(without, terminal)).dangers, "the commitment does not match this plan")
  })
})

describe("what a simulation changes in a wallet's balances", () => {
  const lines = (assetChanges: Parameters<typeof balanceRows>[0]["assetChanges"]) =>
    linesOf(
      balanceRows(
        {
          planId: "5f0c8a52-0b1c-4f0a-9f53-000000000001",
          commitment: `0x${"11".repeat(32)}`,
          stepIndex: 0,
          simulated: true,
          chainId: 31_337,
          blockNumber: "1",
          blockHash: `0x${"22".repeat(32)}`,
          result: "0x",
          estimatedGas: "21000",
          assetChanges,
          limitations: []
        },
        { account: WALLET, smartAccount },
        new Map()
      )
    )

  it("is the wallet's, whoever reads it", () => {
    const changes = [
      { kind: "native", amount: "20000000000000000", from: WALLET, to: OTHER },
      { kind: "erc721", token: OTHER, tokenId: "7", from: OTHER, to: WALLET }
    ] as const
    assert.deepEqual(lines({ status: "known", changes }), [
      "the wallet gives: 0.02 ETH",
      `the wallet gets: item 7 of ${OTHER}`
    ])
    assert.deepEqual(lines({ status: "known", changes: [] }), [
      "the wallet's balances: stay as they are, but for the gas"
    ])
  })
})
