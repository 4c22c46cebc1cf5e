import { Address } from "../../values/Scalars.ts"
import { int, Project, SomeAddress, uint } from "../shared/inputs/Parts.ts"

/** Thousandths. */
export const LEAST_PREPAID = 25
export const MOST_PREPAID = 500
export const MOST_STAGES = 16

export const loanInput = {
  project: Project,
  holder: Address,
  token: SomeAddress,
  collateralCount: uint(112, 1),
  prepaidFeePercent: int(LEAST_PREPAID, MOST_PREPAID),
  beneficiary: SomeAddress
}
