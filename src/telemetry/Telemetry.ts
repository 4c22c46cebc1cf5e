/** Logs and traces of the whole process; everything else is built upon it, and it upon a sink. */
import { Layer } from "effect"
import { effectLogger } from "./EffectLogger.ts"
import { RequestLog, RequestTrace } from "./Requests.ts"

export const telemetry = Layer.mergeAll(effectLogger, RequestLog.layer, RequestTrace.layer)
