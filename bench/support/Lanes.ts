/** Sends prepared requests over keep-alive connections from a process of its own, each lane in its order, and keeps what came back. */
import { writeFileSync } from "node:fs"
import { createConnection, type Socket } from "node:net"
import { answerEnd, quantiles, readRequests, statusOf } from "./Wire.ts"

interface Plan {
  readonly port: number
  readonly file: string
  /** Request i goes over connection i modulo this many. */
  readonly lanes: number
  readonly seconds: number
  /** Requests per second over all lanes; absent: as fast as answers come. */
  readonly rate?: number
  /** Where the bodies of the answers go, one JSON line each. */
  readonly answers?: string
}

const plan: Plan = JSON.parse(process.argv[2] ?? "{}")

interface Answer {
  readonly index: number
  readonly status: number
  readonly millis: number
  readonly body: string | undefined
}

const requests = readRequests(plan.file)
const answers: Array<Answer> = []
const codes = new Map<string, number>()
const started = performance.now()
const ends = started + plan.seconds * 1000

const noteCode = (body: string) => {
  const code = /"code":"([A-Z0-9_]+)"/.exec(body)?.[1] ?? "no code"
  codes.set(code, (codes.get(code) ?? 0) + 1)
}

const note = (index: number, sentAt: number, bytes: Buffer, head: number, end: number) => {
  const status = statusOf(bytes)
  const wanted = status >= 400 || plan.answers !== undefined
  const body = wanted ? bytes.toString("utf8", head + 4, end) : undefined
  if (status >= 400 && body !== undefined) noteCode(body)
  answers.push({ index, status, millis: performance.now() - sentAt, body })
}

const drive = (socket: Socket, lane: number, done: () => void) => {
  let index = lane
  let received: Buffer = Buffer.alloc(0)
  let sentAt = 0
  /** A request that its connection kept waiting counts from when it was due, any other from its writing: timers are late. */
  const write = (request: Buffer, from: number) => {
    sentAt = from
    socket.write(request)
  }
  const send = () => {
    const request = requests[index]
    const now = performance.now()
    const due = plan.rate === undefined ? now : started + (index * 1000) / plan.rate
    if (request === undefined || due >= ends || now >= ends) {
      socket.destroy()
      return done()
    }
    if (due - now > 1) setTimeout(() => write(request, performance.now()), due - now)
    else write(request, Math.min(due, now))
  }
  socket.on("data", chunk => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const found = answerEnd(received)
    if (found === undefined) return
    note(index, sentAt, received, found.head, found.end)
    received = received.subarray(found.end)
    index += plan.lanes
    send()
  })
  socket.on("error", () => done())
  socket.on("close", () => done())
  send()
}

await Promise.all(
  Array.from(
    { length: Math.min(plan.lanes, requests.length) },
    (_, lane) =>
      new Promise<void>(resolve => {
        const socket = createConnection(plan.port, "127.0.0.1", () => drive(socket, lane, resolve))
        socket.setNoDelay(true)
      })
  )
)

const seconds = (performance.now() - started) / 1000
const good = answers.filter(({ status }) => status < 300)
if (plan.answers !== undefined)
  writeFileSync(
    plan.answers,
    answers
      .sort((a, b) => a.index - b.index)
      .map(({ index, status, body }) => JSON.stringify({ index, status, body }))
      .join("\n")
  )
process.stdout.write(
  JSON.stringify({
    answered: answers.length,
    perSecond: good.length / seconds,
    ...quantiles(good.map(({ millis }) => millis)),
    codes: Object.fromEntries(codes)
  })
)
