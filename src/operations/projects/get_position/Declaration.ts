import { Schema } from "effect"
import { Coverage } from "../../../projects/ProjectSchemas.ts"
import { Evidence } from "../../../values/Evidence.ts"
import { ObservedOf } from "../../../values/Observed.ts"
import { Address, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { Project } from "../../shared/inputs/Parts.ts"

const checksummed = Schema.typeSchema(Address)

/** Never known: the contracts do not list them. */
const Inventory = ObservedOf(Schema.Array(Uint256))

export const getPosition = declareOperation({
  id: "get_position",
  kind: "read",
  sources: ["onchain"],
  title: "Show a position",
  description:
    "What an account holds of a project: credits, ERC-20 balance and their total, at one canonical block.",
  input: strict({ project: Project, account: Address }),
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
