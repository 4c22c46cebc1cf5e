import { Schema } from "effect"
import { IndexerStatus, Semantics } from "../../../indexer/IndexerSchemas.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { NetworkInput } from "../../shared/inputs/Parts.ts"

export const getIndexerStatus = declareOperation({
  id: "get_indexer_status",
  kind: "read",
  sources: ["indexer"],
  title: "Show the indexed source",
  description: "How far the indexed source of a network says it has come on each chain.",
  input: strict({ network: NetworkInput }),
  output: strict({
    network: IndexerStatus.fields.network,
    chains: IndexerStatus.fields.chains,
    provenance: IndexerStatus.fields.provenance,
    semantics: strict({ ...Semantics.fields, progress: Schema.String })
  }).annotations({ identifier: "IndexedSourceStatus" }),
  problems: []
})
