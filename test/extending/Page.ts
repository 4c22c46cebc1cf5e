/** What docs/extending.md has one write into this package, and a copy of the package with that in it. */
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { promisify } from "node:util"

const BLOCK = /^```(\w+)(?: (src\/\S+))?\n([\s\S]*?\n)```$/gm

const [inside = ""] = readFileSync("docs/extending.md", "utf8").split("\n# From a package of your own\n")

const blocks = Array.from(inside.matchAll(BLOCK), ([, language = "", path, text = ""]) => ({
  language,
  path,
  text
}))

export interface Printed {
  readonly path: string
  readonly text: string
}

const placed: ReadonlyArray<Printed> = blocks.flatMap(({ path, text }) =>
  path === undefined ? [] : [{ path, text }]
)

/** An entry of a list is printed as it stands there, indented. */
const isEntry = ({ text }: Printed) => text.startsWith("  ")

export const printedFiles = placed.filter(each => !isEntry(each))
export const printedEntries = placed.filter(isEntry)

export const printedCommands: ReadonlyArray<string> = [
  ...new Set(blocks.flatMap(({ language, text }) => (language === "sh" ? [text.trim()] : [])))
]

const write = (root: string, path: string, text: string) => {
  mkdirSync(join(root, dirname(path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const append = (root: string, { path, text }: Printed) => {
  const before = readFileSync(join(root, path), "utf8")
  write(
    root,
    path,
    before.replace(/\n\]\n$/, () => `,\n${text}]\n`)
  )
}

const directory = () => {
  const root = mkdtempSync(join(tmpdir(), "extending-"))
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}

const COPIED = [
  "biome.json",
  "package.json",
  "sandbox",
  join("schema", "execution"),
  "scripts",
  "src",
  join("test", "compile"),
  join("test", "service", "support.ts"),
  "tsconfig.json"
]

/** The package after the steps that the page prints. */
export const extendedCopy = async () => {
  const { root, remove } = directory()
  for (const path of COPIED) cpSync(path, join(root, path), { recursive: true })
  symlinkSync(resolve("node_modules"), join(root, "node_modules"))
  for (const { path, text } of printedFiles) write(root, path, text)
  for (const entry of printedEntries) append(root, entry)
  for (const command of printedCommands) await promisify(execFile)("sh", ["-c", command], { cwd: root })
  return { root, remove }
}

/** The printed files alone, beside links to the modules that this process has. */
export const printedBesideOurs = () => {
  const { root, remove } = directory()
  const shared = [
    "effects",
    "protocol",
    "values",
    join("operations", "framework"),
    join("operations", "shared")
  ]
  mkdirSync(join(root, "src", "operations"), { recursive: true })
  for (const path of shared) symlinkSync(resolve("src", path), join(root, "src", path))
  for (const { path, text } of printedFiles) write(root, path, text)
  return { root, remove }
}
