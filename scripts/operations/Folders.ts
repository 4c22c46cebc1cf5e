/** The operations that are there: a folder with a declaration within the folder of its family. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

export interface Folder {
  readonly family: string
  readonly id: string
  readonly isPlan: boolean
}

export const OPERATIONS = join("src", "operations")

const foldersIn = (path: string): ReadonlyArray<string> =>
  readdirSync(path, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)
    .sort()

export const families: ReadonlyArray<string> = foldersIn(OPERATIONS).filter(name =>
  existsSync(join(OPERATIONS, name, "Family.ts"))
)

/** What a folder lacks is told by the first sentence of whoever looks. */
const folderOf = (family: string, id: string): Folder => {
  const path = join(OPERATIONS, family, id)
  const isPlan = readFileSync(join(path, "Declaration.ts"), "utf8").includes("declarePlan(")
  const lacking = ["Run.ts", ...(isPlan ? ["Effects.ts"] : [])].find(file => !existsSync(join(path, file)))
  if (lacking !== undefined) throw new Error(`${path} has no ${lacking}`)
  return { family, id, isPlan }
}

export const folders: ReadonlyArray<Folder> = families.flatMap(family =>
  foldersIn(join(OPERATIONS, family))
    .filter(id => existsSync(join(OPERATIONS, family, id, "Declaration.ts")))
    .map(id => folderOf(family, id))
)
