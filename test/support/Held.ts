/** What is held of memory for good. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

const used = (): number => {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

/** Bytes of the heap that are held longer than the work takes. */
export const heldBy = (work: () => void): number => {
  const before = used()
  work()
  return used() - before
}
