import { amountField, integerField, slippage, textField, token, type Verb, walletBy } from "./Verb.ts"

export const loans: ReadonlyArray<Verb> = [
  {
    name: "borrow",
    operation: "prepare_borrow",
    summary: "Borrow from a revnet against its tokens, which are burned until the loan is repaid.",
    example: "service borrow --project 4 --collateral 1000tokens",
    about: "project",
    defaults: { prepaidFeePercent: 25 },
    fields: [
      amountField("collateral", "collateralCount", "tokens", "How many tokens"),
      token("token", "What is borrowed"),
      integerField(
        "prepaid-fee",
        "<tenths of a percent>",
        "prepaidFeePercent",
        "Paid from the loan at once, 25 to 500; it buys time without further fees. 25 by default."
      ),
      walletBy("holder", "holder", "Whose tokens they are, and whose the loan"),
      walletBy("beneficiary", "beneficiary", "Who gets what is borrowed"),
      slippage
    ]
  },
  {
    name: "repay",
    operation: "prepare_repay",
    summary: "Repay a loan, whole or in part, for collateral.",
    example: "service repay --loan 4000000000000000001 --max 1ether --collateral 1000tokens",
    about: "chain",
    fields: [
      textField("loan", "<id>", "loanId", "The loan's id, which is its NFT's.", { needed: true }),
      amountField("max", "maxRepayBorrowAmount", "ether", "How much is paid at most, fees included"),
      amountField("collateral", "collateralCountToReturn", "tokens", "How much collateral is to come back"),
      walletBy("beneficiary", "beneficiary", "Who gets the collateral")
    ]
  }
]
