/** What is told once the service is ready: to people at a terminal with what to try, to programs as one line of the log. */
import { isIPv6 } from "node:net"
import { resolve } from "node:path"
import type { SettingsShape } from "../settings/Settings.ts"
import { engine, linesOf } from "../signatures/Recover.ts"
import { rendered } from "../telemetry/LogSink.ts"
import type { Embedded, Fact } from "./Embedded.ts"

const EVERYWHERE = ["0.0.0.0", "::"]

/** Of a listener, as programs of this machine ask it. */
export const urlAt = (host: string, port: number): string => {
  if (EVERYWHERE.includes(host)) return `http://127.0.0.1:${port}`
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

export type Ready = Pick<Embedded, "settings" | "facts" | "rpcUrl">

const factsOf = ({ settings, facts }: Ready): ReadonlyArray<Fact> => [
  ["api", `${settings.audience}/api/v1`],
  ["docs", `${settings.audience}/docs`],
  ["operators", `${urlAt(settings.host, settings.opsPort)}/readyz and /metrics`],
  ["chains", settings.chains.map(({ chainId }) => chainId).join(", ")],
  ...linesOf(engine),
  ...facts
]

const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** The command line looks for the service in `.data` of the folder that it is typed in. */
const where = ({ dataDirectory }: SettingsShape): ReadonlyArray<string> =>
  dataDirectory === resolve(".data") ? [] : [`export SERVICE_DATA_DIR=${quoted(dataDirectory)}`]

const attempts = ({ settings, rpcUrl }: Ready): ReadonlyArray<string> => [
  ...where(settings),
  ...(rpcUrl === undefined
    ? ["npx service doctor", "npx service op --list"]
    : [
        "npx service account enroll",
        "npx service pay --project 2 --amount 0.01ether",
        ...(settings.sponsorship.providerUrl === undefined
          ? []
          : ["npx service pay --project 2 --amount 0.01ether --sponsor"]),
        "npx service project show 31337 2"
      ])
]

const LABEL_WIDTH = 12

/** For a terminal. */
export const banner = (ready: Ready): string =>
  [
    "The service is ready.",
    ...factsOf(ready).map(([label, text]) => `  ${label.padEnd(LABEL_WIDTH)}${text}`),
    "",
    "To try in another terminal, in this folder:",
    ...attempts(ready).map(line => `  ${line}`),
    ...(ready.rpcUrl === undefined
      ? []
      : [`They find this service, and the chain's node at ${ready.rpcUrl}.`])
  ].join("\n")

/** For whatever else reads standard output. */
export const readyLine = (ready: Ready, time: string): string => {
  const { settings, rpcUrl } = ready
  return rendered(settings.log.format, {
    time,
    level: "info",
    event: "ready",
    ...(rpcUrl !== undefined && { rpc: rpcUrl }),
    facts: factsOf(ready).map(([label, text]) => `${label}: ${text}`),
    try: attempts(ready)
  })
}
