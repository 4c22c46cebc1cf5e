/** The service that a command talks to, and as whom. */
import { type Client, createClient, createPublicClient, type PublicClient } from "../client/Client.ts"
import type { Capabilities } from "../http/api/Capabilities.ts"
import { parsedUrl } from "../values/ParsedUrl.ts"
import type { CommandTerminal, Flag } from "./Command.ts"
import { usageFailure } from "./Failure.ts"
import { identityFlags, type LocalIdentity, localIdentity } from "./Identity.ts"
import type { Input } from "./Input.ts"

export const serviceFlags: ReadonlyArray<Flag> = [
  {
    name: "url",
    value: "<URL>",
    env: "FUNDING_URL",
    help: "Where the service answers; by default the one that runs in this folder, else http://localhost:8787."
  }
]

/** Of the first question to a service: one that hangs is told before long. */
const FIRST_ANSWER_MILLIS = 15_000
const WINDOW_SECONDS = 60
const LONGEST_WINDOW_SECONDS = 300

const audienceFlag: Flag = {
  name: "audience",
  value: "<origin>",
  env: "FUNDING_AUDIENCE",
  help: "What signatures are made for; by default what a service of this machine says, or that of --url itself."
}

export const signedFlags: ReadonlyArray<Flag> = [...serviceFlags, audienceFlag, ...identityFlags]

export interface Connection {
  readonly client: Client
  readonly identity: LocalIdentity
  readonly capabilities: Capabilities
  readonly baseUrl: string
}

export const baseUrlOf = (input: Input): string => {
  const url = input.value("url") ?? "http://localhost:8787"
  const { username, password } = parsedUrl(url) ?? {}
  if (username || password)
    throw usageFailure(
      "The service's URL has a name or a password in it, which no signed request carries.",
      "Give --url or FUNDING_URL without them."
    )
  if (parsedUrl(url) === undefined || !/^https?:/.test(url))
    throw usageFailure(`"${url}" is no http or https URL.`, "Give --url or FUNDING_URL.")
  return url.replace(/\/+$/, "")
}

export const publicClient = (input: Input): PublicClient => createPublicClient({ baseUrl: baseUrlOf(input) })

const LOCAL = /^(?:localhost|127\.[0-9.]+|\[::1\])$/

/** A service elsewhere that only passes signatures on would have them made for another one. */
const checkAudience = (input: Input, baseUrl: string, audience: string): void => {
  const { origin, hostname } = new URL(baseUrl)
  const reached = audience === baseUrl ? baseUrl : origin
  const expected = input.value("audience")?.replace(/\/+$/, "") ?? (LOCAL.test(hostname) ? audience : reached)
  if (audience === expected) return
  throw usageFailure(
    `The service at ${origin} has signatures made for ${audience}, not for ${expected}.`,
    `Nothing was signed. Reach it by ${audience}, or give --audience ${audience} if whoever answers here may use what you sign there.`
  )
}

export const connect = async (input: Input, terminal: CommandTerminal): Promise<Connection> => {
  const baseUrl = baseUrlOf(input)
  const windowSeconds = input.integer("window", 1, LONGEST_WINDOW_SECONDS) ?? WINDOW_SECONDS
  const capabilities = await createPublicClient({
    baseUrl,
    timeoutMillis: FIRST_ANSWER_MILLIS
  }).capabilities()
  const { audience } = capabilities
  checkAudience(input, baseUrl, audience)
  const identity = await localIdentity(input, terminal, capabilities)
  const { account, signer, grantId } = identity
  const client = createClient({ baseUrl, audience, account, signer, grantId, windowSeconds })
  return { client, identity, capabilities, baseUrl }
}

/** The chain of a command: the one given, or the only one that the service serves. */
export const chainOf = (input: Input, { chains }: Capabilities): number => {
  const chosen = input.integer("chain")
  const [only] = chains
  if (chosen !== undefined) return chosen
  if (only !== undefined && chains.length === 1) return only.id
  const ids = chains.map(({ id, name }) => `${id} ${name}`).join(", ")
  throw usageFailure("Which chain?", `Give --chain with one of: ${ids || "none is configured"}.`)
}

export const chainFlag: Flag = {
  name: "chain",
  value: "<id>",
  help: "The chain; needed where the service serves several."
}
