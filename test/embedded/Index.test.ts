import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { deploySandbox } from "../../sandbox/deploy.ts"
import { EmbeddedIndex } from "../../src/embedded/Index.ts"
import { anvil } from "../support/Anvil.ts"
import { builtProgram } from "../support/BuiltProgram.ts"
import { scopedDatabase } from "../support/Postgres.ts"
import { temporaryDirectory } from "./support/Directories.ts"

const QUERY = JSON.stringify({ query: "{ payEvents(where: {projectId: 2}) { items { memo } } }" })

const asked = (url: string) =>
  Effect.promise(async () => {
    const headers = { "content-type": "application/json" }
    const response = await fetch(url, { method: "POST", headers, body: QUERY })
    return response.text()
  })

const sandbox = Effect.gen(function* () {
  const dataDirectory = yield* temporaryDirectory
  const chain = yield* anvil()
  const sandboxManifest = join(dataDirectory, "deployments.json")
  const manifest = yield* Effect.promise(() => deploySandbox(chain.url))
  yield* Effect.promise(() => writeFile(sandboxManifest, JSON.stringify(manifest)))
  const program = yield* Effect.promise(() => builtProgram("sandbox/index/main.ts"))
  return { dataDirectory, databaseUrl: yield* scopedDatabase, rpcUrl: chain.url, sandboxManifest, program }
})

const HISTORY = '{"data":{"payEvents":{"items":[{"memo":"First payment"}]}}}'

it.scopedLive("answers with the chain's history, and again after a restart", () =>
  Effect.gen(function* () {
    const options = yield* sandbox
    for (let run = 0; run < 2; run++)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { url } = yield* EmbeddedIndex.start(options)
          assert.strictEqual(yield* asked(url), HISTORY)
        })
      )
  })
)

it.scopedLive("ends the start with a sentence when it cannot begin", () =>
  Effect.gen(function* () {
    const options = yield* sandbox
    const databaseUrl = Redacted.make("postgresql://nobody@127.0.0.1:1/none")
    const { message } = yield* Effect.flip(EmbeddedIndex.start({ ...options, databaseUrl }))
    assert.match(message, /^The index of the local chain ended \(exit code 1\): FATAL: /)
  })
)
