import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { type Launch, launched } from "../../src/embedded/BoundProcess.ts"
import { shellGuard, systemGuard } from "../../src/embedded/Guard.ts"
import { toldClock } from "../support/Clocks.ts"
import { gone, hosting } from "./support/Host.ts"

const Told = Schema.Struct({ pid: Schema.Int })

const shell = (script: string): Launch => ({
  name: "The child",
  command: ["/bin/sh", "-c", script],
  directory: "/",
  account: undefined,
  stop: "SIGTERM",
  force: "SIGKILL"
})

describe.each(["system", "shell"])("a child held by the %s guard", kind => {
  it.scopedLive("ends when its parent is killed", () =>
    Effect.gen(function* () {
      const host = yield* hosting(Told, [kind])
      yield* host.end("SIGKILL")
      assert.isTrue(yield* gone(host.told.pid))
    })
  )

  it.scopedLive("ends when its parent shuts down", () =>
    Effect.gen(function* () {
      const host = yield* hosting(Told, [kind])
      yield* host.end("SIGTERM")
      assert.isTrue(yield* gone(host.told.pid))
    })
  )
})

describe.each([
  ["system", systemGuard()],
  ["shell", shellGuard]
] as const)("the %s guard", (_, guard) => {
  it.scopedLive("tells the child's ending and last words", () =>
    Effect.gen(function* () {
      const child = yield* launched({ ...shell("echo first; echo 'FATAL: no room' >&2; exit 3"), guard })
      assert.deepStrictEqual(yield* child.ended, {
        good: false,
        sentence: "The child ended (exit code 3): FATAL: no room"
      })
      const failure = yield* Effect.flip(child.line(/never printed/))
      assert.strictEqual(failure.message, "The child ended (exit code 3): FATAL: no room")
    })
  )

  it.scopedLive("shows the child none of our settings and no terminal signal", () =>
    Effect.gen(function* () {
      process.env.SERVICE_TEST_SECRET = "hidden"
      const script = 'echo "secret:$SERVICE_TEST_SECRET session:$(ps -o sid= -p $$ 2>/dev/null)"'
      const child = yield* launched({ ...shell(script), guard })
      const [line] = yield* child.line(/^secret:.*/)
      delete process.env.SERVICE_TEST_SECRET
      const own = yield* Effect.scoped(
        Effect.flatMap(launched(shell("ps -o sid= -p $PPID")), c => c.line(/\d+/))
      )
      assert.match(line, /^secret: session:/)
      assert.notStrictEqual(line.split("session:")[1]?.trim(), own[0])
    })
  )
})

it.scopedLive("says that a program is missing", () =>
  Effect.gen(function* () {
    const guard = () => ({ program: "/nowhere/program", args: [], endsWithInput: false })
    const child = yield* launched({ ...shell(""), guard })
    const failure = yield* Effect.flip(child.line(/./))
    assert.strictEqual(failure.message, "The child could not be started (ENOENT).")
  })
)

it.live("ends a child that does not stop when it is told to", () => {
  const time = toldClock(["30 seconds"])
  const stubborn = Effect.gen(function* () {
    const child = yield* launched(shell("trap '' TERM; echo deaf; while :; do sleep 1; done"))
    yield* child.line(/^deaf/)
    return child.pid
  })
  return Effect.gen(function* () {
    const ending = Effect.scoped(stubborn)
    const [pid] = yield* Effect.all([ending, Effect.promise(() => time.over("30 seconds"))], {
      concurrency: "unbounded"
    })
    assert.isTrue(yield* gone(pid))
  }).pipe(Effect.provide(Layer.setClock(time.clock)))
})
