/** Whoever waits for an answer may leave before it. */
import { Context, Effect } from "effect"

/** Ends once nobody waits for the answer to this request any more, or its listener ends. */
export class HangUp extends Context.Reference<HangUp>()("values/HangUp", {
  defaultValue: (): Effect.Effect<void> => Effect.never
}) {}
