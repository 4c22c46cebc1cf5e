/** A program as one script with the code that the engine compiled for it, so that its next process starts in a fraction of the time. */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { builtProgram } from "../../support/BuiltProgram.ts"
import { scriptOf } from "../../support/ScriptOfModule.ts"

/** For a short life: no code is made faster than it will ever be run, and young objects lie in few pages, whose first touch takes longer than their collections. */
const NODE_FLAGS = ["--max-semi-space-size=4", "--single-threaded-gc", "--no-opt"]

export interface Compiled {
  /** For Node: flags, the loader, the script, and where its compiled code is or will be. */
  readonly args: ReadonlyArray<string>
  /** Where its module lies, for the loader to look from. */
  readonly home: string
}

/** In a directory of the caller's own, since others may run the same program at the same time. */
export const compiled = async (entry: string, directory: string): Promise<Compiled> => {
  const module = await builtProgram(entry)
  const script = join(directory, "program.js")
  await mkdir(directory, { recursive: true })
  await writeFile(script, scriptOf(await readFile(module, "utf8")), "latin1")
  const loader = await builtProgram("test/faults/crash/loaderMain.ts")
  return {
    args: [...NODE_FLAGS, loader, script, join(directory, "program.code")],
    home: pathToFileURL(module).href
  }
}
