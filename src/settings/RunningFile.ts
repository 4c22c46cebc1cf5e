/** What a running service tells programs of this machine: where it, the node of its local chain and what serves that chain answer. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"

export interface RunningService {
  readonly pid: number
  readonly url: string
  /** Of the embedded chain alone. */
  readonly rpc?: string
  /** The URLs of the embedded ones. */
  readonly provider?: string
  readonly bundler?: string
  readonly paymaster?: string
}

export const runningFile = (dataDirectory: string): string => join(dataDirectory, "running.json")

const runningIn = (text: string): RunningService | undefined => {
  const { pid, url, rpc, ...others }: Record<string, unknown> = Object(JSON.parse(text))
  if (typeof pid !== "number" || typeof url !== "string") return undefined
  if (rpc === undefined) return { pid, url }
  if (typeof rpc !== "string") return undefined
  const beside = ["provider", "bundler", "paymaster"].flatMap(name => {
    const told = others[name]
    return typeof told === "string" ? [[name, told]] : []
  })
  return { pid, url, rpc, ...Object.fromEntries(beside) }
}

export const readRunning = (dataDirectory: string): Promise<RunningService | undefined> =>
  readFile(runningFile(dataDirectory), "utf8")
    .then(runningIn)
    .catch(() => undefined)
