/** A wire that can be cut or fall silent: what lies behind it becomes unreachable, and reachable again. */
import { connect, createServer, type Socket } from "node:net"

export interface TcpProxy {
  readonly port: number
  readonly cut: () => void
  /** From here on nothing passes, and nobody is told; who connects anew is heard again once restored. */
  readonly hush: () => void
  readonly restore: () => void
  /** The next question that holds these words is passed on, and its connection ends with the answer, which nobody hears. */
  readonly loseAnswerTo: (words: string) => Promise<void>
  readonly close: () => Promise<void>
}

export const startTcpProxy = (targetPort: number): Promise<TcpProxy> => {
  const sockets = new Set<Socket>()
  let whole = true
  let silent = false
  let losing: { readonly words: string; readonly lost: () => void } | undefined
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
  }
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer(near => {
    keep(near)
    if (!whole) return near.destroy()
    if (silent) return near.pause()
    const far = connect(targetPort, "127.0.0.1")
    keep(far)
    near.pipe(far).pipe(near)
    near.on("data", (chunk: Buffer) => {
      if (losing === undefined || !chunk.includes(losing.words)) return
      const { lost } = losing
      losing = undefined
      far.unpipe(near)
      far.once("data", () => {
        near.destroy()
        lost()
      })
      far.resume()
    })
    near.on("close", () => far.destroy())
    far.on("close", () => near.destroy())
    return near
  })
  return new Promise((resolve, reject) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      if (typeof address !== "object" || address === null) return reject(new Error("no port"))
      return resolve({
        port: address.port,
        cut: () => {
          whole = false
          drop()
        },
        hush: () => {
          silent = true
          for (const socket of sockets) socket.unpipe().pause()
        },
        restore: () => {
          whole = true
          silent = false
        },
        loseAnswerTo: words =>
          new Promise(lost => {
            losing = { words, lost }
          }),
        close: () =>
          new Promise(closed => {
            drop()
            server.close(() => closed())
          })
      })
    })
  )
}
