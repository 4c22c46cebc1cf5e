/** What was begun and has no known outcome: kept on disk before anything is sent, so that the same command continues instead of doing it twice. */
import { createHash } from "node:crypto"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import type { Terminal } from "./Command.ts"

export type PendingRecord = Readonly<Record<string, string>>

const directoryOf = ({ env }: Terminal): string =>
  env.FUNDING_STATE_DIR || join(env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "funding")

export interface Pending {
  readonly recall: () => Promise<PendingRecord | undefined>
  readonly keep: (record: PendingRecord) => Promise<void>
  readonly forget: () => Promise<void>
}

const texts = (value: unknown): PendingRecord =>
  Object.fromEntries(Object.entries(Object(value)).map(([name, member]) => [name, String(member)]))

/** `parts` say what the work is: the same parts find the same record. */
export const pendingWork = (terminal: Terminal, parts: ReadonlyArray<string>): Pending => {
  const directory = directoryOf(terminal)
  const name = createHash("sha256").update(JSON.stringify(parts)).digest("hex")
  const path = join(directory, `${name}.json`)
  return {
    recall: () =>
      readFile(path, "utf8").then(
        text => texts(JSON.parse(text)),
        (fault: unknown) => {
          if (fault instanceof Error && "code" in fault && fault.code === "ENOENT") return undefined
          throw fault
        }
      ),
    keep: async record => {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const draft = `${path}.${process.pid}`
      await writeFile(draft, JSON.stringify(record), { mode: 0o600 })
      await rename(draft, path)
    },
    forget: () => rm(path, { force: true })
  }
}
