import { HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { ChainIdParameter, IntegerParameterOr } from "../../catalog/QueryParameters.ts"
import { PROBLEMS_BY_SOURCE } from "../../operations/framework/OperationProblems.ts"
import { MOST_MEMBERS, OmnichainAnswer } from "../../projects/OmnichainSchemas.ts"
import { ProjectAnswer } from "../../projects/ProjectSchemas.ts"
import { Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { signed } from "./Access.ts"
import { declare } from "./Declare.ts"

const path = strict({ chainId: ChainIdParameter, projectId: Uint256 })

/** Its absence and its value are judged by the use case, with codes of their own. */
const source = Schema.optional(
  Schema.String.annotations({
    description: "required; one source never stands in for the other",
    jsonSchema: { type: "string", enum: ["onchain", "indexer"] }
  })
)

const problems = [
  "SOURCE_REQUIRED",
  "SOURCE_NOT_SUPPORTED",
  "PROJECT_NOT_FOUND",
  ...PROBLEMS_BY_SOURCE.onchain,
  "INDEXER_NETWORK_MISMATCH"
] as const

export const getProjectView = declare({
  name: "getProject",
  method: "GET",
  at: "/api/v1/projects/:chainId/:projectId",
  access: signed({}),
  summary: "Show a project",
  description:
    "The project at one canonical block of its chain, or as the indexed source has it. What could not be read is an explicit unknown observation.",
  path,
  query: strict({ source }),
  success: ProjectAnswer,
  problems
})

export const getOmnichainProject = declare({
  name: "getOmnichainProject",
  method: "GET",
  at: "/api/v1/projects/:chainId/:projectId/omnichain",
  access: signed({}),
  summary: "Show a project's group on several chains",
  description:
    "The projects that bridges join to this one, each with its own state, evidence and finality. Membership is proved at both ends of a bridge, or said to be unverified; nothing is atomic across chains.",
  path,
  query: strict({ source, maxMembers: IntegerParameterOr(1, MOST_MEMBERS, MOST_MEMBERS) }),
  success: OmnichainAnswer,
  problems
})

export const ProjectsGroup = HttpApiGroup.make("Projects").add(getProjectView).add(getOmnichainProject)
