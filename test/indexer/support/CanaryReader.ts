/** A reader of a scripted source whose own word, which nobody is to hear, is in each request. */
import { startFakeSource } from "./FakeSource.ts"
import { startReader } from "./Reader.ts"

export const CANARY = "canary-of-the-source"

export const startCanaryReader = async () => {
  const source = await startFakeSource()
  const reader = await startReader({
    testnet: source.url,
    headers: { authorization: CANARY, accept: "text/html" }
  })
  const stop = async () => {
    await reader.stop()
    await source.stop()
  }
  return { source, reader, stop }
}
