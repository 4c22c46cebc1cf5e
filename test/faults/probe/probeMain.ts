/** Loaded before a program: tells over its parent's channel how long the loop stood still, and what is held. */
import { subscribe } from "node:diagnostics_channel"
import { Socket } from "node:net"
import type { Look } from "./Words.ts"

const TICK_MILLIS = 2

let sockets = 0

const socketOf = (message: unknown): unknown =>
  typeof message === "object" && message !== null && "socket" in message ? message.socket : undefined

subscribe("net.server.socket", message => {
  const socket = socketOf(message)
  if (!(socket instanceof Socket)) return
  sockets++
  socket.once("close", () => sockets--)
})

const cpuMillis = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const moment = () => ({ at: performance.now(), cpu: cpuMillis() })

let last = moment()
let longest = { millis: 0, cpu: 0 }

const tick = () => {
  const now = moment()
  const millis = now.at - last.at
  if (millis > longest.millis) longest = { millis, cpu: now.cpu - last.cpu }
  last = now
}

setInterval(tick, TICK_MILLIS).unref()

process.on("message", () => {
  tick()
  const look: Look = {
    sockets,
    handles: process.getActiveResourcesInfo().filter(name => name.endsWith("Wrap")).length,
    stallMillis: longest.millis,
    stallCpuMillis: longest.cpu
  }
  longest = { millis: 0, cpu: 0 }
  process.send?.(look)
})

process.channel?.unref()
