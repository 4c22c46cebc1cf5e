import { Schema } from "effect"
import { Coverage } from "../../projects/ProjectSchemas.ts"
import { Evidence } from "../../values/Evidence.ts"
import { ObservedOf } from "../../values/Observed.ts"
import { Address, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declareOperation } from "../framework/Operation.ts"
import { readInputs } from "../inputs/ReadInputs.ts"
import { Project } from "../inputs/Shared.ts"

const checksummed = Schema.typeSchema(Address)

/** Never known: the contracts do not list them. */
const Inventory = ObservedOf(Schema.Array(Uint256))

export const getPosition = declareOperation({
  id: "get_position",
  input: readInputs.get_position,
  output: strict({
    project: Project,
    account: checksummed,
    evidence: Schema.Array(Evidence),
    credits: ObservedOf(Uint256),
    erc20Balance: ObservedOf(Schema.NullOr(Uint256)).annotations({
      description: "null where the project has no ERC-20 token"
    }),
    totalBalance: ObservedOf(Uint256),
    token: ObservedOf(checksummed).annotations({
      description: "the project's ERC-20 token; the zero address where it has none"
    }),
    decimals: Schema.Literal(18),
    nfts: Inventory,
    loans: Inventory,
    coverage: Coverage
  }),
  problems: [
    "PROJECT_NOT_FOUND",
    "PROJECT_WITHOUT_CONTROLLER",
    "UNSUPPORTED_CONTROLLER",
    "DEPLOYMENT_UNAVAILABLE"
  ]
})

const Bitmap = strict({ raw: Uint256, ids: Schema.Array(Schema.Int) }).annotations({
  description: "the 256 bits as they are kept, and the ids of those that are set"
})

export const getPermissions = declareOperation({
  id: "get_permissions",
  input: readInputs.get_permissions,
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
