/** Whether REVLoans may burn the holder's tokens, and what the holder would grant so that it may. */
import { Effect, Schema } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { observed } from "../../values/Observed.ts"
import { type Address, Uint256 } from "../../values/Scalars.ts"

const BURN_TOKENS = 11
const PERMISSIONS = 256

const idsIn = (bitmap: bigint): ReadonlyArray<number> =>
  Array.from({ length: PERMISSIONS }, (_, id) => id).filter(id => ((bitmap >> BigInt(id)) & 1n) === 1n)

interface Granting {
  readonly holder: Address
  readonly loans: Address
  readonly projectId: string
}

const proposalOf = ({ holder, loans, projectId }: Granting, bitmap: string) => {
  const preserved = idsIn(BigInt(bitmap))
  const resulting = idsIn(BigInt(bitmap) | (1n << BigInt(BURN_TOKENS)))
  return {
    account: holder,
    operator: loans,
    projectId,
    addedPermissionIds: [BURN_TOKENS],
    preserved,
    resulting
  }
}

export const burnPermission = ({ read }: PinnedSnapshot, granting: Granting) => {
  const { holder, loans, projectId } = granting
  const granted = read(
    "JBPermissions",
    "hasPermission",
    [loans, holder, projectId, String(BURN_TOKENS), true, true],
    Schema.Boolean
  )
  const bitmap = read("JBPermissions", "permissionsOf", [loans, holder, projectId], Uint256)
  return Effect.all([Effect.either(granted), Effect.either(bitmap)], { concurrency: "unbounded" }).pipe(
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
