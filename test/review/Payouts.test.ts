import { assert, describe, it } from "vitest"
import { inPast } from "../../src/review/sentences/Past.ts"
import { sentence } from "../../src/review/Words.ts"
import { callOf, contract, NATIVE, planOf, reviewOf, WALLET } from "./support/Reviews.ts"

const terminal = contract("JBMultiTerminal", [
  "function sendPayoutsOf(uint256 projectId, address token, uint256 amount, uint256 currency, uint256 minTokensPaidOut)",
  "function useAllowanceOf(uint256 projectId, address token, uint256 amount, uint256 currency, uint256 minTokensPaidOut, address beneficiary, address feeBeneficiary, string memo)"
])

const ETHER = 10n ** 18n
const OWN = 61_166n
const DOLLARS = 2n

const told = async (args: ReadonlyArray<unknown>, signature: 0 | 1) => {
  const described = { ...terminal, abi: [terminal.abi[signature] ?? assert.fail()] }
  const call = callOf(described, args, args.map(String))
  return (await reviewOf(await planOf([call]), terminal)).sentence
}

const paying = (least: bigint, currency = OWN) => told([2n, NATIVE, ETHER, currency, least], 0)

const drawing = (least: bigint) => told([2n, NATIVE, ETHER, OWN, least, WALLET, WALLET, ""], 1)

const TO = "to whoever its payout splits name when it runs, and what they leave to whoever owns it."

describe("a payout, which the terminal cuts to what its limit leaves", () => {
  it("is of the amount alone only where nothing less may be paid out", async () => {
    assert.strictEqual(sentence(await paying(ETHER)), `You have project 2 pay out 1 ETH ${TO}`)
    assert.strictEqual(
      sentence(await paying(ETHER / 2n)),
      `You have project 2 pay out up to 1 ETH, at least 0.5 ETH, ${TO}`
    )
    assert.strictEqual(
      sentence(await paying(0n)),
      `You have project 2 pay out up to 1 ETH, perhaps none, ${TO}`
    )
  })

  it("is of an amount in another currency at the most", async () => {
    const worth = "worth up to 1000000000000000000 in the smallest unit of currency 2,"
    assert.strictEqual(
      sentence(await paying(ETHER / 2n, DOLLARS)),
      `You have project 2 pay out at least 0.5 ETH, ${worth} ${TO}`
    )
    assert.strictEqual(
      sentence(await paying(0n, DOLLARS)),
      `You have project 2 pay out an amount of ETH decided when it runs, perhaps none, ${worth} ${TO}`
    )
  })

  it("claims no more once it was sent", async () => {
    const [, ...clause] = await paying(0n)
    assert.strictEqual(sentence(inPast(clause)), `had project 2 pay out up to 1 ETH, perhaps none, ${TO}`)
  })
})

describe("a draw on the allowance, which the terminal takes whole or refuses", () => {
  it("is of the amount, whatever of it is the fee", async () => {
    assert.match(
      sentence(await drawing(1n)),
      /^You take 1 ETH from the surplus of project 2 and get at least /
    )
    assert.match(
      sentence(await drawing(0n)),
      /^You take 1 ETH from the surplus of project 2 and get an amount /
    )
  })
})
