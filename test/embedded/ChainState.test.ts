import { existsSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { chainFiles, saveFile, settledState } from "../../src/embedded/ChainState.ts"
import { temporaryDirectory } from "./support/Directories.ts"

const stateAt = (head: number): string => JSON.stringify({ best_block_number: head, blocks: [] })

interface Case {
  readonly title: string
  readonly saved?: string
  readonly left?: string
  readonly kept: string | undefined
}

const cases: ReadonlyArray<Case> = [
  { title: "nothing", kept: undefined },
  { title: "what the last run left", left: stateAt(9), kept: stateAt(9) },
  {
    title: "what the last run left after the last save",
    saved: stateAt(7),
    left: stateAt(9),
    kept: stateAt(9)
  },
  { title: "the last save over an older leaving", saved: stateAt(9), left: stateAt(7), kept: stateAt(9) },
  {
    title: "the last save over a leaving cut short",
    saved: stateAt(7),
    left: stateAt(9).slice(0, -1),
    kept: stateAt(7)
  },
  { title: "nothing of a first run cut short", left: stateAt(9).slice(0, 12), kept: undefined }
]

it.scoped.each(cases)("resumes $title", ({ saved, left, kept }) =>
  Effect.gen(function* () {
    const files = chainFiles(yield* temporaryDirectory)
    yield* Effect.promise(() => mkdir(files.directory))
    if (saved !== undefined) yield* saveFile(files, files.state, saved)
    if (left !== undefined) yield* Effect.promise(() => writeFile(files.draft, left))
    assert.strictEqual(yield* settledState(files), kept !== undefined)
    assert.isFalse(existsSync(files.draft))
    const state = yield* Effect.promise(() => readFile(files.state, "utf8").catch(() => undefined))
    assert.strictEqual(state, kept)
  })
)
