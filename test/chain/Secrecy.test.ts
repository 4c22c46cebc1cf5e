import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Logger, LogLevel, Metric, TestClock, Tracer } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { call } from "../../src/chain/PinnedReads.ts"
import { gasPrice } from "../../src/chain/Reads.ts"
import { showAll } from "../../src/telemetry/AtScrape.ts"
import { type FakeNode, fakeNode, type Reply } from "../support/FakeNode.ts"
import { clientOver } from "./ChainUnderTest.ts"

const CANARY = "canary5ecret"
const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

/** Keeps all that is logged or traced while the body runs. */
const overheard = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const heard: Array<string> = []
    const logger = Logger.make(entry => heard.push(Logger.logfmtLogger.log(entry)))
    const native = Effect.runSync(Effect.tracer)
    const tracer = Tracer.make({
      span: (...args) => {
        const span = native.span(...args)
        const end = span.end.bind(span)
        span.end = (time, exit) => {
          heard.push(
            span.name,
            JSON.stringify([...span.attributes]),
            Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""
          )
          end(time, exit)
        }
        return span
      },
      context: native.context
    })
    return body.pipe(
      Effect.withTracer(tracer),
      Logger.withMinimumLogLevel(LogLevel.All),
      Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
      Effect.map(value => ({ value, heard }))
    )
  })

const wholeOf = (failure: object) =>
  [
    Cause.pretty(Cause.fail(failure)),
    JSON.stringify(failure),
    String(failure),
    Object.values(failure).join()
  ].join()

/** Host and port, which spans name in their places, and nowhere else. */
const ADDRESSED = /\["server\.(?:address|port)",(?:"127\.0\.0\.1"|\d+)\]/g

const canaryUrl = (node: FakeNode) =>
  `${node.url.replace("//", `//user:${CANARY}@`)}/v2/${CANARY}?key=${CANARY}`

describe("a node's URL and words", () => {
  const faults: ReadonlyArray<Reply> = [
    { wire: { kind: "reset" } },
    { wire: { kind: "truncated" } },
    { wire: { kind: "html" } },
    { wire: { kind: "status", status: 500 } },
    { wire: { kind: "redirect", status: 302, location: `http://${CANARY}.example/` } },
    { error: { code: -32000, message: CANARY, data: CANARY } },
    { result: CANARY },
    { result: { [CANARY]: CANARY } }
  ]

  it.effect.each(faults)("never leave the room: %o", fault =>
    Effect.gen(function* () {
      const node = yield* fakeNode()
      const use = Effect.gen(function* () {
        const client = yield* ChainClient
        const session = yield* client.session(1)
        for (const method of ["eth_gasPrice", "eth_sendRawTransaction", "eth_chainId"]) node.on(method, fault)
        const read = yield* Effect.flip(session.all([gasPrice]))
        const sent = yield* Effect.either(session.sendRaw("0x01"))
        yield* client.health
        return [read, sent, session.endpoint]
      })
      const { value, heard } = yield* overheard(
        Effect.provide(use, clientOver({ chainId: 1, urls: [canaryUrl(node)] }))
      )
      const metrics = JSON.stringify(yield* Metric.snapshot)
      const everything = [
        heard.join().replace(ADDRESSED, ""),
        metrics,
        ...value.map(part => (typeof part === "object" ? wholeOf(part) : part))
      ].join()
      assert.include(heard.join(), "ChainClient.all")
      assert.notInclude(everything, CANARY)
      assert.notInclude(everything, "127.0.0.1")
    }).pipe(Effect.scoped)
  )

  it.effect("never leave the room when nobody listens there", () =>
    Effect.gen(function* () {
      const node = yield* fakeNode()
      const url = canaryUrl(node)
      yield* Effect.promise(node.stop)
      const open = Effect.flatMap(ChainClient, client => client.session(1))
      const { value, heard } = yield* overheard(
        Effect.flip(Effect.provide(open, clientOver({ chainId: 1, urls: [url] })))
      )
      assert.strictEqual(value._tag, "RPC_UNAVAILABLE")
      assert.match(heard.join(), ADDRESSED)
      assert.notMatch(
        [heard.join().replace(ADDRESSED, ""), wholeOf(value)].join(),
        /canary|127\.0\.0\.1|ECONN/
      )
    }).pipe(Effect.scoped)
  )

  it.effect.each(["http://node.example/", "ftp://127.0.0.1/", "not a url", "http://127.0.0.1.example/"])(
    "%s stops the start without being repeated",
    url =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(Effect.provide(ChainClient, clientOver({ chainId: 1, urls: [url] })))
        assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
        assert.notInclude(String(exit), "example")
      })
  )
})

