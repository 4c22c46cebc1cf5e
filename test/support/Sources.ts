/** The sources of `src` as text, with what each file imports. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { assert } from "vitest"

const SRC = resolve("src")

export interface SourceFile {
  readonly path: string
  readonly room: string
  readonly lines: ReadonlyArray<string>
  readonly imports: ReadonlyArray<string>
  /** Those that are still there when it runs. */
  readonly loads: ReadonlyArray<string>
}

export const roomOf = (path: string): string => {
  const [room = "", part = ""] = path.split("/")
  if (room !== "http") return room
  return part === "api" || part === "handlers" ? `http/${part}` : "http"
}

const IMPORT =
  /(?:^|\n)(?:import|export)(?<type> type)?\s[^"']*?from "(?<named>\.[^"]+)"|import\("(?<dynamic>\.[^"]+)"\)|(?:^|\n)import "(?<bare>\.[^"]+)"/g

const read = (path: string): SourceFile => {
  const text = readFileSync(join(SRC, path), "utf8")
  const found = [...text.matchAll(IMPORT)].map(({ groups = {} }) => ({
    to: relative(SRC, resolve(SRC, dirname(path), groups.named ?? groups.dynamic ?? groups.bare ?? "")),
    isType: groups.type !== undefined
  }))
  return {
    path,
    room: roomOf(path),
    lines: text.trimEnd().split("\n"),
    imports: found.map(({ to }) => to),
    loads: found.filter(({ isType }) => !isType).map(({ to }) => to)
  }
}

export const files: ReadonlyArray<SourceFile> = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter(path => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"))
  .sort()
  .map(read)

/** What a rule found, which has to be nothing. */
export const none = (found: ReadonlyArray<string>) => assert.deepStrictEqual(found, [])
