/** The public listener: raw requests in, answers out, and an orderly end. It is `node:http` itself, which answers 93,000 requests a second where the platform's server answers 18,000. */
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Server as NetServer } from "node:net"
import type { Duplex } from "node:stream"
import { Deferred, Effect, FiberSet, RuntimeFlags, RuntimeFlagsPatch, Schedule } from "effect"
import type { ServiceBusy } from "../accounts/refusals.ts"
import { Indexer } from "../indexer/Indexer.ts"
import { listening } from "../settings/Listening.ts"
import { Member } from "../settings/Member.ts"
import { Settings } from "../settings/Settings.ts"
import { makeRequestMetrics, RequestLog, RequestTrace } from "../telemetry/Requests.ts"
import { withinGrace } from "../values/Grace.ts"
import { AddressBudget, chargePeer } from "./AddressBudget.ts"
import { type Answer, endAfter, send } from "./Answer.ts"
import { type Proxies, proxyList } from "./ClientAddress.ts"
import {
  Connections,
  Held,
  InFlight,
  isFollowedByNothing,
  isToWait,
  Pipelined,
  tooManyWaiting,
  Unread,
  unparsedRefusals
} from "./Connections.ts"
import { type Exchange, makeExchange } from "./Exchange.ts"
import { PinnedAnswers } from "./PinnedAnswers.ts"
import { answerAtOnce, answerOfExchange, makeSignedWork } from "./Pipeline.ts"
import { problemAnswer } from "./Problems.ts"
import type { Pages } from "./pages/Pages.ts"
import { hostRefusal } from "./RequestTarget.ts"
import { makeRouter, type Route } from "./Route.ts"
import { RequestTimeout, ShuttingDown } from "./refusals.ts"

const MAXIMUM_HEADER_BYTES = 32 * 1024
const HEADERS_DEADLINE_MS = 10_000
const REQUEST_DEADLINE_MS = 65_000
const KEEP_ALIVE_MS = 65_000
/** Of one process: a quiet one takes some 15 KB. */
const MOST_CONNECTIONS = 10_000
const GRACE = "25 seconds"
const LAST_READ = "2 seconds"

/** Requests have metrics of their own; those of every fiber cost more than they tell. */
const UNMEASURED = RuntimeFlagsPatch.disable(RuntimeFlags.RuntimeMetrics)

/** Who ended only their own side still waits for the answer (the types of Node do not know this setting), and every header counts. */
const FURTHER_OPTIONS = { httpAllowHalfOpen: true, maxHeadersCount: 0 }

const listenerOptions = {
  maxHeaderSize: MAXIMUM_HEADER_BYTES,
  headersTimeout: HEADERS_DEADLINE_MS,
  requestTimeout: REQUEST_DEADLINE_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: 1_000,
  requireHostHeader: false
}

type Needs<P, S> = Effect.Effect.Context<ReturnType<typeof answerOfExchange<P, S>>>

const leaveWork = (exchange: Exchange): void => {
  exchange.release?.()
  exchange.release = undefined
}

/** What is served: the API with what its endpoints do, and the pages that tell of it. */
export interface Site<P, S> {
  readonly routes: ReadonlyArray<Route<P, S>>
  readonly pages: (audience: string) => Pages
}

interface Ending {
  /** Set once the listener ends: nothing new is begun, and each answer is its connection's last. */
  draining: boolean
  /** Set once another process serves in this one's place: what is asked on kept connections is answered, each time for the last time. */
  replaced: boolean
}

/** What a listener knows of the exchanges on its connections. */
const makeBooks = () => {
  const unread = new Unread()
  return {
    inFlight: new InFlight(),
    held: new Held(),
    pipelined: new Pipelined(),
    unread,
    linger: (socket: Duplex) => unread.leave(socket, performance.now())
  }
}

type Books = ReturnType<typeof makeBooks>

/** Whether there is room for it; whatever still comes behind the last one of a connection is no request. */
const isTaken = ({ linger, pipelined }: Books, exchange: Exchange): boolean => {
  const { request, response } = exchange
  const { socket } = request
  const hasRoom = pipelined.takes(socket, response)
  if (isFollowedByNothing(request)) pipelined.end(socket)
  if (pipelined.isOver(socket)) endAfter(exchange, linger)
  return hasRoom
}

type Refused = ShuttingDown | RequestTimeout | ServiceBusy

/** How an exchange ends, once. */
const makeSettling = (books: Books, ending: Ending, proxies: Proxies) =>
  Effect.gen(function* () {
    const { audience } = yield* Settings
    const log = yield* RequestLog
    const measure = makeRequestMetrics()
    const { held, inFlight, linger, pipelined, unread } = books

    const finish = (exchange: Exchange, answer: Answer) => {
      if (exchange.settled) return
      exchange.settled = true
      leaveWork(exchange)
      inFlight.remove(exchange)
      const isLast = ending.draining || (ending.replaced && pipelined.isLast(exchange.request.socket))
      send(exchange, answer, { isLast, linger })
      unread.add(exchange.response, performance.now())
      log.write(exchange, answer)
      measure(exchange, answer.status)
    }

    const settle = (exchange: Exchange, answer: Answer) => {
      if (ending.draining || !isToWait(exchange, proxies)) return finish(exchange, answer)
      leaveWork(exchange)
      held.add(exchange, () => finish(exchange, answer))
    }

    const refuse = (exchange: Exchange, refusal: Refused) => {
      exchange.code = refusal._tag
      finish(exchange, problemAnswer(refusal, { audience, requestId: exchange.id }))
    }

    return { finish, settle, refuse }
  })

