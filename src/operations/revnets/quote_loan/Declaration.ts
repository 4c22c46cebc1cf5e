import { Schema } from "effect"
import { Address } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { optional } from "../../shared/inputs/Parts.ts"
import { loanInput } from "../Inputs.ts"
import { LoanBasis } from "../Schemas.ts"

export const quoteLoan = declareOperation({
  id: "quote_loan",
  kind: "read",
  sources: ["onchain"],
  title: "Quote a loan",
  description: "What a revnet's tokens would borrow now, its fees and the permission it needs.",
  input: strict({ ...loanInput, account: optional(Address) }),
  output: strict({ ...LoanBasis.fields, warnings: Schema.Array(Schema.String) }),
  problems: [
    "NOT_A_REVNET",
    "UNSUPPORTED_REVNET_DEPENDENCY",
    "UNSUPPORTED_REVNET_CONFIGURATION",
    "INVALID_LOAN_SOURCE",
    "UNSUPPORTED_LOAN_FEES",
    "INSUFFICIENT_LOAN_SOURCE_SURPLUS",
    "DEPLOYMENT_UNAVAILABLE"
  ]
})

export type LoanQuote = typeof quoteLoan.output.Type
