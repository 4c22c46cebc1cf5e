import { Schema } from "effect"
import { degradedMember } from "../../../indexer/IndexerSchemas.ts"
import { GroupRow, indexedPage, ProjectRow } from "../../../projects/IndexedSchemas.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { NetworkInput, text } from "../../shared/inputs/Parts.ts"

const Notes = Schema.Record({ key: Schema.String, value: Schema.String })

export const getOmnichainGroup = declareOperation({
  id: "get_omnichain_group",
  kind: "read",
  sources: ["indexer"],
  title: "Show an omnichain group",
  description: "The projects that the indexed source counts as one across chains, and its totals.",
  input: strict({ id: text(256, 1), network: NetworkInput }),
  output: strict({
    group: Schema.NullOr(GroupRow),
    degraded: degradedMember,
    projects: indexedPage(ProjectRow),
    semantics: Notes
  }).annotations({ identifier: "IndexedOmnichainGroup" }),
  problems: []
})
