import { Address } from "../../values/Scalars.ts"
import { int, Project, SomeAddress, uint } from "../shared/inputs/Parts.ts"

export const loanInput = {
  project: Project,
  holder: Address,
  token: SomeAddress,
  collateralCount: uint(112, 1),
  prepaidFeePercent: int(25, 500),
  beneficiary: SomeAddress
}
