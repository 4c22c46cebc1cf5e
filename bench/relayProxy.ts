/** The only way to a node in a run: counts round trips, keeps the raw transactions that left, and allows so many requests a second. */
import { createServer, type IncomingMessage } from "node:http"
import { keccak256 } from "../src/values/Keccak.ts"

export type Methods = ReadonlyArray<string>

export interface Proxy {
  readonly url: string
  readonly roundTrips: () => number
  /** What was asked in each round trip, in the order of their arrival. */
  readonly asked: () => ReadonlyArray<Methods>
  readonly refused: () => number
  /** The hashes of the raw transactions that the node saw, with repetitions. */
  readonly sent: () => ReadonlyArray<string>
  readonly allow: (perSecond: number) => void
  readonly stop: () => Promise<void>
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** At most so many in any second. */
const makeGate = () => {
  let passed: Array<number> = []
  let perSecond = Number.POSITIVE_INFINITY
  return {
    allow: (count: number) => {
      perSecond = count
    },
    passes: () => {
      const now = performance.now()
      passed = passed.filter(at => now - at < 1000)
      if (passed.length >= perSecond) return false
      passed.push(now)
      return true
    }
  }
}

interface Question {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

const questionsIn = (text: string): ReadonlyArray<Question> => {
  const parsed: Question | ReadonlyArray<Question> = JSON.parse(text)
  return "method" in parsed ? [parsed] : parsed
}

const sentIn = (questions: ReadonlyArray<Question>): ReadonlyArray<string> =>
  questions
    .filter(({ method }) => method === "eth_sendRawTransaction")
    .map(({ params }) => keccak256(Buffer.from(String(params[0]).slice(2), "hex")))

export const startProxy = async (upstream: string): Promise<Proxy> => {
  const gate = makeGate()
  const sent: Array<string> = []
  const asked: Array<Methods> = []
  let refused = 0
  const server = createServer(async (request, response) => {
    const text = await textOf(request)
    const questions = questionsIn(text)
    asked.push(questions.map(({ method }) => method))
    if (!gate.passes()) {
      refused += 1
      return response.writeHead(429, { "content-length": 0 }).end()
    }
    sent.push(...sentIn(questions))
    const answer = await fetch(upstream, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: text
    })
    const body = Buffer.from(await answer.arrayBuffer())
    return response
      .writeHead(answer.status, { "content-type": "application/json", "content-length": body.length })
      .end(body)
  })
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    roundTrips: () => asked.length,
    asked: () => asked,
    refused: () => refused,
    sent: () => sent,
    allow: gate.allow,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
