import { Schema } from "effect"
import { Intent, IntentDraft } from "../../intents/Intent.ts"
import { Bytes32 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declareOperation } from "../framework/Operation.ts"
import { readInputs } from "../inputs/ReadInputs.ts"

export const getIntent = declareOperation({
  id: "get_intent",
  input: readInputs.get_intent,
  output: Intent,
  problems: ["INTENT_NOT_FOUND", "UNSUPPORTED_VERSION", "UPSTREAM_INVALID_RESPONSE"]
})

export const prepareIntent = declareOperation({
  id: "prepare_intent",
  input: readInputs.prepare_intent,
  output: strict({
    envelope: IntentDraft,
    contentHash: Bytes32,
    message: Schema.String.annotations({
      description: "what the publisher signs as a personal message (EIP-191)"
    })
  }).annotations({ identifier: "PreparedIntent" }),
  problems: ["CONFIGURATION_TOO_LARGE", "UNSUPPORTED_CHAIN"]
})
