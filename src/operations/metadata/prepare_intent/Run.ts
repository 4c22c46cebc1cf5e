/** The normal form of an intent and the message to sign; nothing is stored and nothing signed. */
import { Effect } from "effect"
import { Catalog } from "../../../catalog/Catalog.ts"
import { UnsupportedChain } from "../../../chain/refusals.ts"
import { prepareEnvelope } from "../../../intents/Envelope.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { prepareIntent } from "./Declaration.ts"

export const runPrepareIntent = defineOperation(
  prepareIntent,
  Effect.fn("Operations.prepareIntent")(function* (draft) {
    const { chains } = yield* Catalog
    const foreign = draft.chainIds.find(chainId => !chains.includes(chainId))
    if (foreign !== undefined) return yield* new UnsupportedChain({ context: { chainId: foreign } })
    const { envelope, contentHash, message } = yield* prepareEnvelope(draft)
    return { envelope, contentHash, message }
  })
)
