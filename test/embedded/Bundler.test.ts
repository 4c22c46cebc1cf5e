import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { EmbeddedBundler } from "../../src/embedded/Bundler.ts"
import { until } from "../support/Until.ts"
import { temporaryDirectory } from "./support/Directories.ts"
import { gone, hosting } from "./support/Host.ts"

/** Answers with its process id where it is told that the bundler, and where its paymaster, listens. */
const TELLING = `
import { createServer } from "node:http"
const { SANDBOX_BUNDLER_PORT, SANDBOX_BUNDLER_PAYMASTER_PORT } = process.env
for (const port of [SANDBOX_BUNDLER_PORT, SANDBOX_BUNDLER_PAYMASTER_PORT])
  createServer((_, response) => response.end(String(process.pid))).listen(Number(port), "127.0.0.1")
`

const pidAt = (url: string): Promise<number | undefined> =>
  fetch(url).then(
    async answer => Number(await answer.text()),
    () => undefined
  )

const pidOf = (url: string, from?: number) =>
  Effect.promise(() =>
    until(
      () => pidAt(url),
      pid => pid !== undefined && pid !== from
    )
  )

const prepared = Effect.gen(function* () {
  const dataDirectory = yield* temporaryDirectory
  const program = join(dataDirectory, "bundler.mjs")
  yield* Effect.promise(() => writeFile(program, TELLING))
  return { dataDirectory, rpcUrl: "http://127.0.0.1:9", program }
})

it.scopedLive("has two addresses before it runs, and is there again after it died", () =>
  Effect.gen(function* () {
    const { url, paymasterUrl, start } = yield* EmbeddedBundler.place(yield* prepared)
    assert.isUndefined(yield* Effect.promise(() => pidAt(url)))
    yield* start
    const first = yield* pidOf(url)
    assert.strictEqual(yield* pidOf(paymasterUrl), first)
    process.kill(first ?? assert.fail("nobody"), "SIGKILL")
    const second = yield* pidOf(url, first)
    assert.strictEqual(yield* pidOf(paymasterUrl, first), second)
  })
)

it.scopedLive("holds up nothing where it was not built", () =>
  Effect.gen(function* () {
    const options = { ...(yield* prepared), program: "/nowhere/bundler.js" }
    assert.isFalse(EmbeddedBundler.isBuilt(options.program))
    const { start } = yield* EmbeddedBundler.place(options)
    yield* start
  })
)

it.scopedLive("ends with what started it", () =>
  Effect.gen(function* () {
    const { program, dataDirectory } = yield* prepared
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const host = yield* hosting(Schema.Struct({ url: Schema.String }), ["bundler", dataDirectory, program])
      const pid = yield* pidOf(host.told.url)
      yield* host.end(signal)
      assert.isTrue(yield* gone(pid ?? assert.fail("nobody")), signal)
    }
  })
)
