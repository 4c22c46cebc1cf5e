import fc from "fast-check"
import { type Address, type LocalAccount, parseAbi, parseEther, parseEventLogs, zeroAddress } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NATIVE_CURRENCY, NATIVE_TOKEN } from "../../sandbox/calls.ts"
import { REVNET_ID } from "../../sandbox/families/revnets.ts"
import { least } from "../../src/operations/shared/economics/Arithmetic.ts"
import { reclaimable } from "../../src/operations/shared/economics/CashOut.ts"
import { loanFees } from "../../src/operations/shared/economics/Loans.ts"
import { payNative } from "./support/Launch.ts"
import { beneficiary, holder, owner, type Sandbox, startSandbox, stranger } from "./support/Sandbox.ts"

const abi = parseAbi([
  "struct Loan { uint112 amount; uint112 collateral; uint48 createdAt; uint16 prepaidFeePercent; uint32 prepaidDuration; address sourceToken; }",
  "struct Permit { uint256 sigDeadline; uint160 amount; uint48 expiration; uint48 nonce; bytes signature; }",
  "struct Permissions { address operator; uint64 projectId; uint8[] permissionIds; }",
  "function setPermissionsFor(address account, Permissions permissionsData)",
  "function setFeelessAddressFor(uint256 projectId, address addr, bool flag)",
  "function totalTokenSupplyWithReservedTokensOf(uint256 projectId) view returns (uint256)",
  "function currentSurplusOf(uint256 projectId, address[] tokens, uint256 decimals, uint256 currency) view returns (uint256)",
  "function totalBorrowedFrom(uint256 revnetId, address token) view returns (uint256)",
  "function totalCollateralOf(uint256 revnetId) view returns (uint256)",
  "function borrowableAmountFrom(uint256 revnetId, uint256 collateralCount, uint256 decimals, uint256 currency) view returns (uint256 borrowableNow, uint256 borrowableCapacity)",
  "function determineSourceFeeAmount(Loan loan, uint256 amount) view returns (uint256)",
  "function loanOf(uint256 loanId) view returns (Loan)",
  "function borrowFrom(uint256 revnetId, address token, uint256 minBorrowAmount, uint256 collateralCount, address beneficiary, uint256 prepaidFeePercent, address holder) returns (uint256 loanId, Loan)",
  "function repayLoan(uint256 loanId, uint256 maxRepayBorrowAmount, uint256 collateralCountToReturn, address beneficiary, Permit allowance) payable returns (uint256 paidOffLoanId, Loan paidOffloan)",
  "event Borrow(uint256 indexed loanId, uint256 indexed revnetId, Loan loan, address token, uint256 borrowAmount, uint256 collateralCount, uint256 sourceFeeAmount, address beneficiary, address caller)",
  "error JBPermissioned_Unauthorized(address account, address sender, uint256 projectId, uint256 permissionId)",
  "error ERC721NonexistentToken(uint256 tokenId)",
  "error REVLoans_CollateralExceedsLoan(uint256 collateralToReturn, uint256 loanCollateral)",
  "error REVLoans_InvalidAccountingContext(uint256 revnetId, address token)",
  "error REVLoans_InvalidPrepaidFeePercent(uint256 prepaidFeePercent, uint256 min, uint256 max)",
  "error REVLoans_LoanExpired(uint256 timeSinceLoanCreated, uint256 loanLiquidationDuration)",
  "error REVLoans_OverMaxRepayBorrowAmount(uint256 maxRepayBorrowAmount, uint256 repayBorrowAmount)",
  "error REVLoans_UnderMinBorrowAmount(uint256 minBorrowAmount, uint256 borrowAmount)",
  "error REVLoans_ZeroCollateralLoanIsInvalid(uint256 collateralCount)"
])

const TAX = 2_000n
const TEN_YEARS = 315_360_000n
const COLLATERAL = parseEther("100")
const PERCENT = 40n
const NO_PERMIT = { sigDeadline: 0n, amount: 0n, expiration: 0, nonce: 0, signature: "0x" } as const

