/** Sends prepared requests over keep-alive connections from a process of its own and reports what came back. */
import { readFileSync } from "node:fs"
import { createConnection, type Socket } from "node:net"

interface Plan {
  readonly port: number
  readonly file: string
  readonly connections: number
  readonly seconds: number
  /** Requests per second; absent: as fast as answers come. */
  readonly rate?: number
  /** One request, sent over and over. */
  readonly repeat?: boolean
}

const plan: Plan = JSON.parse(process.argv[2] ?? "{}")

const readRequests = (file: string): ReadonlyArray<Buffer> => {
  const bytes = readFileSync(file)
  const requests: Array<Buffer> = []
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    requests.push(bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return requests
}

const requests = readRequests(plan.file)
const latencies: Array<number> = []
const statuses = new Map<number, number>()
const started = performance.now()
const ends = started + plan.seconds * 1000
let next = 0

const take = (): Buffer | undefined => (plan.repeat ? requests[0] : requests[next])

/** When the next request is due: at once, or at its place in an even stream. */
const dueAt = (): number =>
  plan.rate === undefined ? performance.now() : started + (next * 1000) / plan.rate

const answerEnd = (buffer: Buffer): number => {
  const head = buffer.indexOf("\r\n\r\n")
  if (head < 0) return -1
  const length = /content-length: (\d+)/i.exec(buffer.toString("latin1", 0, head))
  const end = head + 4 + Number(length?.[1] ?? 0)
  return buffer.length >= end ? end : -1
}

const drive = (socket: Socket, done: () => void) => {
  let received: Buffer = Buffer.alloc(0)
  let sentAt = 0
  const send = () => {
    const due = dueAt()
    const request = take()
    if (request === undefined || due >= ends || performance.now() >= ends) {
      socket.destroy()
      return done()
    }
    next += 1
    sentAt = due
    const wait = due - performance.now()
    if (wait > 1) setTimeout(() => socket.write(request), wait)
    else socket.write(request)
  }
  socket.on("data", chunk => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const end = answerEnd(received)
    if (end < 0) return
    const status = Number(received.toString("latin1", 9, 12))
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    latencies.push(performance.now() - sentAt)
    received = received.subarray(end)
    send()
  })
  socket.on("error", () => done())
  send()
}

await Promise.all(
  Array.from(
    { length: plan.connections },
    () =>
      new Promise<void>(resolve => {
        const socket = createConnection(plan.port, "127.0.0.1", () => drive(socket, resolve)).setNoDelay(true)
      })
  )
)

const seconds = (performance.now() - started) / 1000
const sorted = latencies.sort((a, b) => a - b)
const quantile = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0
process.stdout.write(
  JSON.stringify({
    perSecond: latencies.length / seconds,
    p50: quantile(0.5),
    p99: quantile(0.99),
    statuses: Object.fromEntries(statuses)
  })
)
