/** What `doctor` looks at in the service: that it answers, its clock, and what it says of itself. */
import { createPublicClient, type PublicClient } from "../client/Client.ts"
import type { Capabilities } from "../http/api/Capabilities.ts"
import { type Check, degradedCheck, failed, ok } from "./Checks.ts"
import { explain } from "./Explain.ts"

/** Requests are accepted up to 30 seconds ahead; a signature is made for 60. */
const TOLERATED_MILLIS = 5_000
const REFUSED_MILLIS = 30_000

const clockCheck = ({ clock }: PublicClient): Check => {
  const seconds = (clock.offsetMillis / 1000).toFixed(1)
  const detail = `the service's clock is ${seconds} s ahead of this machine's`
  const away = Math.abs(clock.offsetMillis)
  if (away <= TOLERATED_MILLIS) return ok("clock", detail)
  return away <= REFUSED_MILLIS
    ? degradedCheck("clock", `${detail}; synchronise this machine`)
    : failed("clock", `${detail}; signatures of clients that do not learn it are refused`)
}

const audienceCheck = ({ audience }: Capabilities, baseUrl: string): Check =>
  audience === baseUrl
    ? ok("audience", audience)
    : degradedCheck("audience", `signatures are bound to ${audience}, reached here as ${baseUrl}`)

const chainsCheck = ({ chains }: Capabilities): Check =>
  chains.length === 0
    ? degradedCheck("chains", "none is configured; reads and plans are refused")
    : ok("chains", chains.map(({ id, name, confirmations }) => `${id} ${name} (${confirmations})`).join(", "))

export const serviceChecks = async (baseUrl: string): Promise<ReadonlyArray<Check>> => {
  const client = createPublicClient({ baseUrl, retries: 0 })
  const started = performance.now()
  try {
    const capabilities = await client.capabilities()
    return [
      ok("service", `${baseUrl} answers in ${Math.round(performance.now() - started)} ms`),
      clockCheck(client),
      audienceCheck(capabilities, baseUrl),
      chainsCheck(capabilities)
    ]
  } catch (failure) {
    const { message, advice } = explain(failure)
    return [failed("service", `${message}. ${advice}`)]
  }
}
