/** Ports that nobody else is given: each once in a process, and none that the system hands out by itself. */
import { createServer } from "node:net"

const FIRST_PORT = 12_000
/** Above them lie those that clients' sockets are given. */
const LAST_PORT = 32_000

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const probe = createServer()
      .once("error", () => resolve(false))
      .listen(port, "127.0.0.1", () => probe.close(() => resolve(true)))
  })

/** The test runner numbers the processes that run at once; others have the first part to themselves. */
const PARTS = 5
const WIDTH = (LAST_PORT - FIRST_PORT) / PARTS
const FIRST_OF_PART = FIRST_PORT + (Number(process.env.VITEST_POOL_ID ?? 0) % PARTS) * WIDTH

let given = (process.pid * 97) % WIDTH

export const freePort = async (): Promise<number> => {
  given = (given + 1) % WIDTH
  const port = FIRST_OF_PART + given
  return (await isFree(port)) ? port : freePort()
}
