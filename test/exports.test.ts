import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { assert, it } from "vitest"
import { files, none } from "./support/Sources.ts"

const USERS = ["src", "test", "scripts", "bench", "sandbox", "docs"]

const users = USERS.flatMap(folder =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter(path => /\.tsx?$/.test(path))
    .map(path => join(folder, path))
)

const IMPORT =
  /(?:import|export)\s+(?:type\s+)?(?:\*\s+as\s+\w+|\{(?<names>[^}]*)\})\s+from "(?<from>\.[^"]+)"/g
const DYNAMIC = /import\("(?<from>\.[^"]+)"\)/g
const EXPORT = /^export (?:abstract )?(?:const|let|function\*?|class) (?<name>\w+)/

/** Named by the types of all that may fail with it, though no other file takes it. */
const FAILURE = /^export class \w+ extends (?:Refusal\(|Data\.TaggedError)/

/** Stand in for packages where the page's script is built. */
const STAND_INS = ["console/HashWasm.ts", "console/Secp256k1.ts"]

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
      .filter(({ path }) => !STAND_INS.includes(path))
      .flatMap(({ path, lines }) =>
        lines.flatMap(line => {
          const name = EXPORT.exec(line)?.groups?.name
          const isTaken = taken.has(`${path} ${name}`) || taken.has(`${path} *`)
          return name === undefined || isTaken || FAILURE.test(line) ? [] : [`${path} exports ${name}`]
        })
      )
  )
})

/** Each is an endpoint of the API and the use case that it stands for, or a name that is passed on. */
const TWICE = [
  "PlanOwnership",
  "createPlan",
  "listPlans",
  "publishIntent",
  "recordDeployment",
  "registerBot",
  "showPlan",
  "simulateStep",
  "submitBundle",
  "submitStep"
]

const NAMED =
  /^export (?:abstract )?(?:const|let|function\*?|class|interface|type) (?<name>\w+)|^export type \{ (?<passed>\w+) \}$/

it("one word is for one thing: no two files export the same name, but for a stated few", () => {
  const places = new Map<string, Set<string>>()
  for (const { path, lines } of files)
    for (const line of lines) {
      const { name, passed } = NAMED.exec(line)?.groups ?? {}
      const word = name ?? passed
      if (word !== undefined) places.set(word, (places.get(word) ?? new Set()).add(path))
    }
  const twice = [...places].filter(([, paths]) => paths.size > 1)
  none(
    twice
      .filter(([word]) => !TWICE.includes(word))
      .map(([word, paths]) => `${word}: ${[...paths].join(", ")}`)
  )
  assert.sameMembers(
    twice.map(([word]) => word),
    TWICE
  )
})
