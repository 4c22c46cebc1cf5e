import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { it } from "vitest"
import { files, none } from "./support/Sources.ts"

const USERS = ["src", "test", "scripts", "bench", "sandbox", "docs"]

const users = USERS.flatMap(folder =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter(path => path.endsWith(".ts"))
    .map(path => join(folder, path))
)

const IMPORT =
  /(?:import|export)\s+(?:type\s+)?(?:\*\s+as\s+\w+|\{(?<names>[^}]*)\})\s+from "(?<from>\.[^"]+)"/g
const DYNAMIC = /import\("(?<from>\.[^"]+)"\)/g
const EXPORT = /^export (?:abstract )?(?:const|let|function\*?|class) (?<name>\w+)/

/** Named by the types of all that may fail with it, though no other file takes it. */
const FAILURE = /^export class \w+ extends (?:Refusal\(|Data\.TaggedError)/

/** Stands in for a package where the page's script is built. */
const STAND_IN = "console/HashWasm.ts"

/** The names that are taken from each file of `src`, or `*` for all. */
const taken = new Set(
  users.flatMap(path => {
    const text = readFileSync(path, "utf8")
    return [...text.matchAll(IMPORT), ...text.matchAll(DYNAMIC)].flatMap(({ groups = {} }) => {
      const file = relative("src", join(dirname(path), groups.from ?? ""))
      const names = groups.names?.split(",").map(
        name =>
          name
            .trim()
            .replace(/^type /, "")
            .split(" as ")[0]
      )
      return (names ?? ["*"]).map(name => `${file} ${name}`)
    })
  })
)

it("no value is exported that no other file takes", () => {
  none(
    files
      .filter(({ path }) => path !== STAND_IN)
      .flatMap(({ path, lines }) =>
        lines.flatMap(line => {
          const name = EXPORT.exec(line)?.groups?.name
          const isTaken = taken.has(`${path} ${name}`) || taken.has(`${path} *`)
          return name === undefined || isTaken || FAILURE.test(line) ? [] : [`${path} exports ${name}`]
        })
      )
  )
})
