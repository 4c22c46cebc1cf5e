/** Programs of this project that start in a fraction of the time once one process of theirs has ended: what it compiled is kept for the run of the suite. */
import { readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { builtProgram } from "./BuiltProgram.ts"
import { scriptOf } from "./ScriptOfModule.ts"

/** Whole, because other workers of the run make the same. */
const put = async (file: string, text: string): Promise<void> => {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, text, "latin1")
  await rename(draft, file)
}

const launcherOf = async (entry: string, directory: string): Promise<string> => {
  const module = await builtProgram(entry)
  const loader = await builtProgram("test/support/KeptScript.ts")
  const base = join(directory, entry.replace(/\W+/g, "-"))
  const place = { file: `${base}.js`, code: `${base}.code`, home: pathToFileURL(module).href }
  await put(place.file, scriptOf(await readFile(module, "utf8")))
  const launcher = `${base}.mjs`
  const importing = `import { runKept } from ${JSON.stringify(pathToFileURL(loader).href)}`
  await put(launcher, `${importing}\nawait runKept(${JSON.stringify(place)})\n`)
  return launcher
}

const launchers = new Map<string, Promise<string>>()

/** The file that Node runs, always with the same flags. */
export const keptProgram = (entry: string): Promise<string> => {
  const { SUITE_RUN, KEPT_PROGRAMS } = process.env
  if (SUITE_RUN === undefined || KEPT_PROGRAMS === undefined) return builtProgram(entry)
  const launcher = launchers.get(entry) ?? launcherOf(entry, KEPT_PROGRAMS)
  launchers.set(entry, launcher)
  return launcher
}
