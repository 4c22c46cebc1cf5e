/** One round of a worker, which waits for all that it looks at. */
import { Duration, Effect } from "effect"
import { newSweep } from "../../src/dispatch/Recovery.ts"
import { newSessionSweep } from "../../src/sessions/WatchSessions.ts"

export const sweep = Effect.scoped(Effect.flatten(newSweep(Duration.infinity)))

export const sweepSessions = Effect.scoped(Effect.flatten(newSessionSweep(Duration.infinity)))
