import { Effect, Redacted } from "effect"
import { assert, it } from "vitest"
import { otlpTracer } from "../../src/telemetry/OtlpExport.ts"
import { listener } from "./support/Listener.ts"

it("spans go to the endpoint that was named, and to no other that it names", async () => {
  const other = await listener(200, "{}")
  const store = await listener(302, "", { location: `http://127.0.0.1:${other.port}/v1/traces` })
  await Effect.gen(function* () {
    const tracer = yield* otlpTracer(Redacted.make(`http://a:b@127.0.0.1:${store.port}`))
    yield* Effect.withTracer(Effect.withSpan(Effect.void, "refresh"), tracer)
  }).pipe(Effect.scoped, Effect.runPromise)
  await Promise.all([store.stop(), other.stop()])
  assert.lengthOf(store.requests, 1)
  assert.isEmpty(other.requests)
})

it("spans that a store refuses as too many are dropped, however long it says to wait", async () => {
  const store = await listener(429, "{}", { "retry-after": "0" })
  await Effect.gen(function* () {
    const tracer = yield* otlpTracer(Redacted.make(`http://127.0.0.1:${store.port}`))
    yield* Effect.withTracer(Effect.withSpan(Effect.void, "refresh"), tracer)
  }).pipe(Effect.scoped, Effect.runPromise)
  await store.stop()
  assert.lengthOf(store.requests, 1)
})
