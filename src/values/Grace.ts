/** How long what ends waits for what is under way. */
import { type Duration, Effect, type Option } from "effect"

/** For finalizers: nothing interrupts them, and so nothing would end their waiting in time. */
export const withinGrace = <A, E, R>(
  waiting: Effect.Effect<A, E, R>,
  grace: Duration.DurationInput
): Effect.Effect<Option.Option<A>, E, R> => Effect.timeoutOption(Effect.interruptible(waiting), grace)
