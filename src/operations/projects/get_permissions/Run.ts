/** What an operator may do for an account; nothing that is asked waits for an answer. */
import { Effect } from "effect"
import { coverageOf } from "../../../projects/Observations.ts"
import { PinnedContracts, type PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { observed } from "../../../values/Observed.ts"
import { permissionName } from "../../../values/PermissionNames.ts"
import { Address, Uint256 } from "../../../values/Scalars.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { AT_ONCE } from "../../shared/context/Core.ts"
import { hasPermission, permissionIdsIn } from "../../shared/context/Permissions.ts"
import { getPermissions } from "./Declaration.ts"

const NOTES = [
  "What is granted for project 0, the wildcard, holds for every project of the account.",
  "ROOT, with id 1, includes every other permission.",
  "Owning the project is apart from any grant: an owner needs none and a grant makes no owner.",
  "A contract may ask for more than the permission, such as a flag of the current ruleset."
]

const WILDCARD = "0"

type Input = typeof getPermissions.input.Type

const bitmapOf = ({ read }: PinnedSnapshot, { operator, account }: Input, projectId: string) =>
  read("JBPermissions", "permissionsOf", [operator, account, projectId], Uint256).pipe(
    Effect.map(raw => ({ raw, ids: permissionIdsIn(raw) })),
    observed
  )

const checkOf =
  (snapshot: PinnedSnapshot, { operator, account, project }: Input) =>
  (id: number) =>
    Effect.map(observed(hasPermission(snapshot, operator, account, project.projectId, id)), granted => ({
      id,
      name: permissionName(id),
      granted
    }))

export const runGetPermissions = defineOperation(getPermissions, input =>
  Effect.gen(function* () {
    const { project, operator, account, permissionIds } = input
    const { projectId, chainId } = project
    const snapshot = yield* (yield* PinnedContracts).snapshotOf(chainId)
    const registry = yield* snapshot.addressOf("JBPermissions")
    const owner = yield* Effect.cached(snapshot.read("JBProjects", "ownerOf", [projectId], Address))
    const answers = yield* Effect.all(
      {
        accountIsProjectOwner: observed(Effect.map(owner, address => address === account)),
        projectOwner: observed(owner),
        controller: observed(snapshot.read("JBDirectory", "controllerOf", [projectId], Address)),
        projectBitmap: bitmapOf(snapshot, input, projectId),
        wildcardBitmap: bitmapOf(snapshot, input, WILDCARD),
        checks: Effect.forEach(permissionIds, checkOf(snapshot, input), AT_ONCE)
      },
      AT_ONCE
    )
    return {
      project,
      operator,
      account,
      operatorIsAccount: operator === account,
      registry,
      ...answers,
      evidence: [snapshot.evidence],
      coverage: coverageOf(answers, NOTES)
    }
  })
)
