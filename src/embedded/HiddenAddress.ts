/** An address of this machine that nobody guesses, for what has no door of its own. */
import { randomInt } from "node:crypto"
import { createServer } from "node:net"

const PLAIN = "127.0.0.1"

const canListen = (host: string): Promise<boolean> =>
  new Promise(resolve => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(0, host, () => server.close(() => resolve(true)))
  })

/** Some systems have a single address of the loopback. */
export const hiddenAddress = async (): Promise<string> => {
  const host = `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`
  return (await canListen(host)) ? host : PLAIN
}
