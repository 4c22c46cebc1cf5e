import { Effect } from "effect"
import type { Intent } from "../../intents/Intent.ts"
import { IntentStore } from "../../intents/IntentStore.ts"
import { publishIntent } from "../../intents/PublishIntent.ts"
import { recordDeployment } from "../../intents/RecordDeployment.ts"
import * as Intents from "../api/Intents.ts"
import { onSigned, reply } from "../Route.ts"
import { replayHeader } from "./PreparedPlan.ts"

const placeOf = (id: string): string =>
  `/api/v1/operations/get_intent?input=${encodeURIComponent(JSON.stringify({ id }))}`

const created = ({ intent, replayed }: { readonly intent: Intent; readonly replayed: boolean }) =>
  reply(intent, { location: placeOf(intent.id), ...replayHeader(replayed) })

export const intentRoutes = [
  onSigned(Intents.publishIntent, ({ body }) => Effect.map(publishIntent(body), created)),
  onSigned(Intents.recordDeployment, ({ path, body }) =>
    Effect.map(recordDeployment(path.id, body), created)
  ),
  onSigned(Intents.searchIntents, ({ query: { q = "", cursor = 0, ...rest } }) =>
    Effect.flatMap(IntentStore, store =>
      Effect.map(store.search({ ...rest, text: q, offset: cursor }), reply)
    )
  )
]
