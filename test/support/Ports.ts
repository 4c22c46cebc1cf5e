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

let lastPort = FIRST_PORT + ((process.pid * 97) % (LAST_PORT - FIRST_PORT))

export const freePort = async (): Promise<number> => {
  const port = lastPort >= LAST_PORT ? FIRST_PORT : lastPort + 1
  lastPort = port
  return (await isFree(port)) ? port : freePort()
}
