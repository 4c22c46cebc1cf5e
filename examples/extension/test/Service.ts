/** The service of this package as a process of its own, with its embedded database and chain. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"

export interface Running {
  /** Of the embedded chain. */
  readonly rpcUrl: string
  readonly stop: () => Promise<void>
}

/** The one line that the service writes for programs once it answers. */
interface Ready {
  readonly event: "ready"
  readonly rpc: string
}

const readyIn = (line: string): Ready | undefined =>
  line.includes('"event":"ready"') ? JSON.parse(line) : undefined

export const started = async (environment: NodeJS.ProcessEnv): Promise<Running> => {
  const child = spawn(process.execPath, ["dist/src/main.js"], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = once(child, "exit")
  const ready = new Promise<Ready>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", line => {
      const told = readyIn(line)
      if (told !== undefined) resolve(told)
    })
    void ended.then(([code]) => reject(new Error(`the service ended with ${code}`)))
  })
  const { rpc: rpcUrl } = await ready
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
  }
  return { rpcUrl, stop }
}
