/** Plays a pipeline to a listener to its end. */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { setImmediate, setTimeout } from "node:timers/promises"
import type { Chance } from "../crash/Chance.ts"
import type { Pipeline } from "./Pieces.ts"

const LONGEST_PAUSE_MILLIS = 6
const LINGERING_MILLIS = 60

const opened = async (url: string): Promise<Socket> => {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true })
  socket.on("error", () => {})
  await Promise.race([once(socket, "connect"), once(socket, "close")])
  return socket
}

const pause = (chance: Chance): Promise<unknown> =>
  chance.happens(0.5) ? setImmediate() : setTimeout(chance.below(LONGEST_PAUSE_MILLIS))

/** Until the socket says so or has gone, and no longer than a while. */
const until = async (socket: Socket, event: "data" | "close"): Promise<void> => {
  if (socket.closed) return
  const given = new AbortController()
  const late = setTimeout(LINGERING_MILLIS, undefined, { signal: given.signal }).catch(() => {})
  const heard = [event, "close"].map(name => once(socket, name, { signal: given.signal }).catch(() => {}))
  await Promise.race([late, ...heard])
  given.abort()
}

const end = async (socket: Socket, { ending, bytesAfterEnd }: Pipeline): Promise<void> => {
  if (ending === "reset") return void socket.resetAndDestroy()
  if (ending === "destroy") return void socket.destroy()
  if (ending === "half-close") socket.end()
  else if (bytesAfterEnd) socket.write("bytes after the end\r\n\r\n")
  await until(socket, "close")
  if (bytesAfterEnd) socket.resetAndDestroy()
  else socket.destroy()
}

export const play = async (pipeline: Pipeline, url: string, chance: Chance): Promise<void> => {
  const socket = await opened(url)
  let answered = false
  socket.on("data", () => {
    answered = true
  })
  for (const bytes of pipeline.writes) {
    if (socket.destroyed) break
    socket.write(bytes)
    await pause(chance)
  }
  if (pipeline.awaitsAnswer && !answered) await until(socket, "data")
  await end(socket, pipeline)
}
