import { Schema } from "effect"
import { Intent } from "../../../intents/Intent.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"

const Uuid = Schema.String.pipe(
  Schema.pattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
).annotations({ description: "a lower-case UUID" })

export const getIntent = declareOperation({
  id: "get_intent",
  kind: "read",
  sources: ["service"],
  title: "Show a project intent",
  description:
    "A signed project intent, with where it was deployed if it was, verified again before it is served; it proves nothing on a chain.",
  input: strict({ id: Uuid }),
  output: Intent,
  problems: ["INTENT_NOT_FOUND", "UNSUPPORTED_VERSION", "UPSTREAM_INVALID_RESPONSE"]
})
