/** What the embedded chain keeps between starts, and which of its state files to trust. */
import { open, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { type Effect, Option, Schema } from "effect"
import { inDataDirectory } from "../settings/DataDirectory.ts"
import { type StartFailure, systemCode } from "../settings/StartFailure.ts"

export interface ChainFiles {
  readonly directory: string
  /** The last state that is known to be whole. */
  readonly state: string
  /** The running chain writes here, perhaps cut short. */
  readonly draft: string
  readonly pid: string
}

export const chainFiles = (dataDirectory: string): ChainFiles => {
  const directory = join(dataDirectory, "chain")
  return {
    directory,
    state: join(directory, "state.json"),
    draft: join(directory, "state.draft.json"),
    pid: join(directory, "chain.pid")
  }
}

const Whole = Schema.parseJson(Schema.Struct({ best_block_number: Schema.Int }))

const absentWhenMissing = (path: string): Promise<string | undefined> =>
  readFile(path, "utf8").catch(cause => {
    if (systemCode(cause) === "ENOENT") return undefined
    throw cause
  })

/** The head that a state file holds; nothing when the file is absent or was cut short. */
const headOf = async (path: string): Promise<number | undefined> => {
  const text = await absentWhenMissing(path)
  const whole = text === undefined ? Option.none() : Schema.decodeOption(Whole)(text)
  return Option.getOrUndefined(whole)?.best_block_number
}

const replace = async (path: string, text: string): Promise<void> => {
  const next = `${path}.next`
  const file = await open(next, "w")
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
}

/** Takes what the last run wrote at its end when that is whole and no older than what was saved before. */
const settle = async ({ state, draft }: ChainFiles): Promise<boolean> => {
  const [saved, left] = await Promise.all([headOf(state), headOf(draft)])
  if (left !== undefined && left >= (saved ?? 0)) {
    await rename(draft, state)
    return true
  }
  await rm(draft, { force: true })
  return saved !== undefined
}

/** Whether there is a state to resume. */
export const settledState = (files: ChainFiles): Effect.Effect<boolean, StartFailure> =>
  inDataDirectory(files.directory, () => settle(files))

export const saveFile = (files: ChainFiles, path: string, text: string): Effect.Effect<void, StartFailure> =>
  inDataDirectory(files.directory, () => replace(path, text))
