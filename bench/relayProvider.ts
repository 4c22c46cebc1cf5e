/** A prepaid provider that answers everything after a fixed time; GET / says how long it took over all requests. */
import { createServer } from "node:http"
import { instantProvider } from "../test/support/InstantProvider.ts"
import { keptOpen } from "../test/support/KeptOpen.ts"

const ANSWER_MILLIS = Number(process.env.ANSWER_MILLIS ?? 20)

/** While the requests live. */
const PAYABLE_SECONDS = 3_600

const { answer } = instantProvider(Math.floor(Date.now() / 1000) + PAYABLE_SECONDS)
const stats = { requests: 0, busyMillis: 0 }

const server = createServer(keptOpen, async (request, response) => {
  const arrived = performance.now()
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  const isAsked = request.url !== "/"
  const body = JSON.stringify(isAsked ? answer(request.url ?? "", Buffer.concat(chunks).toString()) : stats)
  const left = ANSWER_MILLIS - (performance.now() - arrived)
  if (isAsked) await new Promise(resolve => setTimeout(resolve, Math.max(0, left)))
  response
    .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
    .end(body)
  if (!isAsked) return
  stats.requests += 1
  stats.busyMillis += performance.now() - arrived
})
server.listen(Number(process.env.PORT), "127.0.0.1")
