/** Whether REVLoans may burn the holder's tokens, and what the holder would grant so that it may. */
import { Effect } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { observed } from "../../values/Observed.ts"
import { type Address, Uint256 } from "../../values/Scalars.ts"
import { AT_ONCE } from "../shared/context/Core.ts"
import { hasPermission, permissionIdsIn } from "../shared/context/Permissions.ts"

const BURN_TOKENS = 11

interface Granting {
  readonly holder: Address
  readonly loans: Address
  readonly projectId: string
}

const proposalOf = ({ holder, loans, projectId }: Granting, bitmap: string) => {
  const preserved = permissionIdsIn(bitmap)
  const resulting = permissionIdsIn(String(BigInt(bitmap) | (1n << BigInt(BURN_TOKENS))))
  return {
    account: holder,
    operator: loans,
    projectId,
    addedPermissionIds: [BURN_TOKENS],
    preserved,
    resulting
  }
}

export const burnPermission = (snapshot: PinnedSnapshot, granting: Granting) => {
  const { holder, loans, projectId } = granting
  const granted = hasPermission(snapshot, loans, holder, projectId, BURN_TOKENS)
  const bitmap = snapshot.read("JBPermissions", "permissionsOf", [loans, holder, projectId], Uint256)
  return Effect.all([Effect.either(granted), Effect.either(bitmap)], AT_ONCE).pipe(
    Effect.flatMap(([isGranted, held]) =>
      Effect.all({
        granted: observed(isGranted),
        proposal: observed(
          Effect.flatMap(isGranted, has =>
            has ? Effect.succeed(null) : Effect.map(held, ids => proposalOf(granting, ids))
          )
        )
      })
    )
  )
}
