import { LOANS } from "./ContractIds.ts"
import { ACCOUNT, BENEFICIARY, callTo, HOLDER, NATIVE } from "./Receipts.ts"
import type { Evented, Scenario } from "./Scenario.ts"

const NOBODY = `0x${"0".repeat(40)}`
const LOAN_ID = "7000000000000000003"
const NEXT_LOAN = "7000000000000000004"

const BORROW = "borrowFrom(uint256,address,uint256,uint256,address,uint256,address)"
const REPAY = "repayLoan(uint256,uint256,uint256,address,(uint256,uint160,uint48,uint48,bytes))"

const loan = {
  amount: "1000",
  collateral: "500",
  createdAt: "1700000000",
  prepaidFeePercent: "25",
  prepaidDuration: "15768000",
  sourceToken: NATIVE
}

/** A tuple of which some members may be anything. */
const keeps = (members: Partial<typeof loan>) => (json: string) => {
  const found = new Map(Object.entries(JSON.parse(json)))
  return Object.entries(members).every(([name, value]) => found.get(name) === value)
}

const transfer = (from: string, to: string, tokenId: string, free: "from" | "to" | undefined): Evented => ({
  contractId: LOANS,
  event: "Transfer",
  role: "proof",
  fields: { from, to, tokenId },
  identity: [...(to === NOBODY ? ["to"] : ["from"]), "tokenId"],
  free: free === undefined ? [] : [free]
})

const { createdAt: _, prepaidDuration: __, ...planned } = loan

export const borrow: Scenario = {
  name: "a new loan",
  verifier: "borrow",
  call: callTo(LOANS, BORROW, ["7", NATIVE, "990", "500", BENEFICIARY, "25", HOLDER]),
  emissions: [
    {
      contractId: LOANS,
      event: "Borrow",
      role: "proof",
      fields: {
        loanId: LOAN_ID,
        revnetId: "7",
        loan,
        token: NATIVE,
        borrowAmount: "1000",
        collateralCount: "500",
        sourceFeeAmount: "25",
        beneficiary: BENEFICIARY,
        caller: ACCOUNT
      },
      identity: ["loanId", "revnetId", "caller"],
      free: ["sourceFeeAmount"],
      allows: { loan: keeps(planned) }
    },
    transfer(NOBODY, HOLDER, LOAN_ID, undefined)
  ],
  events: [
    {
      event: "Borrow",
      loanId: LOAN_ID,
      revnetId: "7",
      loan,
      borrowAmount: "1000",
      sourceFeeAmount: "25"
    },
    { event: "Transfer", to: HOLDER, tokenId: LOAN_ID }
  ]
}

const repayment = (returning: string) =>
  callTo(LOANS, REPAY, [
    LOAN_ID,
    "1100",
    returning,
    BENEFICIARY,
    { sigDeadline: "0", amount: "0", expiration: "0", nonce: "0", signature: "0x" }
  ])

const repaid = (fields: Evented["fields"], over: Partial<Evented>): Evented => ({
  contractId: LOANS,
  event: "RepayLoan",
  role: "proof",
  identity: ["loanId", "caller"],
  free: [],
  ...over,
  fields: {
    loanId: LOAN_ID,
    revnetId: "7",
    loan,
    beneficiary: BENEFICIARY,
    caller: ACCOUNT,
    ...fields
  }
})

const shown = (fields: Evented["fields"]) => ({
  event: "RepayLoan",
  loanId: LOAN_ID,
  revnetId: "7",
  loan,
  ...fields
})

const whole = {
  paidOffLoanId: LOAN_ID,
  paidOffLoan: { ...loan, amount: "0", collateral: "0" },
  repayBorrowAmount: "1090",
  sourceFeeAmount: "90",
  collateralCountToReturn: "500"
}

/** Less was asked back than came: what would have been left borrows nothing. */
export const repayLoan: Scenario = {
  name: "a whole repayment",
  verifier: "repay_loan",
  call: repayment("499"),
  emissions: [
    repaid(whole, {
      wrong: { loan: { ...loan, collateral: "501" } },
      allows: {
        loan: keeps({ amount: "1000", collateral: "500" }),
        paidOffLoan: keeps({ amount: "0" }),
        collateralCountToReturn: value => value === "499"
      }
    }),
    transfer(HOLDER, NOBODY, LOAN_ID, "from")
  ],
  events: [shown(whole), { event: "Transfer", from: HOLDER, tokenId: LOAN_ID }]
}

const part = {
  paidOffLoanId: NEXT_LOAN,
  paidOffLoan: { ...loan, amount: "600", collateral: "300" },
  repayBorrowAmount: "436",
  sourceFeeAmount: "36",
  collateralCountToReturn: "200"
}

export const repayPart: Scenario = {
  name: "a repayment in part",
  verifier: "repay_loan",
  call: repayment("200"),
  emissions: [
    repaid(part, {
      identity: ["loanId", "paidOffLoanId", "caller"],
      wrong: {
        loan: { ...loan, createdAt: "1700000001" },
        paidOffLoan: { ...part.paidOffLoan, createdAt: "1700000001" }
      },
      allows: {
        loan: keeps({ amount: loan.amount, createdAt: loan.createdAt }),
        paidOffLoan: keeps({ amount: "600", createdAt: loan.createdAt })
      }
    }),
    transfer(NOBODY, HOLDER, NEXT_LOAN, "to")
  ],
  events: [shown(part), { event: "Transfer", to: HOLDER, tokenId: NEXT_LOAN }]
}
