import { Effect } from "effect"
import { Indexer } from "../../../indexer/Indexer.ts"
import { searchIndexedProjects } from "../../../projects/IndexedProjects.ts"
import { PROJECT_SEMANTICS } from "../../../projects/IndexedSchemas.ts"
import { observed } from "../../../values/Observed.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { namedNetwork } from "../Network.ts"
import { resolveProject } from "./Declaration.ts"
import { meantBy } from "./ProjectIdentifier.ts"

const CANDIDATES = 10

type Resolved = typeof resolveProject.output.Type

export const runResolveProject = defineOperation(
  resolveProject,
  Effect.fn("ResolveProject")(function* ({ input, network }) {
    const { networkOf } = yield* Indexer
    const meant = yield* meantBy(input, chainId => networkOf(chainId) !== undefined)
    if (meant.kind === "project") {
      const { chainId, projectId } = meant
      const project: Resolved = {
        kind: "project",
        project: { chainId, projectId, version: 6 },
        existenceVerified: false
      }
      return project
    }
    const named = yield* namedNetwork(network)
    const candidates: Resolved = {
      kind: "candidates",
      candidates: yield* observed(searchIndexedProjects(meant.name, { network: named, limit: CANDIDATES })),
      selectionRequired: true,
      semantics: PROJECT_SEMANTICS
    }
    return candidates
  })
)
