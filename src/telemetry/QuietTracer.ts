/** A tracer whose spans carry names, times and allow-listed attributes, never messages or data. */
import { Cause, Context, Data, Exit, FiberId, Option, Tracer } from "effect"
import { quietCause } from "./Quiet.ts"
import { SPAN_NAME, stageOf, toldAs } from "./Stages.ts"

/** What a root span is known by. */
export class SpanIds extends Context.Tag("telemetry/SpanIds")<
  SpanIds,
  { readonly traceId: string; readonly spanId?: string }
>() {}

class SpanFailure extends Data.Error<{ readonly name: string; readonly message: string }> {}

const quietExit = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, SpanFailure> => {
  if (Exit.isSuccess(exit)) return Exit.void
  if (Cause.isInterruptedOnly(exit.cause)) return Exit.interrupt(FiberId.none)
  const name = quietCause(exit.cause)[0]?.error ?? "unknown"
  const failure = new SpanFailure({ name, message: name })
  failure.stack = name
  return Exit.fail(failure)
}

const ERROR_TYPE = "error.type"
/** Of what was thrown as a bare word, which may be anybody's. */
const UNNAMED = "string"

const quieted = (span: Tracer.Span, ids: SpanIds["Type"] | undefined): Tracer.Span => {
  const end = span.end.bind(span)
  const attribute = span.attribute.bind(span)
  let isTyped = false
  return Object.assign(span, {
    end: (time: bigint, given: Exit.Exit<unknown, unknown>) => {
      const exit = quietExit(given)
      if (Exit.isFailure(exit))
        for (const { name } of Cause.failures(exit.cause))
          if (name !== UNNAMED || !isTyped) attribute(ERROR_TYPE, name)
      end(time, exit)
    },
    attribute: (key: string, value: unknown) => {
      const told = toldAs(key)
      isTyped ||= told === ERROR_TYPE
      if (told !== undefined) attribute(told, value)
      else if (key === SPAN_NAME) Object.assign(span, { name: value })
    },
    event: () => {},
    ...ids
  })
}

export const quietTracer = (inner: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    context: inner.context,
    span: (name, parent, context, links, startTime, kind, options) => {
      const span = inner.span(stageOf(name), parent, context, links, startTime, kind, options)
      const ids = Option.isNone(parent) ? Context.getOption(context, SpanIds) : Option.none()
      return quieted(span, Option.getOrUndefined(ids))
    }
  })
