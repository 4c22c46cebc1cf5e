import { Schema } from "effect"
import { indexedPage, ProjectRow, ProjectSemantics } from "../../../projects/IndexedSchemas.ts"
import { ProjectKey } from "../../../projects/ProjectSchemas.ts"
import { ObservedOf } from "../../../values/Observed.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { NetworkInput, text } from "../../shared/inputs/Parts.ts"

export const resolveProject = declareOperation({
  id: "resolve_project",
  kind: "read",
  sources: ["model", "indexer"],
  title: "Resolve a project",
  description:
    "Turns a project URL or <chain>:<project id> into a project. A name gives candidates and chooses none; a bare project id is refused as ambiguous. No URL is fetched.",
  input: strict({
    input: text(2048, 1).annotations({
      description: "a project URL, <chain>:<project id> or a name to search for"
    }),
    network: NetworkInput
  }),
  output: Schema.Union(
    strict({
      kind: Schema.Literal("project"),
      project: ProjectKey,
      existenceVerified: Schema.Literal(false)
    }),
    strict({
      kind: Schema.Literal("candidates"),
      candidates: ObservedOf(indexedPage(ProjectRow)),
      selectionRequired: Schema.Literal(true),
      semantics: ProjectSemantics
    })
  ).annotations({ identifier: "ResolvedProject" }),
  problems: [
    "UNSUPPORTED_PROJECT_URL",
    "UNSUPPORTED_VERSION",
    "INVALID_PROJECT_IDENTIFIER",
    "AMBIGUOUS_PROJECT"
  ]
})
