import { Effect, Redacted } from "effect"
import { assert, it } from "vitest"
import { otlpTracer } from "../../src/telemetry/OtlpExport.ts"
import { listener } from "./support/Listener.ts"

it("spans that a store refuses as too many are dropped, however long it says to wait", async () => {
  const store = await listener(429, "{}", { "retry-after": "0" })
  await Effect.gen(function* () {
    const tracer = yield* otlpTracer(Redacted.make(`http://127.0.0.1:${store.port}`))
    yield* Effect.withTracer(Effect.withSpan(Effect.void, "refresh"), tracer)
  }).pipe(Effect.scoped, Effect.runPromise)
  await store.stop()
  assert.lengthOf(store.requests, 1)
})
