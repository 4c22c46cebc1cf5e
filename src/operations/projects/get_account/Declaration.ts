import { Schema } from "effect"
import { indexedPage, ParticipantRow } from "../../../projects/IndexedSchemas.ts"
import { ObservedOf } from "../../../values/Observed.ts"
import { Address, ChainId } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { Cursor, limit, NetworkInput, optional } from "../../shared/inputs/Parts.ts"

const Notes = Schema.Record({ key: Schema.String, value: Schema.String })

export const getAccount = declareOperation({
  id: "get_account",
  kind: "read",
  sources: ["indexer"],
  title: "Show an account",
  description:
    "The projects that an address takes part in, as the indexed source has them; not an authoritative balance.",
  input: strict({
    address: Address,
    chainId: optional(ChainId),
    network: NetworkInput,
    limit: limit(),
    cursor: Cursor
  }),
  output: strict({ indexed: ObservedOf(indexedPage(ParticipantRow)), semantics: Notes }).annotations({
    identifier: "IndexedAccount"
  }),
  problems: ["INDEXER_NETWORK_MISMATCH"]
})
