/** The environment variables of what operators see: readiness, metrics and traces. */
import { Schema } from "effect"
import { host, httpUrl, integerKind, type Kind, listKind, redacted, secretText } from "./kinds.ts"
import { optionalVariable, variable } from "./Variable.ts"

const PART =
  /^(?:chain:[1-9]\d{0,15}|bundler:[1-9]\d{0,15}|indexer:(?:mainnet|testnet)|provider|manifest:[!-+.-~]{1,100})$/

const part: Kind<string> = {
  what: "a part",
  schema: Schema.String.pipe(Schema.pattern(PART)),
  secret: false
}

export const operatingDefaults = {
  readyDeadline: variable(
    "SERVICE_READY_DEADLINE_MS",
    integerKind(100, 4_000),
    "2000",
    "Milliseconds within which a part has to answer when readiness is asked for; what takes longer hangs, and is unhealthy."
  ),
  tracePercent: variable(
    "SERVICE_TRACE_PERCENT",
    integerKind(0, 100),
    "5",
    "Of a hundred requests, and of a hundred plans, how many are traced; the same ones on every replica that is given the same."
  )
} as const

export const operatingSettings = {
  opsNames: optionalVariable(
    "SERVICE_OPS_NAMES",
    listKind("host names, separated by commas", host),
    "none",
    "Host names besides localhost and SERVICE_HOST by which the operators' listener may be asked, such as that of a service that scrapes it; IP addresses always may."
  ),
  readyNeeds: optionalVariable(
    "SERVICE_READY_NEEDS",
    listKind(
      "parts of /readyz, separated by commas: chain:<id>, bundler:<id>, indexer:mainnet, indexer:testnet, provider, manifest:<id>",
      part
    ),
    "database and migrations alone",
    "Parts without which, besides the database and its migrations, /readyz answers 503: while one is unhealthy or is not there."
  )
} as const

export const telemetrySettings = {
  otlpEndpoint: optionalVariable(
    "SERVICE_OTLP_ENDPOINT",
    redacted(httpUrl),
    "no traces",
    "OTLP endpoint over HTTP that receives traces."
  ),
  metricsToken: optionalVariable(
    "SERVICE_METRICS_TOKEN",
    redacted(secretText(16)),
    "open",
    "Bearer token that /metrics asks for."
  )
} as const
