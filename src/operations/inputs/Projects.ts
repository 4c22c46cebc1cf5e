import { Schema } from "effect"
import { Address, ChainId, PositiveUint256, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import {
  Cursor,
  distinct,
  int,
  limit,
  list,
  Network,
  optional,
  Project,
  text,
  withDefault
} from "./Shared.ts"

const WELL_FORMED = { jsonSchema: {}, message: () => "well-formed Unicode text" }

const wellFormed = (longest: number, shortest = 0) =>
  text(longest, shortest).pipe(Schema.filter(value => !/\p{Surrogate}/u.test(value), WELL_FORMED))

const NotBlank = wellFormed(256, 1).pipe(
  Schema.filter(value => value.trim() !== "", { jsonSchema: {}, message: () => "text that is not blank" })
)

export const ProjectMetadata = strict({
  name: NotBlank,
  description: wellFormed(65_536),
  logoUri: optional(wellFormed(2048)),
  infoUri: optional(wellFormed(2048))
}).annotations({ identifier: "ProjectMetadata" })

export const projectInputs = {
  prepare_project_metadata: strict({ version: Schema.Literal(6), metadata: ProjectMetadata }),
  resolve_project: strict({
    input: text(2048, 1).annotations({
      description: "a project URL, <chain>:<project id> or a name to search for"
    }),
    network: Network
  }),
  search_projects: strict({
    query: withDefault(text(200), ""),
    network: Network,
    chainId: optional(ChainId),
    limit: limit(),
    projectCursor: Cursor,
    intentCursor: Cursor
  }),
  get_project: strict({ project: Project }),
  get_rulesets: strict({ project: Project, limit: limit(50, 10), startingId: optional(PositiveUint256) }),
  get_position: strict({ project: Project, account: Address }),
  get_account: strict({
    address: Address,
    chainId: optional(ChainId),
    network: Network,
    limit: limit(),
    cursor: Cursor
  }),
  get_activity: strict({ project: Project, limit: limit(), cursor: Cursor }),
  get_indexer_status: strict({ network: Network }),
  get_permissions: strict({
    project: Project,
    operator: Address,
    account: Address,
    permissionIds: distinct(list(int(1, 255), 32, 1))
  }),
  get_bridges: strict({
    project: Project,
    holder: optional(Address),
    fromBlock: optional(Uint256),
    toBlock: optional(Uint256)
  }),
  get_omnichain_group: strict({ id: text(256, 1), network: Network })
} as const
