/** Where log lines go: standard output, gathered and written once per turn of the event loop, complete at the end. */
import { Context, Effect, Layer } from "effect"
import { Settings, type SettingsShape } from "../settings/Settings.ts"

export type LogLevel = SettingsShape["log"]["level"]

export interface LogLine {
  readonly time: string
  readonly level: LogLevel
  readonly event: string
  readonly [member: string]: unknown
}

const SEVERITY: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warning: 2, error: 3 }

const PLAIN = /^[!-~]+$/

/** Nothing in a value begins a line of its own or steers a terminal. */
const member = ([name, value]: readonly [string, unknown]): string =>
  `${name}=${typeof value === "string" && PLAIN.test(value) ? value : JSON.stringify(value)}`

const pretty = ({ time, level, event, ...members }: LogLine): string => {
  const known = Object.entries(members).filter(([, value]) => value !== null && value !== undefined)
  return [time.slice(11, 23), level.toUpperCase().padEnd(7), event, ...known.map(member)].join(" ")
}

/** As a line of the log says it. */
export const rendered = (format: SettingsShape["log"]["format"], line: LogLine): string =>
  format === "pretty" ? pretty(line) : JSON.stringify(line)

type Output = (text: string, written: () => void) => void

const toStandardOutput: Output = (text, written) => {
  process.stdout.write(text, written)
}

export class LogSink extends Context.Tag("telemetry/LogSink")<
  LogSink,
  {
    readonly takes: (level: LogLevel) => boolean
    readonly write: (line: LogLine) => void
  }
>() {
  static readonly to = (output: Output) =>
    Layer.scoped(
      LogSink,
      Effect.gen(function* () {
        const { log } = yield* Settings
        let waiting = ""
        const flush = (written: () => void) => {
          const text = waiting
          waiting = ""
          if (text === "") written()
          else output(text, written)
        }
        yield* Effect.addFinalizer(() => Effect.async<void>(resume => flush(() => resume(Effect.void))))
        const takes = (level: LogLevel) => SEVERITY[level] >= SEVERITY[log.level]
        return {
          takes,
          write: line => {
            if (!takes(line.level)) return
            if (waiting === "") setImmediate(flush, () => {})
            waiting += `${rendered(log.format, line)}\n`
          }
        }
      })
    )

  static readonly layer = LogSink.to(toStandardOutput)
}
