/** Logs and traces of the whole process; everything else is built upon it. */
import { Layer } from "effect"
import { effectLogger } from "./EffectLogger.ts"
import { LogSink } from "./LogSink.ts"
import { RequestLog, RequestTrace } from "./Requests.ts"

export const telemetry = Layer.mergeAll(effectLogger, RequestLog.layer, RequestTrace.layer).pipe(
  Layer.provideMerge(LogSink.layer)
)