const makePipeline = <P, S>({ routes, pages }: Site<P, S>, ended: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { audience, trustedProxies } = yield* Settings
    const { edition } = yield* Indexer
    return {
      router: makeRouter(routes),
      pinned: new PinnedAnswers(edition),
      budget: yield* AddressBudget,
      proxies: proxyList(trustedProxies),
      pages: pages(audience),
      ended,
      signedWork: yield* makeSignedWork
    }
  })

/** Serves until the scope closes: then it stops listening, ends what it works on, and lets go. */
export const serve = <P, S>(site: Site<P, S>) =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const trace = yield* RequestTrace
    const fibers = yield* FiberSet.make()
    const ended = yield* Deferred.make<void>()
    const pipeline = yield* makePipeline(site, Deferred.await(ended))
    const unmeasured = Effect.withRuntimeFlagsPatch(UNMEASURED)
    const fork = yield* FiberSet.runtime(fibers)<Needs<P, S>>().pipe(unmeasured)
    const ending = { draining: false, replaced: false }
    const books = makeBooks()
    const { finish, refuse, settle } = yield* makeSettling(books, ending, pipeline.proxies)
    const unparsed = unparsedRefusals(settings.audience, socket => {
      fork(chargePeer(socket))
      books.linger(socket)
    })

    const onRequest = (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request
      if (books.unread.isLeft(socket) || books.pipelined.isOver(socket)) return void socket.pause()
      unparsed.await(socket, response)
      const exchange = makeExchange(request, response, randomUUID(), performance.now())
      if (!isTaken(books, exchange)) return refuse(exchange, tooManyWaiting())
      if (ending.draining) return refuse(exchange, new ShuttingDown())
      const misaddressed = hostRefusal(request)
      const atOnce = misaddressed === undefined ? answerAtOnce(exchange, pipeline) : undefined
      if (atOnce !== undefined) return finish(exchange, atOnce)
      const answered = trace.around(exchange, answerOfExchange(exchange, pipeline, misaddressed))
      books.inFlight.add(exchange, fork(Effect.map(answered, answer => settle(exchange, answer))))
    }

    yield* Effect.forkScoped(endingOverdue(books, refuse))
    const server = createServer(listenerOptions, onRequest)
    const connections = new Connections(server, MOST_CONNECTIONS, books.pipelined.isAwaited)
    Object.assign(server, FURTHER_OPTIONS)
    server.on("checkExpectation", onRequest)
    server.on("clientError", unparsed.refuse)
    server.on("connect", (_request, socket) => unparsed.refuse(undefined, socket))
    const worked = withinGrace(FiberSet.awaitEmpty(fibers), GRACE)
    yield* Effect.acquireRelease(listening(server, settings.host, settings.port, "SERVICE_PORT"), () =>
      Effect.suspend(() => {
        ending.draining = true
        Deferred.unsafeDone(ended, Effect.void)
        return closing(server, connections, worked)
      })
    )
    yield* Effect.forkScoped(leavingOnceReplaced(server, ending))
    return server
  })

/** Leaves the port to another process, and stays for whoever is connected until they or their connections' time are gone. */
const leavingOnceReplaced = (server: Server, ending: Ending) =>
  Effect.gen(function* () {
    const member = yield* Member
    if (member === undefined) return
    yield* member.replaced
    ending.replaced = true
    const closed = yield* stopsListening(server)
    yield* closed
    yield* member.left
  })

/** Gives what waits for the last connection. */
const stopsListening = (server: Server) =>
  Effect.gen(function* () {
    const closed = yield* Deferred.make<void>()
    NetServer.prototype.close.call(server, () => Deferred.unsafeDone(closed, Effect.void))
    return Deferred.await(closed)
  })

const endingOverdue = (
  { held, inFlight, unread }: Books,
  refuse: (exchange: Exchange, refusal: Refused) => void
) =>
  Effect.suspend(() => {
    const now = performance.now()
    unread.endOverdue(now)
    held.tellAll()
    return inFlight.endOverdue(now, exchange => refuse(exchange, new RequestTimeout()))
  }).pipe(Effect.repeat(Schedule.spaced("1 second")))

/** Stops listening at once, but answers on kept connections until the work is done; then lets answers reach slow readers for a moment. */
const closing = (server: Server, connections: Connections, worked: Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const closed = yield* stopsListening(server)
    yield* worked
    yield* Effect.sync(() => server.closeIdleConnections())
    yield* withinGrace(closed, LAST_READ)
    yield* Effect.sync(() => connections.end())
    yield* closed
  })
