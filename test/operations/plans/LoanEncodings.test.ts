import { Interface } from "ethers"
import fc from "fast-check"
import { describe, it } from "vitest"
import { borrowCalls } from "../../../src/operations/revnets/prepare_borrow/BorrowCalls.ts"
import { repayCalls } from "../../../src/operations/revnets/prepare_repay/RepayCalls.ts"
import { agreesWithEthers, anAddress, aProject, aUint } from "../../support/Encodings.ts"

const NATIVE = "0x000000000000000000000000000000000000EEEe"
const LOANS = "0x056265c31157748818f0910d1859acd2f7d427de"
const PERMISSIONS = "0xf92ac1ab5a00033e35a3975739124f61928c36b0"

const protocol = new Interface([
  "function setPermissionsFor(address account, (address operator, uint64 projectId, uint8[] permissionIds) permissionsData)",
  "function borrowFrom(uint256 revnetId, address token, uint256 minBorrowAmount, uint256 collateralCount, address beneficiary, uint256 prepaidFeePercent, address holder)",
  "function repayLoan(uint256 loanId, uint256 maxRepayBorrowAmount, uint256 collateralCountToReturn, address beneficiary, (uint256 sigDeadline, uint160 amount, uint48 expiration, uint48 nonce, bytes signature) allowance)",
  "function approve(address spender, uint256 value)"
])

const encode = (name: string, args: ReadonlyArray<unknown>) => protocol.encodeFunctionData(name, args)

const permissionIds = fc.uniqueArray(fc.integer({ min: 1, max: 255 }), { minLength: 1, maxLength: 20 })

describe("the calls of loans", () => {
  it("borrow as ethers encodes it, after the permission where it is missing", () => {
    agreesWithEthers({
      id: "prepare_borrow",
      input: fc.record({
        project: aProject,
        holder: anAddress,
        account: anAddress,
        token: anAddress,
        collateralCount: aUint(112, 1n),
        prepaidFeePercent: fc.integer({ min: 25, max: 500 }),
        beneficiary: anAddress,
        slippageBps: fc.integer({ min: 0, max: 1_000 })
      }),
      facts: fc.record({
        minimumBorrowAmount: aUint(112),
        grant: fc.option(fc.record({ operator: anAddress, permissionIds }), { nil: undefined })
      }),
      calls: borrowCalls,
      independent: (input, { minimumBorrowAmount, grant }) => {
        const { project, token, collateralCount, beneficiary, prepaidFeePercent, holder } = input
        const permission =
          grant === undefined
            ? []
            : [
                {
                  to: PERMISSIONS,
                  data: encode("setPermissionsFor", [
                    holder,
                    [grant.operator, project.projectId, grant.permissionIds]
                  ])
                }
              ]
        const terms = [project.projectId, token, minimumBorrowAmount, collateralCount, beneficiary]
        return [
          ...permission,
          { to: LOANS, data: encode("borrowFrom", [...terms, prepaidFeePercent, holder]) }
        ]
      }
    })
  })

  it("repay as ethers encodes it, with value for the native token and exact approvals for others", () => {
    agreesWithEthers({
      id: "prepare_repay",
      input: fc.record({
        chainId: fc.constant(1),
        loanId: aUint(80, 1n),
        account: anAddress,
        maxRepayBorrowAmount: aUint(128, 1n),
        collateralCountToReturn: aUint(112),
        beneficiary: anAddress
      }),
      facts: fc.option(fc.record({ token: anAddress, allowance: fc.oneof(aUint(130), fc.constant("0")) }), {
        nil: undefined
      }),
      calls: (input, facts) =>
        repayCalls(input, {
          sourceToken: facts?.token ?? NATIVE,
          spends: facts && {
            token: facts.token,
            spender: LOANS,
            needed: BigInt(input.maxRepayBorrowAmount),
            allowance: BigInt(facts.allowance)
          }
        }),
      independent: (input, facts) => {
        const { loanId, maxRepayBorrowAmount: most, collateralCountToReturn, beneficiary } = input
        const unused = [0n, 0n, 0n, 0n, "0x"]
        const terms = [loanId, most, collateralCountToReturn, beneficiary, unused]
        const repayment = { to: LOANS, data: encode("repayLoan", terms) }
        if (facts === undefined) return [{ ...repayment, value: BigInt(most) }]
        const approve = (value: string) => ({ to: facts.token, data: encode("approve", [LOANS, value]) })
        if (BigInt(facts.allowance) >= BigInt(most)) return [repayment]
        return [...(facts.allowance === "0" ? [] : [approve("0")]), approve(most), repayment]
      }
    })
  })
})
