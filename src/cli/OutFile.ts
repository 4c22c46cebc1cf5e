/** Files that a command writes for somebody else. */
import { access, constants, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { usageFailure } from "./Failure.ts"

const unwritable = (path: string, advice: string) =>
  usageFailure(`The file ${path} of --out cannot be written.`, advice)

/** Looked at before anything is signed. */
export const requireWritable = (path: string | undefined): Promise<void> =>
  path === undefined
    ? Promise.resolve()
    : access(dirname(path), constants.W_OK).catch(() => {
        throw unwritable(path, "Choose a path in a directory that you may write to.")
      })

/** Whatever becomes of the file, the text is not lost. */
export const writeOut = (path: string, text: string): Promise<void> =>
  writeFile(path, `${text}\n`).catch(() => {
    throw unwritable(path, `This was to be written:\n${text}`)
  })
