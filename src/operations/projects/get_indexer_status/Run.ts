import { Effect } from "effect"
import { Indexer } from "../../../indexer/Indexer.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { namedNetwork } from "../Network.ts"
import { getIndexerStatus } from "./Declaration.ts"

const PROGRESS = "A reported block does not prove that every entity is caught up to it."

export const runGetIndexerStatus = defineOperation(
  getIndexerStatus,
  Effect.fn("GetIndexerStatus")(function* ({ network: named }) {
    const indexer = yield* Indexer
    const network = yield* namedNetwork(named)
    const { chains, provenance, semantics } = yield* indexer.status(network)
    return { network, chains, provenance, semantics: { ...semantics, progress: PROGRESS } }
  })
)
