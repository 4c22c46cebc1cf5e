/** What may leave only once meets no connection that its server has given up. */
import { createServer } from "node:http"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { jsonExchange } from "../../src/upstream/JsonExchange.ts"
import { close, listen } from "../support/Listening.ts"

/** Each connection has one answer, and ends with whatever comes on it next. */
const forgetful = Effect.acquireRelease(
  Effect.promise(async () => {
    const answered = new WeakSet<object>()
    const server = createServer(({ socket }, response) => {
      if (answered.has(socket)) return void socket.destroy()
      answered.add(socket)
      return void response.end("{}")
    })
    return { server, port: await listen(server) }
  }),
  ({ server }) => Effect.promise(() => close(server))
)

it("a post that may leave only once has a connection of its own", () =>
  Effect.gen(function* () {
    const { port } = yield* forgetful
    const { post, postAlone } = yield* jsonExchange({
      url: new URL(`http://127.0.0.1:${port}`),
      maximumBytes: 100
    })
    const answer = { status: 200, body: {} }
    assert.deepStrictEqual(yield* post("{}"), answer)
    assert.deepStrictEqual(yield* postAlone("{}"), answer)
    assert.strictEqual(yield* Effect.flip(post("{}")), "unreachable")
    assert.deepStrictEqual(yield* postAlone("{}"), answer)
  }).pipe(Effect.scoped, Effect.runPromise))
