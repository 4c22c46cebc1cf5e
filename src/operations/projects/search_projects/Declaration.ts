import { Schema } from "effect"
import { IntentPage } from "../../../intents/Intent.ts"
import { indexedPage, ProjectRow, ProjectSemantics } from "../../../projects/IndexedSchemas.ts"
import { ObservedOf } from "../../../values/Observed.ts"
import { ChainId } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { Cursor, limit, NetworkInput, optional, text, withDefault } from "../../shared/inputs/Parts.ts"

const UndeployedPage = strict({
  items: IntentPage.fields.items,
  totalCount: Schema.Null,
  nextCursor: IntentPage.fields.nextCursor,
  pagination: strict({
    cursorScope: Schema.String,
    totalCountStatus: Schema.Literal("unknown"),
    upstreamTotalCount: Schema.NonNegativeInt,
    upstreamPageItemCount: Schema.NonNegativeInt,
    excludedNonV6ItemCount: Schema.NonNegativeInt,
    returnedV6ItemCount: Schema.NonNegativeInt
  })
}).annotations({ identifier: "UndeployedProjectPage" })

export const searchProjects = declareOperation({
  id: "search_projects",
  kind: "read",
  sources: ["indexer", "service"],
  title: "Search projects",
  description:
    "Searches deployed version-6 projects in the indexed source and signed undeployed intents held by the service. The upstream cursor is kept; the total of version 6 is told as unknown.",
  input: strict({
    query: withDefault(text(200), ""),
    network: NetworkInput,
    chainId: optional(ChainId),
    limit: limit(),
    projectCursor: Cursor,
    intentCursor: Cursor
  }),
  output: strict({
    source: Schema.optionalWith(Schema.Literal("indexer"), { exact: true }),
    deployed: ObservedOf(indexedPage(ProjectRow)),
    undeployed: Schema.optionalWith(ObservedOf(UndeployedPage), { exact: true }),
    semantics: ProjectSemantics,
    coverage: strict({ notes: Schema.Array(Schema.String) })
  }).annotations({ identifier: "ProjectSearch" }),
  problems: []
})
