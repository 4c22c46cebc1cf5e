import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect } from "effect"
import { effectLogger } from "../../src/telemetry/EffectLogger.ts"
import { LogSink } from "../../src/telemetry/LogSink.ts"
import { RequestLog } from "../../src/telemetry/Requests.ts"
import { capturing, linesOf } from "./support/Capture.ts"

const json = { level: "info", format: "json" } as const
const SECRET = "canary-of-a-secret"
const signature = `0x${"5e".repeat(65)}`

const logged = (effect: Effect.Effect<void>, log: Parameters<typeof capturing>[0] = json) =>
  Effect.map(capturing(log, Effect.provide(effect, effectLogger)), linesOf)

describe("log lines", () => {
  it.effect("carry level, event and annotations as one JSON object each", () =>
    Effect.gen(function* () {
      const [line, ...others] = yield* logged(
        Effect.logWarning("a thing happened", 3).pipe(Effect.annotateLogs({ requestId: "r1", traceId: "t1" }))
      )
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(line, {
        requestId: "r1",
        traceId: "t1",
        time: "1970-01-01T00:00:00.000Z",
        level: "warning",
        event: "a thing happened 3"
      })
    })
  )

  it.effect("are written once each, whoever wrote lines before", () =>
    Effect.gen(function* () {
      const early = Effect.provide(Effect.logInfo("early"), effectLogger)
      const lines = yield* logged(Effect.zipRight(Effect.logInfo("first"), Effect.logInfo("second")))
      const both = yield* capturing(
        json,
        Effect.zipRight(early, Effect.provide(Effect.logInfo("later"), effectLogger))
      )
      assert.deepStrictEqual(
        lines.map(({ event }) => event),
        ["first", "second"]
      )
      assert.deepStrictEqual(
        linesOf(both).map(({ event }) => event),
        ["early", "later"]
      )
    })
  )

  it.effect("leave out what is below the level", () =>
    Effect.gen(function* () {
      const both = Effect.zipRight(Effect.logInfo("quiet"), Effect.logError("loud"))
      const events = (yield* logged(both, { level: "error", format: "json" })).map(({ event }) => event)
      assert.deepStrictEqual(events, ["loud"])
    })
  )

  it.effect("tell what failed and where, and quote nothing of it", () =>
    Effect.gen(function* () {
      const inner = Object.assign(new Error(SECRET), { code: "23514", detail: SECRET })
      const cause = Cause.die(Object.assign(new TypeError(SECRET, { cause: inner }), { row: SECRET }))
      const [line] = yield* logged(Effect.logError("a request failed unforeseen", cause))
      const text = JSON.stringify(line)
      assert.notInclude(text, SECRET)
      assert.include(text, '"error":"TypeError"')
      assert.include(text, '"code":"23514"')
      assert.include(text, "Logs.test.ts")
    })
  )

  it.effect("keep the words of our own impossible states", () =>
    Effect.gen(function* () {
      const died = yield* Effect.sandbox(Effect.dieMessage("the ledger gave no verdict")).pipe(Effect.flip)
      const [line] = yield* logged(Effect.logError("failed", died))
      assert.include(JSON.stringify(line), "the ledger gave no verdict")
    })
  )

  it.effect("lose URLs and long bytes even from words", () =>
    Effect.gen(function* () {
      const [line] = yield* logged(
        Effect.logInfo(`asked https://user:${SECRET}@node.example/${SECRET}?key=${SECRET} with ${signature}`)
      )
      assert.strictEqual(line?.event, "asked https://[removed] with [removed]")
    })
  )

  it.effect("arrive complete and in order although nobody waits for them", () =>
    Effect.gen(function* () {
      const numbers = Array.from({ length: 2_000 }, (_, index) => String(index))
      const lines = yield* logged(
        Effect.forEach(numbers, number => Effect.logInfo(number), { discard: true })
      )
      assert.deepStrictEqual(
        lines.map(({ event }) => event),
        numbers
      )
    })
  )

  it.effect("are words for people where that is wanted", () =>
    Effect.gen(function* () {
      const [text] = yield* capturing(
        { level: "info", format: "pretty" },
        Effect.provide(Effect.annotateLogs(Effect.logInfo("hello"), { chain: 1 }), effectLogger)
      )
      assert.strictEqual(text, "00:00:00.000 INFO    hello chain=1\n")
    })
  )
})

describe("log lines for people", () => {
  it.effect("stay one line whatever a value holds", () =>
    Effect.gen(function* () {
      const hello = Effect.annotateLogs(Effect.logInfo("hello"), { name: "a\n00:00 ERROR \u001b[2J" })
      const [text] = yield* capturing(
        { level: "info", format: "pretty" },
        Effect.provide(hello, effectLogger)
      )
      assert.strictEqual(text, '00:00:00.000 INFO    hello name="a\\n00:00 ERROR \\u001b[2J"\n')
    })
  )
})

describe("the request log", () => {
  const request = {
    id: "8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42",
    method: "GET",
    route: "getAccount",
    code: undefined,
    signed: { accountId: "eip155:1:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed" },
    startedMillis: performance.now()
  }

  const write = (over: Partial<typeof request>, status: number) =>
    Effect.flatMap(RequestLog, log =>
      Effect.sync(() => log.write({ ...request, ...over }, { status, body: "{}" }))
    )

  it.effect("names the account by a hash", () =>
    Effect.gen(function* () {
      const written = yield* capturing(json, Effect.provide(write({}, 200), RequestLog.layer))
      const [line] = linesOf(written)
      assert.notInclude(written.join(""), "5aaeb6053f3e94c9b9a09f33669435e7ef1beaed")
      assert.match(String(line?.account), /^[0-9a-f]{16}$/)
      assert.deepInclude(line, {
        requestId: request.id,
        traceId: "8b7c5f0a3a544a1e9a0d2f6f5d7c1e42",
        route: "getAccount",
        status: 200,
        code: null,
        bytes: 2
      })
    })
  )

  it.effect("warns of answers that are the service's fault", () =>
    Effect.gen(function* () {
      const lines = linesOf(
        yield* capturing(
          { level: "warning", format: "json" },
          Effect.provide(Effect.zipRight(write({}, 404), write({ method: "GE\nT" }, 503)), RequestLog.layer)
        )
      )
      assert.deepStrictEqual(
        lines.map(({ status, level, method }) => [status, level, method]),
        [[503, "warning", "other"]]
      )
    })
  )
})

it.effect("a sink that nobody wrote to ends at once", () =>
  Effect.map(capturing(json, LogSink), written => assert.deepStrictEqual(written, []))
)
