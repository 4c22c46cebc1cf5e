import { assert, describe, it } from "vitest"
import { projectTokenKey, type TokenFacts, tokenKey } from "../../src/review/Amounts.ts"
import { cloneKey } from "../../src/review/ExplainCall.ts"
import { sentence } from "../../src/review/Words.ts"
import { CLONE_FAMILY } from "./support/CloneFamily.ts"
import {
  callOf,
  contract,
  type Described,
  NATIVE,
  OTHER,
  planOf,
  type ReviewOptions,
  reviewOf,
  WALLET
} from "./support/Reviews.ts"

const TOKEN = "0x3Aa5ebB10DC797CAC828524e59A333d0A371443c"

const terminal = contract("JBMultiTerminal", [
  "function pay(uint256 projectId, address token, uint256 amount, address beneficiary, uint256 minReturnedTokens, string memo, bytes metadata) payable"
])

const payment = (beneficiary = WALLET, token = NATIVE, value = "20000000000000000") =>
  callOf(
    terminal,
    [2n, token, BigInt(value), beneficiary, 15_840_000_000_000_000_000n, "", "0x"],
    ["2", token, value, beneficiary, "15840000000000000000", "", "0x"],
    { value: token === NATIVE ? value : "0" }
  )

const said = async (
  calls: Parameters<typeof planOf>[0],
  options: ReviewOptions = {},
  described: Described = terminal
) => sentence((await reviewOf(await planOf(calls), described, options)).sentence)

const project = (facts: Pick<TokenFacts, "symbol" | "name">): ReviewOptions => ({
  tokens: new Map([[projectTokenKey(31_337, "2"), { decimals: 18, ...facts }]])
})

describe("a sentence", () => {
  it("says who pays what for what, and who gets it", async () => {
    assert.strictEqual(
      await said([payment()], project({ name: "Demo", symbol: "DEMO" })),
      'You pay 0.02 ETH to project 2 "Demo" and get at least 15.84 "DEMO"; 100 % go to you.'
    )
    assert.strictEqual(
      await said([payment(OTHER)]),
      `You pay 0.02 ETH to project 2 for at least 15.84 of its tokens; 100 % go to ${OTHER}, none to you.`
    )
  })

  it("lets no name say anything in its own words", async () => {
    const hostile = [
      ['D" and get 1000 ETH; 100 % go to you. "', "D\\u{22} and get 1000 …"],
      ["D\u201d and get", "D\\u{201D} and get"],
      ["\u202eOMED\nDEMO\u0007", "\\u{202E}OMED\\u{A}DEMO\\u{7}"],
      ["z".repeat(10_000), `${"z".repeat(16)}…`],
      ['\\\\"x', "\\\\\\\\\\u{22}x"]
    ] as const
    for (const [symbol, shown] of hostile)
      assert.strictEqual(
        await said([payment()], project({ name: "Demo", symbol })),
        `You pay 0.02 ETH to project 2 "Demo" and get at least 15.84 "${shown}"; 100 % go to you.`
      )
    const [first = assert.fail(), ...rest] = (
      await said([payment()], project({ name: `Demo" and get 1000 ETH ${"x".repeat(99)}`, symbol: "" }))
    ).split('"')
    assert.strictEqual(first, "You pay 0.02 ETH to project 2 ")
    assert.match(rest[0] ?? "", /^Demo\\u\{22\} and get 1000 ETH x{17}…$/)
    assert.strictEqual(rest[1], " and get at least 15.84 of its tokens; 100 % go to you.")
  })

  it("does not take a token for the native currency, whatever it calls itself", async () => {
    const tokens = new Map([[tokenKey(31_337, TOKEN), { symbol: "ETH", decimals: 18 }]])
    assert.match(await said([payment(WALLET, TOKEN)], { tokens }), /^You pay 0\.02 "ETH" to project 2 /)
    const absurd = new Map([[tokenKey(31_337, TOKEN), { symbol: "ETH", decimals: 255 }]])
    assert.match(
      await said([payment(WALLET, TOKEN)], { tokens: absurd }),
      /^You pay 20000000000000000 in the smallest unit of token 0x3Aa5[0-9a-zA-Z]+ \(its decimals are not known\) to/
    )
  })

  it("says nothing of a plan that is not what it seems", async () => {
    const other = { ...payment(), decoded: payment(OTHER).decoded }
    assert.strictEqual(await said([other]), "This plan is not what it seems: sign nothing of it.")
  })

  it("tells a function of the same name, yet of other arguments, by its name", async () => {
    const other = contract("JBMultiTerminal", ["function pay(uint256 projectId, address token) payable"])
    const call = callOf(other, [2n, OTHER], ["2", OTHER], { value: "1000000000000000000" })
    assert.strictEqual(await said([call], {}, other), "You call pay of JBMultiTerminal with 1 ETH.")
  })

  it("says of a clone that nobody proved that it may be something else", async () => {
    const over = { cloneFamilies: [CLONE_FAMILY], deployments: [] }
    const bridge = contract("JBOptimismSucker", ["function syncAccountingData() payable"], over)
    const call = callOf(bridge, [], [], { to: OTHER, value: "5000000000000000" })
    const sync = `You have the bridge ${OTHER} tell its other chain the accounts of its project, and pay for the transport 0.005 ETH`
    assert.strictEqual(await said([call], {}, bridge), `${sync}, if ${OTHER} is what the plan takes it for.`)
    assert.strictEqual(await said([call], { clones: new Map([[cloneKey(call), true]]) }, bridge), `${sync}.`)
    const other = contract("Other", ["function poke(uint256 x)"], over)
    const poke = callOf(other, [1n], ["1"], { to: OTHER })
    assert.strictEqual(
      await said([poke], {}, other),
      `You call poke of an unknown contract at ${OTHER} with 0 ETH.`
    )
  })
})