describe("spans", () => {
  it.effect("name the chain, the methods and the place alone", () =>
    Effect.gen(function* () {
      const node = yield* fakeNode()
      const use = Effect.gen(function* () {
        const session = yield* Effect.flatMap(ChainClient, client => client.session(1))
        yield* session.all([gasPrice, call({ to: ADDRESS, data: "0x" }, node.head().hash), gasPrice])
      })
      const { heard } = yield* overheard(Effect.provide(use, clientOver({ chainId: 1, urls: [node.url] })))
      const at = heard.indexOf("ChainClient.all")
      const attributes =
        '[["chain",1],["method","eth_gasPrice,eth_call"],["rpcSystem","jsonrpc"],["endpoint","1/0"],["http.request.method","POST"],["http.response.status_code",200]]'
      const told = heard[at + 1]?.replace(/\["code\.stacktrace".*?\],?/, "").replaceAll(ADDRESSED, "")
      assert.strictEqual(told?.replaceAll(/,(?=,|\])/g, ""), attributes)
    }).pipe(Effect.scoped)
  )
})

describe("metrics", () => {
  const CHAIN = 424_242

  /** What the metrics say of the chain under test, by name and labels. */
  const figures = Effect.map(Effect.zipRight(showAll, Metric.snapshot), pairs =>
    pairs
      .filter(({ metricKey }) => metricKey.tags.some(({ value }) => value === String(CHAIN)))
      .map(({ metricKey, metricState }) => {
        const name = [metricKey.name, ...metricKey.tags.map(({ value }) => value)].join()
        return [name, "value" in metricState ? metricState.value : "counted"] as const
      })
  )

  it.scoped("tell of each endpoint whether it serves, how old its head is, and its times and failures", () =>
    Effect.gen(function* () {
      const [first, second] = yield* Effect.all([fakeNode({ chainId: CHAIN }), fakeNode({ chainId: CHAIN })])
      const urls = [first.url, second.url]
      const client = Context.get(yield* Layer.build(clientOver({ chainId: CHAIN, urls })), ChainClient)
      first.once("eth_chainId", { wire: { kind: "reset" } })
      yield* TestClock.adjust("30 seconds")
      yield* client.session(CHAIN)
      const told = Object.fromEntries(yield* figures)
      assert.strictEqual(told["service_rpc_endpoint_serving,424242,424242/0"], 0)
      assert.strictEqual(told["service_rpc_endpoint_serving,424242,424242/1"], 1)
      assert.strictEqual(told["service_rpc_head_age_seconds,424242,424242/1"], 30)
      assert.strictEqual(told["service_rpc_silence_seconds,424242,424242/0"], 30)
      assert.strictEqual(told["service_rpc_silence_seconds,424242,424242/1"], 0)
      assert.strictEqual(told["service_rpc_calls_total,424242,424242/0,eth_chainId,unavailable"], "counted")
      assert.strictEqual(told["service_rpc_seconds,424242,424242/1,eth_chainId"], "counted")
      yield* TestClock.adjust("10 seconds")
      const older = Object.fromEntries(yield* figures)
      assert.strictEqual(older["service_rpc_head_age_seconds,424242,424242/1"], 40)
      yield* client.session(CHAIN)
      const later = Object.fromEntries(yield* figures)
      assert.strictEqual(later["service_rpc_endpoint_serving,424242,424242/0"], 1)
    })
  )

  it.scoped("tell an answer that is too large from one that cannot be, and of a node that serves on", () =>
    Effect.gen(function* () {
      const node = yield* fakeNode({ chainId: CHAIN })
      const client = Context.get(
        yield* Layer.build(clientOver({ chainId: CHAIN, urls: [node.url] })),
        ChainClient
      )
      yield* client.session(CHAIN)
      node.once("eth_gasPrice", { wire: { kind: "huge", bytes: 5 * 1024 * 1024 } })
      yield* Effect.flip(client.begin(CHAIN, [gasPrice]))
      const told = Object.fromEntries(yield* figures)
      assert.strictEqual(told["service_rpc_endpoint_serving,424242,424242/0"], 1)
      assert.strictEqual(told["service_rpc_calls_total,424242,424242/0,eth_gasPrice,oversized"], "counted")
      assert.isUndefined(told["service_rpc_calls_total,424242,424242/0,eth_gasPrice,invalid_response"])
    })
  )
})
