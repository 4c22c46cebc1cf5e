/** What was begun and has no known outcome: kept on disk before anything is sent, so that the same command continues instead of doing it twice. */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { link, mkdir, readdir, readFile, rename, rm } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import type { Store } from "../client/Store.ts"
import type { CommandTerminal } from "./Command.ts"
import { usageFailure } from "./Failure.ts"
import { placedFlushed, writeFlushed } from "./Flushed.ts"
import { jsonFrom } from "./Json.ts"

export type PendingRecord = Readonly<Record<string, string>>

const directoryOf = ({ env }: CommandTerminal): string =>
  env.FUNDING_STATE_DIR || join(env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "funding")

const codeOf = (fault: unknown): string =>
  fault instanceof Error && "code" in fault ? String(fault.code) : String(fault)

export const KEPT_IN =
  "What is unfinished, and what was signed for it, is kept in the directory FUNDING_STATE_DIR, else $XDG_STATE_HOME/funding, else ~/.local/state/funding."

/** Where something is kept; what an older program kept in a further place is found there. */
type Places = readonly [place: ReadonlyArray<string>, ...older: ReadonlyArray<ReadonlyArray<string>>]

/** By whom signatures are for, since a service is reached by several URLs; older programs kept it by the URL. */
export const keptPlaces = (
  {
    baseUrl,
    capabilities: { audience }
  }: { readonly baseUrl: string; readonly capabilities: { readonly audience: string } },
  ...parts: ReadonlyArray<string>
): Places => [
  [audience, ...parts],
  [baseUrl, ...parts]
]

export const placesWithin = ([place, ...older]: Places, ...parts: ReadonlyArray<string>): Places => [
  [...place, ...parts],
  ...older.map(each => [...each, ...parts])
]

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

const digestOf = (place: ReadonlyArray<string>): string =>
  createHash("sha256").update(JSON.stringify(place)).digest("hex")

type Paths = readonly [path: string, ...older: ReadonlyArray<string>]

/** The same places find the same text. */
const pathsIn = (directory: string, [newest, ...older]: Places): Paths => {
  const pathOf = (place: ReadonlyArray<string>) => join(directory, `${digestOf(place)}.json`)
  const path = pathOf(newest)
  return [path, ...older.map(pathOf).filter(each => each !== path)]
}

const textAt = (directory: string, [path, ...olderPaths]: Paths): PendingText => {
  /** Whole wherever it is seen; runs side by side have drafts of their own. */
  const written = async <Placed>(
    text: string,
    place: (draft: string) => Promise<Placed>
  ): Promise<Placed> => {
    const draft = `${path}.${crypto.randomUUID()}`
    try {
      await made(directory)
      await writeFlushed(draft, text, { mode: 0o600 })
      return await placedFlushed(directory, place(draft))
    } catch (fault) {
      throw unusable(directory, "written", fault)
    }
  }
  const read = (from: string): Promise<string | undefined> =>
    readFile(from, "utf8").catch((fault: unknown) => {
      if (codeOf(fault) === "ENOENT") return undefined
      throw unusable(directory, "read", fault)
    })
  const recall = async (): Promise<string | undefined> => {
    for (const each of [path, ...olderPaths]) {
      const text = await read(each)
      if (text !== undefined) return text
    }
    return undefined
  }
  const forgetOlder = async (): Promise<void> => {
    for (const each of olderPaths) await rm(each, { force: true })
  }
  return {
    path,
    recall,
    /** What is older has its place here now, and is found by no other URL's run afterwards. */
    keep: async text => {
      await written(text, draft => rename(draft, path))
      await forgetOlder()
    },
    keepFirst: async text =>
      (await recall()) === undefined && written(text, draft => placedFirst(draft, path)),
    /** The newest last: what is older than it comes to nothing before it. */
    forget: async () => {
      await forgetOlder()
      await rm(path, { force: true })
    }
  }
}

const unfinished = (path: string, text: string): unknown =>
  jsonFrom(text, `The file ${path} of an unfinished run`)

const workAt = (directory: string, paths: Paths): Pending => {
  const { path, recall, keep, keepFirst, forget } = textAt(directory, paths)
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

export const pendingWork = (terminal: CommandTerminal, places: Places): Pending => {
  const directory = directoryOf(terminal)
  return workAt(directory, pathsIn(directory, places))
}

const filesIn = (directory: string): Promise<ReadonlyArray<string>> =>
  readdir(directory).catch((fault: unknown) => {
    if (codeOf(fault) === "ENOENT") return []
    throw unusable(directory, "read", fault)
  })

export interface NamedWork {
  readonly of: (name: string) => Pending
  /** Whatever their names, and what is kept at the place itself. */
  readonly all: () => Promise<ReadonlyArray<PendingRecord>>
}

/** A record for each name, of one place. */
export const namedWork = (terminal: CommandTerminal, place: ReadonlyArray<string>): NamedWork => {
  const directory = directoryOf(terminal)
  const first = digestOf(place)
  const at = (file: string) => workAt(directory, [join(directory, file)])
  return {
    of: name => at(`${first}.${digestOf([name])}.json`),
    all: async () => {
      const files = (await filesIn(directory)).filter(
        file => file.startsWith(`${first}.`) && file.endsWith(".json")
      )
      const records = await Promise.all(files.map(file => at(file).recall()))
      return records.filter(record => record !== undefined)
    }
  }
}

/** The client's, for one service and principal; a step's is found by its plan and its index. */
export const fileStore = (terminal: CommandTerminal, places: Places): Store => {
  const directory = directoryOf(terminal)
  const at = (name: string) => textAt(directory, pathsIn(directory, placesWithin(places, ...name.split("."))))
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
