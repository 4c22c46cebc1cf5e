import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Settings } from "../../src/settings/Settings.ts"

const temporary = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "service-settings-"))),
  directory => Effect.promise(() => rm(directory, { recursive: true, force: true }))
)

const secretFrom = (environment: Record<string, string>) =>
  Settings.pipe(
    Effect.map(settings => Redacted.value(settings.reviewSecret)),
    Effect.provide(Settings.from(environment))
  )

it.scoped("keeps one generated review secret, even when two processes start together", () =>
  Effect.gen(function* () {
    const SERVICE_DATA_DIR = join(yield* temporary, "data")
    const start = secretFrom({ SERVICE_DATA_DIR })
    const [first, second] = yield* Effect.all([start, start], { concurrency: 2 })
    const third = yield* start
    const file = join(SERVICE_DATA_DIR, "review-secret")
    const { mode } = yield* Effect.promise(() => stat(file))
    assert.match(first, /^[0-9a-f]{64}$/)
    assert.deepStrictEqual([second, third], [first, first])
    assert.strictEqual(yield* Effect.promise(() => readFile(file, "utf8")), first)
    assert.strictEqual(mode & 0o777, 0o600)
  })
)

it.scoped("refuses a kept review secret that is empty or cut, since anyone could guess it", () =>
  Effect.gen(function* () {
    const SERVICE_DATA_DIR = yield* temporary
    const file = join(SERVICE_DATA_DIR, "review-secret")
    for (const text of ["", "\n", "ab".repeat(31), `${"ab".repeat(31)}zz`]) {
      yield* Effect.promise(() => writeFile(file, text))
      const failure = yield* Effect.flip(secretFrom({ SERVICE_DATA_DIR }))
      assert.strictEqual(
        failure.message,
        `${file} does not hold the 64 hexadecimal digits that were put there; restore it, or remove it so that a new one is made.`
      )
    }
    yield* Effect.promise(() => writeFile(file, `${"ab".repeat(32)}\n`))
    assert.strictEqual(yield* secretFrom({ SERVICE_DATA_DIR }), "ab".repeat(32))
  })
)

it.scoped("leaves the data directory alone when nothing is missing", () =>
  Effect.gen(function* () {
    const SERVICE_DATA_DIR = join(yield* temporary, "data")
    const secret = yield* secretFrom({ SERVICE_DATA_DIR, SERVICE_REVIEW_SECRET: "s".repeat(40) })
    const made = yield* Effect.promise(() =>
      stat(SERVICE_DATA_DIR).then(
        () => true,
        () => false
      )
    )
    assert.deepStrictEqual([secret, made], ["s".repeat(40), false])
  })
)

it.scoped("says in one sentence that the data directory cannot be written", () =>
  Effect.gen(function* () {
    const file = join(yield* temporary, "file")
    yield* Effect.promise(() => writeFile(file, ""))
    const failure = yield* Effect.flip(secretFrom({ SERVICE_DATA_DIR: file }))
    assert.strictEqual(
      failure.message,
      `The data directory ${file} cannot be written (EEXIST); make it writable or set SERVICE_DATA_DIR to another one.`
    )
  })
)

it.effect("fails with one line for each wrong variable", () =>
  Effect.gen(function* () {
    const failure = yield* Effect.flip(secretFrom({ SERVICE_PORT: "0", SERVICE_HOSTS: "x" }))
    assert.strictEqual(failure._tag, "InvalidSettings")
    assert.lengthOf(failure.message.split("\n"), 2)
  })
)
