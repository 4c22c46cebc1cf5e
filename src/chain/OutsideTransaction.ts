/** A chain call inside a database transaction would hold locks for as long as a node likes: a bug, and it dies. */
import { TransactionConnection } from "@effect/sql/SqlClient"
import { Context, Effect, FiberRef, Option } from "effect"

const isInside = (context: Context.Context<never>): boolean =>
  Option.isSome(Context.getOption(context, TransactionConnection))

interface Told {
  readonly chain: number
  readonly methods: ReadonlyArray<string>
  /** By its place in the settings, where one is chosen already. */
  readonly endpoint?: string
}

/** A way to the chain: no database transaction around it, and a span that tells of chain and methods alone. */
export const outsideTransaction = <A, E>(
  name: string,
  { chain, methods, endpoint }: Told,
  work: Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.withFiberRuntime(fiber => {
    if (isInside(fiber.getFiberRef(FiberRef.currentContext)))
      return Effect.dieMessage("a chain call inside a database transaction")
    if (!fiber.getFiberRef(FiberRef.currentTracerEnabled)) return work
    const attributes = {
      chain,
      method: [...new Set(methods)].join(","),
      rpcSystem: "jsonrpc",
      ...(endpoint === undefined ? {} : { endpoint })
    }
    return Effect.withSpan(work, name, { attributes, kind: "client", captureStackTrace: false })
  })