describe("loans", () => {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox()
    await payNative(sandbox, REVNET_ID, parseEther("3"), holder.address)
    await permit(holder, sandbox.at("REVLoans"), 11)
  })
  afterAll(() => sandbox.stop())

  const on = (name: string) => ({ address: sandbox.at(name), abi })

  const permit = (account: LocalAccount, operator: Address, permissionId: number) =>
    sandbox.mined(
      sandbox.client.writeContract({
        ...on("JBPermissions"),
        account,
        functionName: "setPermissionsFor",
        args: [account.address, { operator, projectId: REVNET_ID, permissionIds: [permissionId] }]
      })
    )

  interface Terms {
    readonly account: LocalAccount
    readonly token: Address
    readonly least: bigint
    readonly collateral: bigint
    readonly percent: bigint
  }

  const usual = { token: NATIVE_TOKEN, least: 0n, collateral: COLLATERAL, percent: PERCENT }

  const borrow = async (over: Partial<Terms> = {}) => {
    const { account, token, least, collateral, percent } = { account: holder, ...usual, ...over }
    const args = [REVNET_ID, token, least, collateral, beneficiary.address, percent, holder.address] as const
    const { logs } = await sandbox.mined(
      sandbox.client.writeContract({ ...on("REVLoans"), account, functionName: "borrowFrom", args })
    )
    const [borrowed] = parseEventLogs({ abi, logs, eventName: "Borrow" })
    return borrowed?.args ?? assert.fail("no Borrow event")
  }

  const repay = (loanId: bigint, collateral: bigint, value = parseEther("1")) =>
    sandbox.mined(
      sandbox.client.writeContract({
        ...on("REVLoans"),
        account: holder,
        functionName: "repayLoan",
        args: [loanId, value, collateral, holder.address, NO_PERMIT],
        value
      })
    )

  const reverts = async (act: Promise<unknown>, error: string) =>
    assert.match(String(await act.catch(String)), new RegExp(error))

  const books = async () => {
    const { client } = sandbox
    const revnet = [REVNET_ID] as const
    const surplus = await client.readContract({
      ...on("JBMultiTerminal"),
      functionName: "currentSurplusOf",
      args: [REVNET_ID, [NATIVE_TOKEN], 18n, BigInt(NATIVE_CURRENCY)]
    })
    const supply = await client.readContract({
      ...on("JBController"),
      functionName: "totalTokenSupplyWithReservedTokensOf",
      args: revnet
    })
    const lent = await client.readContract({
      ...on("REVLoans"),
      functionName: "totalBorrowedFrom",
      args: [REVNET_ID, NATIVE_TOKEN]
    })
    const collateral = await client.readContract({
      ...on("REVLoans"),
      functionName: "totalCollateralOf",
      args: revnet
    })
    return { surplus, supply, lent, collateral }
  }

  const borrowable = (collateral: bigint) =>
    sandbox.client.readContract({
      ...on("REVLoans"),
      functionName: "borrowableAmountFrom",
      args: [REVNET_ID, collateral, 18n, BigInt(NATIVE_CURRENCY)]
    })

  it("follow the curve of cash-outs as if nothing had been lent, up to the surplus", async () => {
    const { surplus, supply, lent, collateral } = await books()
    const count = fc.bigInt({ min: 1n, max: supply + collateral })
    const property = fc.asyncProperty(count, async count => {
      const whole = { surplus: surplus + lent, supply: supply + collateral, count, taxRate: TAX }
      const capacity = reclaimable(whole)
      const now = least(capacity, surplus)
      assert.deepEqual(await borrowable(count), [now, capacity])
    })
    await fc.assert(property, { numRuns: 25 })
    assert.isAbove(Number(lent), 0)
  })

  it("pay out the surplus less the fees, burn the collateral, and give the fees to whom they belong", async () => {
    const before = await books()
    const balance = await sandbox.client.getBalance({ address: beneficiary.address })
    const { loanId, loan, borrowAmount, sourceFeeAmount } = await borrow()
    const fees = loanFees({
      gross: borrowAmount,
      prepaidFeePercent: PERCENT,
      isFeeless: false,
      paysRev: true
    })
    assert.equal(sourceFeeAmount, fees.source)
    const received = (await sandbox.client.getBalance({ address: beneficiary.address })) - balance
    assert.equal(received, fees.proceeds.min)
    const after = await books()
    assert.equal(after.lent - before.lent, borrowAmount)
    assert.equal(after.collateral - before.collateral, COLLATERAL)
    assert.equal(before.surplus - after.surplus, borrowAmount - fees.source)
    assert.equal(BigInt(loan.prepaidDuration), (PERCENT * TEN_YEARS) / 500n)
    await repay(loanId, COLLATERAL)
    assert.deepInclude(await books(), { lent: before.lent, collateral: before.collateral })
  })

  it("leave out the protocol's fee where the loans contract is feeless", async () => {
    const feeless = (flag: boolean) =>
      sandbox.mined(
        sandbox.client.writeContract({
          ...on("JBFeelessAddresses"),
          account: owner,
          functionName: "setFeelessAddressFor",
          args: [REVNET_ID, sandbox.at("REVLoans"), flag]
        })
      )
    await feeless(true)
    const balance = await sandbox.client.getBalance({ address: beneficiary.address })
    const { borrowAmount: gross } = await borrow()
    await feeless(false)
    const { proceeds } = loanFees({ gross, prepaidFeePercent: PERCENT, isFeeless: true, paysRev: true })
    const received = (await sandbox.client.getBalance({ address: beneficiary.address })) - balance
    assert.equal(received, proceeds.min)
  })

  it("cost more the longer they run beyond what is prepaid, in thousandths of what is not", async () => {
    const { timestamp, number: blockNumber } = await sandbox.client.getBlock()
    const percent = fc.bigInt({ min: 25n, max: 500n })
    const age = fc.bigInt({ min: 0n, max: TEN_YEARS })
    const amount = fc.bigInt({ min: 1n, max: 2n ** 100n })
    const property = fc.asyncProperty(percent, age, amount, amount, async (percent, age, amount, part) => {
      const prepaid = (percent * TEN_YEARS) / 500n
      const loan = {
        amount,
        collateral: 1n,
        createdAt: Number(timestamp - age),
        prepaidFeePercent: Number(percent),
        prepaidDuration: Number(prepaid),
        sourceToken: NATIVE_TOKEN
      }
      const unpaid = amount - (amount * percent) / 1_000n
      const whole =
        age <= prepaid ? 0n : (unpaid * (((age - prepaid) * 1_000n) / (TEN_YEARS - prepaid))) / 1_000n
      const fee = await sandbox.client.readContract({
        ...on("REVLoans"),
        functionName: "determineSourceFeeAmount",
        args: [loan, part],
        blockNumber
      })
      assert.equal(fee, (whole * part) / amount)
    })
    await fc.assert(property, { numRuns: 25 })
  })

  it("are refused by the errors of the deployed contract", async () => {
    const { loanId, borrowAmount } = await borrow()
    const most = borrowAmount * 2n
    await reverts(borrow({ account: stranger }), "JBPermissioned_Unauthorized")
    await reverts(borrow({ collateral: 0n }), "REVLoans_ZeroCollateralLoanIsInvalid")
    await reverts(borrow({ percent: 24n }), "REVLoans_InvalidPrepaidFeePercent")
    await reverts(borrow({ percent: 501n }), "REVLoans_InvalidPrepaidFeePercent")
    await reverts(borrow({ token: zeroAddress }), "REVLoans_InvalidAccountingContext")
    await reverts(borrow({ least: most }), "REVLoans_UnderMinBorrowAmount")
    await reverts(repay(loanId, COLLATERAL + 1n), "REVLoans_CollateralExceedsLoan")
    await reverts(repay(loanId, COLLATERAL, borrowAmount - 1n), "REVLoans_OverMaxRepayBorrowAmount")
    await repay(loanId, COLLATERAL)
    await reverts(repay(loanId, COLLATERAL), "JBPermissioned_Unauthorized")
    const late = await borrow()
    await sandbox.pass(Number(TEN_YEARS) + 1)
    await reverts(repay(late.loanId, COLLATERAL), "REVLoans_LoanExpired")
  })
})
