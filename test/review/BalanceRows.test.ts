import { assert, describe, it } from "vitest"
import type { AssetChanges, Simulation } from "../../src/plans/Simulation.ts"
import { projectTokenKey, type Tokens, tokenKey } from "../../src/review/Amounts.ts"
import { balanceRows } from "../../src/review/BalanceRows.ts"
import { linesOf, NATIVE, OTHER, WALLET } from "./support/Reviews.ts"

const TOKEN = "0x3Aa5ebB10DC797CAC828524e59A333d0A371443c"

const simulation = (assetChanges: AssetChanges): Simulation => ({
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
})

const lines = (assetChanges: AssetChanges, tokens: Tokens = new Map()) =>
  linesOf(balanceRows(simulation(assetChanges), { account: WALLET }, tokens))

const given = { from: WALLET, to: OTHER } as const
const got = { from: OTHER, to: WALLET } as const

describe("what a simulation changes in a wallet's balances", () => {
  it("is told net, for each asset, in whole units where they are known", () => {
    const tokens: Tokens = new Map([
      [
        projectTokenKey(31_337, "2"),
        { symbol: "DEMO", name: "Demo", decimals: 18, place: tokenKey(31_337, TOKEN) }
      ]
    ])
    const status = "known"
    const changes = [
      { kind: "native", amount: "20000000000000000", ...given },
      { kind: "native", amount: "5000000000000000", ...got },
      { kind: "native", amount: "7", from: OTHER, to: TOKEN },
      { kind: "erc20", token: TOKEN, amount: "15840000000000000000", ...got },
      { kind: "erc721", token: OTHER, tokenId: "7", ...got }
    ] as const
    assert.deepStrictEqual(lines({ status, changes }, tokens), [
      "you give: 0.015 ETH",
      'you get: 15.84 "DEMO"',
      `you get: item 7 of ${OTHER}`
    ])
    assert.deepStrictEqual(lines({ status, changes: changes.slice(3, 4) }), [
      `you get: 15840000000000000000 in the smallest unit of token ${TOKEN} (its decimals are not known)`
    ])
  })

  it("is nothing where it evens out, and unknown where it is unknown", () => {
    const changes = [
      { kind: "erc20", token: NATIVE, amount: "5", ...given },
      { kind: "erc20", token: NATIVE, amount: "5", ...got }
    ] as const
    assert.deepStrictEqual(lines({ status: "known", changes }), [
      "your balances: stay as they are, but for the gas"
    ])
    assert.deepStrictEqual(lines({ status: "unknown", reason: "no\u202E" }), [
      "your balances: are not foreseen: no\\u{202E}"
    ])
  })
})
