/** What an effect writes into the log. */
import { Effect, HashMap, Logger } from "effect"

type Line = Readonly<Record<string, unknown>>

export const loggedBy = async <A, E>(effect: Effect.Effect<A, E>): Promise<ReadonlyArray<Line>> => {
  const lines: Array<Line> = []
  const logger = Logger.make<unknown, void>(({ annotations, logLevel, message }) => {
    const text = Array.isArray(message) ? message.join(" ") : String(message)
    lines.push({ level: logLevel.label, text, ...Object.fromEntries(HashMap.entries(annotations)) })
  })
  await Effect.runPromise(Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger)))
  return lines
}
