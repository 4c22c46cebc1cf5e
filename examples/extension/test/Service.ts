/** The service of this package as a process of its own, with its embedded database and chain. */
import { spawn } from "node:child_process"
import { once } from "node:events"

export interface Running {
  /** Of the embedded chain. */
  readonly rpcUrl: string
  readonly stop: () => Promise<void>
}

const CHAIN = / at (http:\/\/127\.0\.0\.1:\d+)\n/

export const started = async (environment: NodeJS.ProcessEnv): Promise<Running> => {
  const child = spawn(process.execPath, ["dist/src/main.js"], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = once(child, "exit")
  let text = ""
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on("data", chunk => {
      text += String(chunk)
      if (/^ {2}indexer .*\n/m.test(text)) resolve(CHAIN.exec(text)?.[1] ?? "")
    })
    void ended.then(([code]) => reject(new Error(`the service ended with ${code}`)))
  })
  const rpcUrl = await ready
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
  }
  return { rpcUrl, stop }
}
