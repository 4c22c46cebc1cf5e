/** What a program keeps in files of a directory. */
import { readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Store } from "../../../src/client/main.ts"

/** `kept` is told each text once it is there. */
export const filesIn = (directory: string, kept: (text: string) => void): Store => {
  const at = (name: string) => join(directory, name)
  return {
    recall: name =>
      readFile(at(name), "utf8").catch(fault => {
        if (fault.code !== "ENOENT") throw fault
        return undefined
      }),
    keep: async (name, text) => {
      await writeFile(at(`${name}.new`), text)
      await rename(at(`${name}.new`), at(name))
      kept(text)
    },
    forget: name => rm(at(name), { force: true })
  }
}
