import { Effect } from "effect"
import { IntentStore } from "../../intents/IntentStore.ts"
import { publishIntent } from "../../intents/PublishIntent.ts"
import * as Intents from "../api/Intents.ts"
import { onSigned, reply } from "../Route.ts"

const placeOf = (id: string): string =>
  `/api/v1/operations/get_intent?input=${encodeURIComponent(JSON.stringify({ id }))}`

export const intentRoutes = [
  onSigned(
    Intents.publishIntent,
    Effect.fnUntraced(function* ({ body }) {
      const { intent, replayed } = yield* publishIntent(body)
      const repeated: Readonly<Record<string, string>> = replayed ? { "idempotent-replayed": "true" } : {}
      return reply(intent, { location: placeOf(intent.id), ...repeated })
    })
  ),
  onSigned(Intents.searchIntents, ({ query: { q = "", cursor = 0, ...rest } }) =>
    Effect.flatMap(IntentStore, store =>
      Effect.map(store.search({ ...rest, text: q, offset: cursor }), reply)
    )
  )
]
