/** The service that runs in this folder, as its data directory tells: what stands in where neither flag nor variable names another. */
import { createPublicClient } from "../client/Client.ts"
import { readRunning } from "../settings/RunningFile.ts"
import { parsedUrl } from "../values/ParsedUrl.ts"
import type { Command, CommandTerminal } from "./Command.ts"
import type { Found, Input } from "./Input.ts"

const ANSWER_MILLIS = 2_000

const LOOPBACK = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])$/

/** A folder from elsewhere leads nobody to another machine. */
const isOfThisMachine = (url: string): boolean => {
  const parsed = parsedUrl(url)
  return parsed?.protocol === "http:" && LOOPBACK.test(parsed.hostname)
}

/** What a killed service left behind leads nowhere. */
const answers = (baseUrl: string): Promise<boolean> =>
  createPublicClient({ baseUrl, retries: 0, timeoutMillis: ANSWER_MILLIS })
    .capabilities()
    .then(
      () => true,
      () => false
    )

/** The node of its chain belongs to this service alone. */
export const foundHere = async (
  { flags }: Command,
  input: Input,
  { env }: CommandTerminal
): Promise<Found> => {
  if (!flags.some(({ name }) => name === "url")) return {}
  const running = await readRunning(env.SERVICE_DATA_DIR || ".data")
  if (running === undefined) return {}
  const { url, rpc, provider } = running
  const given = input.value("url")?.replace(/\/+$/, "")
  if (given !== undefined && given !== url) return {}
  if (![url, rpc ?? url, provider ?? url].every(isOfThisMachine) || !(await answers(url))) return {}
  return { url, ...(rpc !== undefined && { rpc }), ...(provider !== undefined && { provider }) }
}
