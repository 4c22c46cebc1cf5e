/** In a process of the service: tells what it holds once all that nobody needs is collected. */
process.on("message", () => {
  globalThis.gc?.()
  process.send?.(process.memoryUsage())
})
process.channel?.unref()
