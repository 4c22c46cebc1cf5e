/** The service that runs in this folder, as its data directory tells: what stands in where neither flag nor variable names another. */
import { existsSync } from "node:fs"
import { join } from "node:path"
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
  const directory = env.SERVICE_DATA_DIR || ".data"
  const running = await readRunning(directory)
  if (running === undefined) return {}
  const { pid: _, ...found } = running
  const { url, rpc } = found
  const given = input.value("url")?.replace(/\/+$/, "")
  if (given !== undefined && given !== url) return {}
  if (!Object.values(found).every(isOfThisMachine) || !(await answers(url))) return {}
  const manifests = join(directory, "chain", "smart-manifests.json")
  return { ...found, ...(rpc !== undefined && existsSync(manifests) && { manifests }) }
}
