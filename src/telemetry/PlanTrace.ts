/** One trace follows a plan over requests, replicas and restarts: its id is the plan's own, and so is that of its first span, so that whoever works on a plan finds both. */
import { Context, Effect, FiberRef, Option, Tracer } from "effect"
import { SpanIds } from "./QuietTracer.ts"

/** Of a hundred requests or plans; none where nothing receives traces. */
export class TracedShare extends Context.Reference<TracedShare>()("telemetry/TracedShare", {
  defaultValue: () => ({ percent: 0 })
}) {}

/** Ids are random, so that a byte of one decides as well as a throw, and alike wherever it is decided. */
export const isTraced = (id: string, percent: number): boolean =>
  Number.parseInt(id.slice(0, 2), 16) * 100 < percent * 256

interface Ids {
  readonly traceId: string
  readonly spanId: string
}

const idsOf = (planId: string): Ids => {
  const traceId = planId.replaceAll("-", "")
  return { traceId, spanId: traceId.slice(16) }
}

type Attributes = Readonly<Record<string, unknown>>

const linkTo = (span: Tracer.AnySpan): Tracer.SpanLink => ({ _tag: "SpanLink", span, attributes: {} })

/** None where the fiber's work is not traced. */
const currentSpan = Effect.withFiberRuntime<Option.Option<Tracer.Span>>(fiber =>
  fiber.getFiberRef(FiberRef.currentTracerEnabled) ? Effect.option(Effect.currentSpan) : Effect.succeedNone
)

const ifTraced = (planId: string, traced: (ids: Ids) => Effect.Effect<void>): Effect.Effect<void> =>
  Effect.flatMap(TracedShare, ({ percent }) =>
    isTraced(planId, percent) ? traced(idsOf(planId)) : Effect.void
  )

/** Gives the work a span of the plan's trace, linked to the one that it is done for, whether or not that one is traced. */
export const inPlanTrace =
  (planId: string, name: string, attributes: Attributes = {}) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(TracedShare, ({ percent }) => {
      if (!isTraced(planId, percent)) return work
      return Effect.flatMap(currentSpan, current =>
        work.pipe(
          Effect.withSpan(name, {
            parent: Tracer.externalSpan(idsOf(planId)),
            links: Option.toArray(current).map(linkTo),
            attributes: { plan: planId, ...attributes },
            captureStackTrace: false
          }),
          Effect.withTracerEnabled(true)
        )
      )
    })

/** A moment in the plan's trace. */
export const inPlanTraceNow = (planId: string, name: string, attributes: Attributes): Effect.Effect<void> =>
  inPlanTrace(planId, name, attributes)(Effect.void)

/** Begins the plan's trace; it and the request that creates the plan are linked to each other. */
export const beginPlanTrace = (planId: string, attributes: Attributes): Effect.Effect<void> =>
  ifTraced(planId, ids =>
    Effect.flatMap(currentSpan, current => {
      const links = Option.toArray(current).map(linkTo)
      if (Option.isSome(current)) current.value.addLinks([linkTo(Tracer.externalSpan(ids))])
      return Effect.void.pipe(
        Effect.withSpan("plan", {
          root: true,
          links,
          attributes: { plan: planId, ...attributes },
          context: Context.make(SpanIds, ids),
          captureStackTrace: false
        }),
        Effect.withTracerEnabled(true)
      )
    })
  )
