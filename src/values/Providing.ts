import { Context, Effect, FiberRef } from "effect"

/** `Effect.provide` for the last work of a fiber that nobody joins: to take the services away again costs more than a short request. */
export const providingLast =
  <S>(services: Context.Context<S>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, S>> =>
    Effect.contextWithEffect((around: Context.Context<never>) =>
      Effect.zipRight(
        FiberRef.set(FiberRef.currentContext, Context.merge(around, services) as Context.Context<never>),
        work as Effect.Effect<A, E, Exclude<R, S>>
      )
    )
