import { createServer } from "node:http"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { listening } from "../../src/settings/Listening.ts"

const opened = Effect.acquireRelease(
  Effect.sync(() => createServer()),
  server => Effect.sync(() => server.close())
)

it.scopedLive("goes on when connections cannot be accepted, however often", () =>
  Effect.gen(function* () {
    const server = yield* opened
    yield* listening(server, "127.0.0.1", 0, "SERVICE_PORT")
    for (const _ of [1, 2, 3]) server.emit("error", Object.assign(new Error("accept"), { code: "EMFILE" }))
    assert.isTrue(server.listening)
  })
)

it.scopedLive("says in one sentence why a port cannot be had", () =>
  Effect.gen(function* () {
    const first = yield* opened
    yield* listening(first, "127.0.0.1", 0, "SERVICE_PORT")
    const address = first.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const failure = yield* Effect.flip(listening(yield* opened, "127.0.0.1", port, "SERVICE_OPS_PORT"))
    assert.strictEqual(
      failure.message,
      `Port ${port} on 127.0.0.1 is taken: stop what uses it or set SERVICE_OPS_PORT to another port.`
    )
  })
)
