/** Sends prepared requests over keep-alive connections from a process of its own and reports what came back. */
import { createConnection, type Socket } from "node:net"
import { answerEnd, quantiles, readRequests, statusOf } from "./Wire.ts"

interface Plan {
  readonly port: number
  readonly file: string
  readonly connections: number
  readonly seconds: number
  /** Requests per second; absent: as fast as answers come. */
  readonly rate?: number
  /** So many at once that a second has so many bursts of them; absent: evenly. */
  readonly bursts?: number
  /** One request, sent over and over. */
  readonly repeat?: boolean
  /** The loopback addresses that the connections come from, in turn. */
  readonly from?: ReadonlyArray<string>
}

const plan: Plan = JSON.parse(process.argv[2] ?? "{}")

const requests = readRequests(plan.file)
const latencies: Array<number> = []
const statuses = new Map<number, number>()
const started = performance.now()
const ends = started + plan.seconds * 1000
let next = 0

const take = (): Buffer | undefined => (plan.repeat ? requests[0] : requests[next])

/** When the next request is due: at once, at its place in an even stream, or with its burst. */
const dueAt = (): number => {
  const { rate, bursts } = plan
  if (rate === undefined) return performance.now()
  const seconds = bursts === undefined ? next / rate : Math.floor((next * bursts) / rate) / bursts
  return started + seconds * 1000
}

const drive = (socket: Socket, done: () => void) => {
  let received: Buffer = Buffer.alloc(0)
  let sentAt = 0
  /** A request that its connection kept waiting counts from when it was due, any other from its writing: timers are late. */
  const write = (request: Buffer, from: number) => {
    sentAt = from
    socket.write(request)
  }
  const send = () => {
    const due = dueAt()
    const request = take()
    if (request === undefined || due >= ends || performance.now() >= ends) {
      socket.destroy()
      return done()
    }
    next += 1
    const now = performance.now()
    if (due - now > 1) setTimeout(() => write(request, performance.now()), due - now)
    else write(request, Math.min(due, now))
  }
  socket.on("data", chunk => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const found = answerEnd(received)
    if (found === undefined) return
    const status = statusOf(received)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    latencies.push(performance.now() - sentAt)
    received = received.subarray(found.end)
    send()
  })
  socket.on("error", () => done())
  send()
}

const addressOf = (connection: number): string => plan.from?.[connection % plan.from.length] ?? "127.0.0.1"

await Promise.all(
  Array.from(
    { length: plan.connections },
    (_, connection) =>
      new Promise<void>(resolve => {
        const options = { port: plan.port, host: "127.0.0.1", localAddress: addressOf(connection) }
        const socket = createConnection(options, () => drive(socket, resolve)).setNoDelay(true)
      })
  )
)

const seconds = (performance.now() - started) / 1000
process.stdout.write(
  JSON.stringify({
    perSecond: latencies.length / seconds,
    ...quantiles(latencies),
    statuses: Object.fromEntries(statuses)
  })
)
