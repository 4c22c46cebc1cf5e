/** Makes what Effect logs a line of the same form as the requests', with its request and trace. */
import { Array as Arr, Cause, Effect, HashMap, Layer, Logger, LogLevel } from "effect"
import { Settings } from "../settings/Settings.ts"
import { type LogLevel as Level, LogSink } from "./LogSink.ts"
import { quietCause, quietErrors } from "./Quiet.ts"
import { scrubbed } from "./Scrub.ts"

const LEVELS: Readonly<Record<Level, LogLevel.LogLevel>> = {
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error
}

const levelOf = (level: LogLevel.LogLevel): Level => {
  if (LogLevel.greaterThanEqual(level, LogLevel.Error)) return "error"
  if (LogLevel.greaterThanEqual(level, LogLevel.Warning)) return "warning"
  return LogLevel.greaterThanEqual(level, LogLevel.Info) ? "info" : "debug"
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

const words = (parts: ReadonlyArray<unknown>): string =>
  parts
    .filter(isPlain)
    .map(part => scrubbed(String(part)))
    .join(" ")

const errorsOf = (parts: ReadonlyArray<unknown>, cause: Cause.Cause<unknown>) => [
  ...parts.filter(part => part instanceof Error).flatMap(part => quietErrors(part)),
  ...(Cause.isEmpty(cause) ? [] : quietCause(cause))
]

const annotationsOf = (annotations: HashMap.HashMap<string, unknown>) =>
  Object.fromEntries(
    [...HashMap.entries(annotations)]
      .filter(([, value]) => isPlain(value))
      .map(([name, value]) => [name, typeof value === "string" ? scrubbed(value) : value])
  )

const lineLogger = (sink: LogSink["Type"]) =>
  Logger.make<unknown, void>(({ annotations, cause, date, logLevel, message }) => {
    const parts = Arr.ensure(message)
    const errors = errorsOf(parts, cause)
    sink.write({
      ...annotationsOf(annotations),
      time: date.toISOString(),
      level: levelOf(logLevel),
      event: words(parts),
      ...(errors.length === 0 ? {} : { errors })
    })
  })

export const effectLogger = Layer.unwrapEffect(
  Effect.gen(function* () {
    const sink = yield* LogSink
    const { log } = yield* Settings
    /** One after the other: what is set side by side is not taken back, and the next logger would write beside this one. */
    return Layer.provideMerge(
      Logger.replace(Logger.defaultLogger, lineLogger(sink)),
      Logger.minimumLogLevel(LEVELS[log.level])
    )
  })
)
