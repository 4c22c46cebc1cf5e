/** What a running service tells programs of this machine: where it and the node of its local chain answer. */
import { readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Option, Schema, type Scope } from "effect"
import { inDataDirectory, made } from "./DataDirectory.ts"

const Running = Schema.Struct({
  pid: Schema.Int,
  url: Schema.String,
  /** Of the embedded chain alone. */
  rpc: Schema.optional(Schema.String)
})

export type RunningService = typeof Running.Type

const Kept = Schema.parseJson(Running)

const fileIn = (dataDirectory: string): string => join(dataDirectory, "running.json")

export const readRunning = (dataDirectory: string): Promise<RunningService | undefined> =>
  readFile(fileIn(dataDirectory), "utf8").then(
    text => Option.getOrUndefined(Schema.decodeOption(Kept)(text)),
    () => undefined
  )

const write = async (dataDirectory: string, running: RunningService): Promise<void> => {
  const file = fileIn(dataDirectory)
  const draft = `${file}.${running.pid}`
  await made(dataDirectory)
  await writeFile(draft, Schema.encodeSync(Kept)(running))
  await rename(draft, file)
}

/** Another service on the same directory has perhaps put its own there since. */
const remove = async (dataDirectory: string, { pid }: RunningService): Promise<void> => {
  if ((await readRunning(dataDirectory))?.pid === pid) await rm(fileIn(dataDirectory), { force: true })
}

/** As long as the scope lasts. Nobody needs it where the directory cannot be written. */
export const toldToThisMachine = (
  dataDirectory: string,
  running: RunningService
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.ignore(inDataDirectory(dataDirectory, () => write(dataDirectory, running))),
    () => Effect.ignore(inDataDirectory(dataDirectory, () => remove(dataDirectory, running)))
  )
