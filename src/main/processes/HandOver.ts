/** Connections on their way to a process: Node forgets one that it handed to a process which ended before it took it, and nobody would ever answer there. */
import type { Worker } from "node:cluster"

/** As Node's own words between supervisor and process have it. */
const REFUSED = { cmd: "NODE_CLUSTER", accepted: false }

/** Has what a process did not take any more handed to another one. */
export const takeBackAtEnd = (worker: Worker): void => {
  const { process: child } = worker
  const untaken = new Set<number>()
  const { send } = child
  Reflect.set(child, "send", (...words: ReadonlyArray<unknown>) => {
    const [word, connection] = words
    const { seq } = Object(word)
    if (typeof connection === "object" && typeof seq === "number") untaken.add(seq)
    return Reflect.apply(send, child, words)
  })
  child.on("internalMessage", word => untaken.delete(Object(word).ack))
  const takeBack = () => {
    for (const seq of [...untaken]) child.emit("internalMessage", { ...REFUSED, ack: seq })
  }
  worker.on("exit", () => (worker.isConnected() ? worker.once("disconnect", takeBack) : takeBack()))
}
