/** Loaded before the bundler's own program: what it listens with is reached from this machine alone, and it ends with whoever started it. */
import { type ListenOptions, Server } from "node:net"

const listenAnywhere = Server.prototype.listen

/** Of all its forms the bundler uses the one with options. */
const listenHere = function (this: Server, options: ListenOptions, listening?: () => void): Server {
  if (typeof options !== "object" || options === null)
    throw new Error("It listens in another way than is known.")
  this.once("listening", () => {
    const address = this.address()
    if (typeof address === "object" && address !== null)
      process.stdout.write(`Listening on http://127.0.0.1:${address.port}\n`)
  })
  return Reflect.apply(listenAnywhere, this, [{ ...options, host: "127.0.0.1" }, listening])
}

Object.assign(Server.prototype, { listen: listenHere })

process.stdin.once("close", () => process.exit(1)).resume()
