/** A tracer whose spans carry names, times and allow-listed attributes, never messages or data. */
import { Cause, Context, Data, Exit, Option, Tracer } from "effect"
import { quietCause } from "./Quiet.ts"
import { isTold, stageOf } from "./Stages.ts"

/** The trace that a root span starts. */
export class TraceId extends Context.Tag("telemetry/TraceId")<TraceId, string>() {}

class SpanFailure extends Data.Error<{ readonly name: string; readonly message: string }> {}

const quietExit = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit)) return Exit.void
  if (Cause.isInterruptedOnly(exit.cause)) return exit
  const name = quietCause(exit.cause)[0]?.error ?? "unknown"
  const failure = new SpanFailure({ name, message: name })
  failure.stack = name
  return Exit.fail(failure)
}

const quieted = (span: Tracer.Span, traceId: string | undefined): Tracer.Span => {
  const end = span.end.bind(span)
  const attribute = span.attribute.bind(span)
  return Object.assign(span, {
    end: (time: bigint, exit: Exit.Exit<unknown, unknown>) => end(time, quietExit(exit)),
    attribute: (key: string, value: unknown) => {
      if (isTold(key)) attribute(key, value)
    },
    event: () => {},
    ...(traceId === undefined ? {} : { traceId })
  })
}

export const quietTracer = (inner: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    context: inner.context,
    span: (name, parent, context, links, startTime, kind, options) => {
      const span = inner.span(stageOf(name), parent, context, links, startTime, kind, options)
      const traceId = Option.isNone(parent) ? Context.getOption(context, TraceId) : Option.none()
      return quieted(span, Option.getOrUndefined(traceId))
    }
  })
