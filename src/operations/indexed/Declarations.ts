import { Schema } from "effect"
import { degraded, IndexerStatus, Semantics } from "../../indexer/IndexerSchemas.ts"
import { IntentPage } from "../../intents/Intent.ts"
import {
  GroupRow,
  indexedPage,
  ParticipantRow,
  ProjectRow,
  ProjectSemantics
} from "../../projects/IndexedSchemas.ts"
import { ProjectKey } from "../../projects/ProjectSchemas.ts"
import { ObservedOf } from "../../values/Observed.ts"
import { strict } from "../../values/Strict.ts"
import { declareOperation } from "../framework/Operation.ts"
import { readInputs } from "../inputs/ReadInputs.ts"
import { ActivityRow } from "./Activity.ts"

const Notes = Schema.Record({ key: Schema.String, value: Schema.String })

export const getAccount = declareOperation({
  id: "get_account",
  input: readInputs.get_account,
  output: strict({ indexed: ObservedOf(indexedPage(ParticipantRow)), semantics: Notes }).annotations({
    identifier: "IndexedAccount"
  }),
  problems: ["INDEXER_NETWORK_MISMATCH"]
})

export const getActivity = declareOperation({
  id: "get_activity",
  input: readInputs.get_activity,
  output: strict({ indexed: indexedPage(ActivityRow), semantics: Notes }).annotations({
    identifier: "IndexedActivityPage"
  }),
  problems: ["INDEXER_NETWORK_MISMATCH", "INDEXER_INVALID_CURSOR", "INDEXER_UNSAFE_INTEGER"]
})

export const getIndexerStatus = declareOperation({
  id: "get_indexer_status",
  input: readInputs.get_indexer_status,
  output: strict({
    network: IndexerStatus.fields.network,
    chains: IndexerStatus.fields.chains,
    provenance: IndexerStatus.fields.provenance,
    semantics: strict({ ...Semantics.fields, progress: Schema.String })
  }).annotations({ identifier: "IndexedSourceStatus" }),
  problems: []
})

export const getOmnichainGroup = declareOperation({
  id: "get_omnichain_group",
  input: readInputs.get_omnichain_group,
  output: strict({
    group: Schema.NullOr(GroupRow),
    degraded,
    projects: indexedPage(ProjectRow),
    semantics: Notes
  }).annotations({ identifier: "IndexedOmnichainGroup" }),
  problems: []
})

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
  input: readInputs.search_projects,
  output: strict({
    source: Schema.optionalWith(Schema.Literal("indexer"), { exact: true }),
    deployed: ObservedOf(indexedPage(ProjectRow)),
    undeployed: Schema.optionalWith(ObservedOf(UndeployedPage), { exact: true }),
    semantics: ProjectSemantics,
    coverage: strict({ notes: Schema.Array(Schema.String) })
  }).annotations({ identifier: "ProjectSearch" }),
  problems: []
})

export const resolveProject = declareOperation({
  id: "resolve_project",
  input: readInputs.resolve_project,
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
