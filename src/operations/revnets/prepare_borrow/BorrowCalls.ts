/** The calls of a new loan: what lets the collateral be burned where that is missing, and the loan. */

import type { PlannedCall } from "../../framework/PlanCalls.ts"
import type { prepareBorrow } from "./Declaration.ts"
import type { prepareBorrowEffects } from "./Effects.ts"

type Input = typeof prepareBorrow.input.Type

export interface BorrowFacts {
  readonly minimumBorrowAmount: string
  /** What REVLoans is to hold of the holder; undefined where it may burn already. */
  readonly grant: { readonly operator: string; readonly permissionIds: ReadonlyArray<number> } | undefined
}

const granting = (
  { holder, project: { projectId } }: Input,
  { operator, permissionIds }: NonNullable<BorrowFacts["grant"]>
): PlannedCall<typeof prepareBorrowEffects> => ({
  contract: "JBPermissions",
  function: "setPermissionsFor(address,(address,uint64,uint8[]))",
  args: [holder, { operator, projectId, permissionIds: permissionIds.map(String) }],
  label: `Let the loans contract burn tokens of project ${projectId}`
})

export const borrowCalls = (
  input: Input,
  { minimumBorrowAmount, grant }: BorrowFacts
): ReadonlyArray<PlannedCall<typeof prepareBorrowEffects>> => {
  const { project, token, collateralCount, beneficiary, prepaidFeePercent, holder } = input
  const borrowing: PlannedCall<typeof prepareBorrowEffects> = {
    contract: "REVLoans",
    function: "borrowFrom(uint256,address,uint256,uint256,address,uint256,address)",
    args: [
      project.projectId,
      token,
      minimumBorrowAmount,
      collateralCount,
      beneficiary,
      String(prepaidFeePercent),
      holder
    ],
    label: `Borrow against ${collateralCount} tokens of project ${project.projectId}`
  }
  return grant === undefined ? [borrowing] : [granting(input, grant), { ...borrowing, dependsOn: [0] }]
}
