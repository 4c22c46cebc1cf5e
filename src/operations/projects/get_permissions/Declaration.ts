import { Schema } from "effect"
import { Coverage } from "../../../projects/ProjectSchemas.ts"
import { Evidence } from "../../../values/Evidence.ts"
import { ObservedOf } from "../../../values/Observed.ts"
import { Address, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { distinct, int, list, Project } from "../../shared/inputs/Parts.ts"

const checksummed = Schema.typeSchema(Address)

const Bitmap = strict({ raw: Uint256, ids: Schema.Array(Schema.Int) }).annotations({
  description: "the 256 bits as they are kept, and the ids of those that are set"
})

export const getPermissions = declareOperation({
  id: "get_permissions",
  kind: "read",
  sources: ["onchain"],
  title: "Show permissions",
  description:
    "What an operator may do for an account, for this project and for all projects, at one canonical block.",
  input: strict({
    project: Project,
    operator: Address,
    account: Address,
    permissionIds: distinct(list(int(1, 255), 32, 1))
  }),
  output: strict({
    project: Project,
    operator: checksummed,
    account: checksummed,
    operatorIsAccount: Schema.Boolean,
    accountIsProjectOwner: ObservedOf(Schema.Boolean),
    projectOwner: ObservedOf(checksummed),
    controller: ObservedOf(checksummed),
    registry: checksummed,
    projectBitmap: ObservedOf(Bitmap),
    wildcardBitmap: ObservedOf(Bitmap),
    checks: Schema.Array(
      strict({
        id: Schema.Int,
        name: Schema.NullOr(Schema.String),
        granted: ObservedOf(Schema.Boolean)
      })
    ),
    evidence: Schema.Array(Evidence),
    coverage: Coverage
  }),
  problems: ["DEPLOYMENT_UNAVAILABLE"]
})
