/** What was begun and has no known outcome: kept on disk before anything is sent, so that the same command continues instead of doing it twice. */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import type { Store } from "../client/Store.ts"
import type { CommandTerminal } from "./Command.ts"
import { usageFailure } from "./Failure.ts"
import { jsonFrom } from "./Json.ts"

export type PendingRecord = Readonly<Record<string, string>>

const directoryOf = ({ env }: CommandTerminal): string =>
  env.FUNDING_STATE_DIR || join(env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "funding")

const codeOf = (fault: unknown): string =>
  fault instanceof Error && "code" in fault ? String(fault.code) : String(fault)

const unusable = (directory: string, verb: string, fault: unknown) =>
  usageFailure(
    `The directory ${directory}, where unfinished work is kept, cannot be ${verb} (${codeOf(fault)}).`,
    "Correct it, or set FUNDING_STATE_DIR to another directory."
  )

/** Node's own recursion never ends where a parent that exists says that there is none, as /proc does. */
const made = async (directory: string): Promise<void> => {
  try {
    await mkdir(directory, { mode: 0o700 })
  } catch (fault) {
    if (codeOf(fault) === "EEXIST") return
    const parent = dirname(directory)
    if (codeOf(fault) !== "ENOENT" || existsSync(parent)) throw fault
    await made(parent)
    await made(directory)
  }
}

/** False where there is something already. */
const placedFirst = async (draft: string, path: string): Promise<boolean> => {
  try {
    await link(draft, path)
    return true
  } catch (fault) {
    if (codeOf(fault) === "EEXIST") return false
    throw fault
  } finally {
    await rm(draft, { force: true })
  }
}

export interface Pending {
  readonly recall: () => Promise<PendingRecord | undefined>
  readonly keep: (record: PendingRecord) => Promise<void>
  /** False where something is kept already: of several runs side by side one alone keeps its own. */
  readonly keepFirst: (record: PendingRecord) => Promise<boolean>
  readonly forget: () => Promise<void>
}

const texts = (value: unknown): PendingRecord =>
  Object.fromEntries(Object.entries(Object(value)).map(([name, member]) => [name, String(member)]))

interface PendingText {
  readonly path: string
  readonly recall: () => Promise<string | undefined>
  readonly keep: (text: string) => Promise<void>
  readonly keepFirst: (text: string) => Promise<boolean>
  readonly forget: () => Promise<void>
}

/** `parts` say what the work is: the same parts find the same text. */
const pendingText = (terminal: CommandTerminal, parts: ReadonlyArray<string>): PendingText => {
  const directory = directoryOf(terminal)
  const name = createHash("sha256").update(JSON.stringify(parts)).digest("hex")
  const path = join(directory, `${name}.json`)
  /** Whole wherever it is seen; runs side by side have drafts of their own. */
  const written = async <Placed>(
    text: string,
    place: (draft: string) => Promise<Placed>
  ): Promise<Placed> => {
    const draft = `${path}.${crypto.randomUUID()}`
    try {
      await made(directory)
      await writeFile(draft, text, { mode: 0o600 })
      return await place(draft)
    } catch (fault) {
      throw unusable(directory, "written", fault)
    }
  }
  return {
    path,
    recall: () =>
      readFile(path, "utf8").catch((fault: unknown) => {
        if (codeOf(fault) === "ENOENT") return undefined
        throw unusable(directory, "read", fault)
      }),
    keep: text => written(text, draft => rename(draft, path)),
    keepFirst: text => written(text, draft => placedFirst(draft, path)),
    forget: () => rm(path, { force: true })
  }
}

const unfinished = (path: string, text: string): unknown =>
  jsonFrom(text, `The file ${path} of an unfinished run`)

export const pendingWork = (terminal: CommandTerminal, parts: ReadonlyArray<string>): Pending => {
  const { path, recall, keep, keepFirst, forget } = pendingText(terminal, parts)
  return {
    recall: async () => {
      const text = await recall()
      return text === undefined ? undefined : texts(unfinished(path, text))
    },
    keep: record => keep(JSON.stringify(record)),
    keepFirst: record => keepFirst(JSON.stringify(record)),
    forget
  }
}

/** The client's, for one service and principal; a step's is found by its plan and its index. */
export const fileStore = (terminal: CommandTerminal, owner: ReadonlyArray<string>): Store => {
  const at = (name: string) => pendingText(terminal, [...owner, ...name.split(".")])
  return {
    recall: async name => {
      const { path, recall } = at(name)
      const text = await recall()
      if (text !== undefined) unfinished(path, text)
      return text
    },
    keep: (name, text) => at(name).keep(text),
    forget: name => at(name).forget()
  }
}
