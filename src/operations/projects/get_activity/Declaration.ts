import { Schema } from "effect"
import { indexedPage } from "../../../projects/IndexedSchemas.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { Cursor, limit, Project } from "../../shared/inputs/Parts.ts"
import { ActivityRow } from "./Activity.ts"

const Notes = Schema.Record({ key: Schema.String, value: Schema.String })

export const getActivity = declareOperation({
  id: "get_activity",
  kind: "read",
  sources: ["indexer"],
  title: "List activity",
  description: "The indexed events of a project, newest first.",
  input: strict({ project: Project, limit: limit(), cursor: Cursor }),
  output: strict({ indexed: indexedPage(ActivityRow), semantics: Notes }).annotations({
    identifier: "IndexedActivityPage"
  }),
  problems: ["INDEXER_NETWORK_MISMATCH", "INDEXER_INVALID_CURSOR", "INDEXER_UNSAFE_INTEGER"]
})
