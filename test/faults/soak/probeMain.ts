/** In a process of the service: tells what it holds once all that nobody needs is collected. */
import { getHeapCodeStatistics } from "node:v8"
import type { Held } from "./Memory.ts"

const held = (): Held => {
  const { heapUsed, external, rss } = process.memoryUsage()
  const { code_and_metadata_size: machine, bytecode_and_metadata_size: bytes } = getHeapCodeStatistics()
  return { live: heapUsed + external, code: machine + bytes, resident: rss }
}

process.on("message", () => {
  globalThis.gc?.()
  process.send?.(held())
})
process.channel?.unref()
