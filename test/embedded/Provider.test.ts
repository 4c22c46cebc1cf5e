import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { EmbeddedProvider } from "../../src/embedded/Provider.ts"
import { until } from "../support/Until.ts"
import { temporaryDirectory } from "./support/Directories.ts"
import { gone, hosting } from "./support/Host.ts"

/** Answers with its process id and with where it would keep its bundles, where it is told to listen. */
const TELLING = `
import { createServer } from "node:http"
const { SANDBOX_PROVIDER_PORT, SANDBOX_PROVIDER_FILE } = process.env
createServer((_, response) => response.end(JSON.stringify({ pid: process.pid, file: SANDBOX_PROVIDER_FILE })))
  .listen(Number(SANDBOX_PROVIDER_PORT), "127.0.0.1")
`

const prepared = Effect.gen(function* () {
  const dataDirectory = yield* temporaryDirectory
  const program = join(dataDirectory, "provider.mjs")
  yield* Effect.promise(() => writeFile(program, TELLING))
  return { dataDirectory, rpcUrl: "http://127.0.0.1:9", program }
})

const askedAt = (url: string, from: number | undefined) =>
  Effect.promise(() =>
    until(
      () =>
        fetch(url).then(
          answer => answer.json(),
          () => undefined
        ),
      told => told !== undefined && told.pid !== from
    )
  )

it.scopedLive("is at the same address again after it died, with its file in the data directory", () =>
  Effect.gen(function* () {
    const options = yield* prepared
    const url = yield* EmbeddedProvider.start(options)
    const first = yield* askedAt(url, undefined)
    assert.strictEqual(first.file, join(options.dataDirectory, "chain", "bundles"))
    process.kill(first.pid, "SIGKILL")
    const second = yield* askedAt(url, first.pid)
    assert.strictEqual(second.file, first.file)
  })
)

it.scopedLive("holds up nothing where it cannot run, and is not there where it was not built", () =>
  Effect.gen(function* () {
    const options = { ...(yield* prepared), program: "/nowhere/provider.js" }
    assert.match(yield* EmbeddedProvider.start(options), /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.isFalse(EmbeddedProvider.isBuilt(options.program))
  })
)

it.scopedLive("ends with what started it", () =>
  Effect.gen(function* () {
    const { program, dataDirectory } = yield* prepared
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const host = yield* hosting(Schema.Struct({ url: Schema.String }), ["provider", dataDirectory, program])
      const { pid } = yield* askedAt(host.told.url, undefined)
      yield* host.end(signal)
      assert.isTrue(yield* gone(pid), signal)
    }
  })
)
