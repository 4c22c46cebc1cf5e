import { Schema } from "effect"
import { Evidence } from "../../../values/Evidence.ts"
import { ObservedOf } from "../../../values/Observed.ts"
import { Address, ChainId, PositiveUint256, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { Loan } from "../Schemas.ts"

export const getLoan = declareOperation({
  id: "get_loan",
  kind: "read",
  sources: ["onchain"],
  title: "Show a loan",
  description: "A loan with its owner, deadline and the cost of repaying it in full, at one canonical block.",
  input: strict({ chainId: ChainId, loanId: PositiveUint256 }),
  output: strict({
    chainId: ChainId,
    loanId: Uint256,
    loan: Loan,
    owner: ObservedOf(Address),
    revnetId: ObservedOf(Uint256),
    deadline: ObservedOf(Uint256),
    expired: ObservedOf(Schema.Boolean),
    fullRepaymentSourceFee: ObservedOf(Uint256),
    fullRepaymentAmount: ObservedOf(Uint256),
    evidence: Schema.Array(Evidence)
  }),
  problems: ["INACTIVE_LOAN", "DEPLOYMENT_UNAVAILABLE"]
})
