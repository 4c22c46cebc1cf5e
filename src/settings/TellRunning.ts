/** Keeps the file that tells programs of this machine of the service, as long as it runs. */
import { rename, rm, writeFile } from "node:fs/promises"
import { Effect, type Scope } from "effect"
import { inDataDirectory, made } from "./DataDirectory.ts"
import { type RunningService, readRunning, runningFile } from "./RunningFile.ts"

const write = async (dataDirectory: string, running: RunningService): Promise<void> => {
  const file = runningFile(dataDirectory)
  const draft = `${file}.${running.pid}`
  await made(dataDirectory)
  await writeFile(draft, JSON.stringify(running))
  await rename(draft, file)
}

/** Another service on the same directory has perhaps put its own there since. */
const remove = async (dataDirectory: string, { pid }: RunningService): Promise<void> => {
  if ((await readRunning(dataDirectory))?.pid === pid) await rm(runningFile(dataDirectory), { force: true })
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
