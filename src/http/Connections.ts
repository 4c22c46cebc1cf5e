/** A listener's connections from accept to close: the errors of each are heard, and none outlives the listener. */
import type { Server } from "node:http"
import type { Socket } from "node:net"

/** An error ends its connection alone, and `close` follows it. */
const heard = () => {}

/** Node takes its own listeners off a socket, and forgets it, where CONNECT was parsed. */
export class Connections {
  readonly #open = new Set<Socket>()

  constructor(server: Server) {
    server.on("connection", (socket: Socket) => {
      this.#open.add(socket)
      socket.on("error", heard).once("close", () => this.#open.delete(socket))
    })
  }

  end(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
