import { type Address, encodeFunctionData, parseAbi, parseEther, toHex, zeroAddress, zeroHash } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { revnetAbi } from "../../../sandbox/families/revnets.ts"
import { prepared, refused, relayed } from "../../support/PlanBench.ts"
import { abi, at, borrowing, loanOf, proven, sent, startLoanBench, tokensOf } from "../support/Loans.ts"

const SPLITS_TOTAL = 1_000_000_000
const currencyOf = (token: Address) => Number(BigInt(token) & 0xffffffffn)
const demo = (): Address => bench.manifest.seeded.token

/** A revnet whose only account is in the demo project's token, priced in it too. */
const deployRevnet = async () => {
  const beneficiary = bench.manifest.accounts.beneficiary
  const share = { percent: SPLITS_TOTAL, projectId: 0n, beneficiary, lockedUntil: 0, hook: zeroAddress }
  const stage = {
    startsAtOrAfter: 0,
    autoIssuances: [],
    splitPercent: 0,
    splits: [{ ...share, preferAddToBalance: false }],
    initialIssuance: parseEther("10"),
    issuanceCutFrequency: 0,
    issuanceCutPercent: 0,
    cashOutTaxRate: 1_000,
    extraMetadata: 0
  }
  const configuration = {
    description: { name: "Tokens", ticker: "TOK", uri: "", salt: toHex("tokens", { size: 32 }) },
    baseCurrency: currencyOf(demo()),
    operator: beneficiary,
    scopeCashOutsToLocalBalances: false,
    stageConfigurations: [stage]
  }
  const data = encodeFunctionData({
    abi: revnetAbi,
    functionName: "deployFor",
    args: [
      0n,
      configuration,
      [{ token: demo(), decimals: 18, currency: currencyOf(demo()) }],
      { deployerConfigurations: [], salt: zeroHash }
    ]
  })
  await sent(bench, bench.holder, at(bench, "REVDeployer"), data)
  return bench.client.readContract({
    address: at(bench, "JBProjects"),
    abi: parseAbi(["function count() view returns (uint256)"]),
    functionName: "count"
  })
}

const approve = (spender: Address, value: bigint) =>
  sent(
    bench,
    bench.holder,
    demo(),
    encodeFunctionData({ abi, functionName: "approve", args: [spender, value] })
  )

const payRevnet = async (amount: bigint) => {
  const { address } = bench.holder.key
  await approve(at(bench, "JBMultiTerminal"), amount)
  const args = [revnetId, demo(), amount, address, 0n, "", "0x"] as const
  await sent(
    bench,
    bench.holder,
    at(bench, "JBMultiTerminal"),
    encodeFunctionData({ abi, functionName: "pay", args })
  )
}

const balance = () =>
  bench.client.readContract({
    address: demo(),
    abi,
    functionName: "balanceOf",
    args: [bench.holder.key.address]
  })

const allowance = () =>
  bench.client.readContract({
    address: demo(),
    abi,
    functionName: "allowance",
    args: [bench.holder.key.address, at(bench, "REVLoans")]
  })

const bench = await startLoanBench()
const revnetId = await deployRevnet()
await payRevnet(parseEther("1000"))

afterAll(() => bench.stop())

const COLLATERAL = parseEther("2000")

const terms = (over: object = {}) =>
  borrowing(bench.holder, {
    project: { chainId: 31337, projectId: String(revnetId) },
    token: demo(),
    collateralCount: String(COLLATERAL),
    ...over
  })

const repaying = (loanId: string, over: object = {}) => ({
  chainId: 31337,
  loanId,
  account: bench.holder.key.address,
  maxRepayBorrowAmount: String(parseEther("500")),
  collateralCountToReturn: String(COLLATERAL),
  beneficiary: bench.holder.key.address,
  ...over
})

const namesOf = (calls: ReadonlyArray<{ readonly decoded: { readonly function: string } }>) =>
  calls.map(({ decoded }) => decoded.function.split("(")[0])

describe("loans in an ERC-20 token", () => {
  it("are paid out in it, and repaid by exact allowances in three round trips", async () => {
    const { holder } = bench
    const before = await balance()
    const borrow = await prepared(bench, holder, "prepare_borrow", terms())
    assert.deepInclude(Object(borrow.summary), {
      tokenDecimals: "18",
      revFee: { status: "known", value: "0" }
    })
    const { min } = Object(borrow.summary).liquidProceeds.value
    const loanId = proven(await relayed(bench, holder, borrow), "Borrow", "loanId")
    assert.strictEqual((await balance()) - before, BigInt(min))

    const half = { collateralCountToReturn: String(COLLATERAL / 2n) }
    await prepared(bench, holder, "prepare_repay", repaying(loanId, half))
    const { value: part, roundTrips } = await bench.node.during(() =>
      prepared(bench, holder, "prepare_repay", repaying(loanId, half))
    )
    assert.isAtMost(roundTrips, 3)
    assert.deepStrictEqual(namesOf(part.calls), ["approve", "repayLoan"])
    assert.deepStrictEqual(part.calls[1]?.value, "0")
    assert.deepInclude(Object(part.summary).wallet.token, {
      allowance: "0",
      needed: String(parseEther("500"))
    })
    const [tokens, held] = [await tokensOf(bench, holder.key.address, revnetId), await balance()]
    const next = proven(await relayed(bench, holder, part), "RepayLoan", "paidOffLoanId")
    assert.strictEqual(held - (await balance()), BigInt(Object(part.summary).total))
    assert.strictEqual(await tokensOf(bench, holder.key.address, revnetId), tokens + COLLATERAL / 2n)

    await approve(at(bench, "REVLoans"), 1n)
    const { amount } = await loanOf(bench, next)
    const rest = repaying(next, {
      collateralCountToReturn: String(COLLATERAL / 2n),
      maxRepayBorrowAmount: String(amount)
    })
    const whole = await prepared(bench, holder, "prepare_repay", rest)
    assert.deepStrictEqual(namesOf(whole.calls), ["approve", "approve", "repayLoan"])
    assert.lengthOf(whole.warnings, 3)
    await relayed(bench, holder, whole)
    assert.strictEqual((await loanOf(bench, next)).amount, 0n)
    assert.strictEqual(await allowance(), 0n)
  })

  it("are refused to a wallet that has less of the token than the maximum", async () => {
    const { holder } = bench
    const borrow = await prepared(bench, holder, "prepare_borrow", terms())
    const loanId = proven(await relayed(bench, holder, borrow), "Borrow", "loanId")
    const riches = repaying(loanId, { maxRepayBorrowAmount: String((await balance()) + 1n) })
    assert.strictEqual(await refused(bench, holder, "prepare_repay", riches), "INSUFFICIENT_BALANCE")
  })
})
