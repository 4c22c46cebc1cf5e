/** The operations that are there: a folder with a file of an operation's within the folder of its family. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

export interface Folder {
  readonly family: string
  readonly id: string
  readonly isPlan: boolean
}

export const OPERATIONS = join("src", "operations")

const FILES = ["Declaration.ts", "Run.ts", "Effects.ts"]

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
  const needs = (file: string) => {
    if (!existsSync(join(path, file))) throw new Error(`${path} has no ${file}`)
  }
  needs("Declaration.ts")
  const isPlan = readFileSync(join(path, "Declaration.ts"), "utf8").includes("declarePlan(")
  needs("Run.ts")
  if (isPlan) needs("Effects.ts")
  return { family, id, isPlan }
}

export const folders: ReadonlyArray<Folder> = families.flatMap(family =>
  foldersIn(join(OPERATIONS, family))
    .filter(id => FILES.some(file => existsSync(join(OPERATIONS, family, id, file))))
    .map(id => folderOf(family, id))
)
