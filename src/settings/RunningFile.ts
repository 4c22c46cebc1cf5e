/** What a running service tells programs of this machine: where it, the node of its local chain and that chain's provider answer. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"

export interface RunningService {
  readonly pid: number
  readonly url: string
  /** Of the embedded chain alone. */
  readonly rpc?: string
  /** The embedded one's URL. */
  readonly provider?: string
}

export const runningFile = (dataDirectory: string): string => join(dataDirectory, "running.json")

const runningIn = (text: string): RunningService | undefined => {
  const { pid, url, rpc, provider }: Record<string, unknown> = Object(JSON.parse(text))
  if (typeof pid !== "number" || typeof url !== "string") return undefined
  if (rpc === undefined) return { pid, url }
  if (typeof rpc !== "string") return undefined
  return typeof provider === "string" ? { pid, url, rpc, provider } : { pid, url, rpc }
}

export const readRunning = (dataDirectory: string): Promise<RunningService | undefined> =>
  readFile(runningFile(dataDirectory), "utf8")
    .then(runningIn)
    .catch(() => undefined)
