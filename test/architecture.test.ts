import { readdirSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { Api } from "../src/http/api/Api.ts"
import { siteOf } from "../src/main/Site.ts"
import { ownOperations } from "../src/operations/framework/OwnOperations.ts"
import { files, none, roomOf, type SourceFile } from "./support/Sources.ts"

const BASE = ["values", "settings", "telemetry"]

/** What each room may import besides itself. */
const MAY_IMPORT: Readonly<Record<string, ReadonlyArray<string>>> = {
  values: [],
  settings: ["values"],
  telemetry: ["values", "settings"],
  embedded: ["values", "settings"],
  database: BASE,
  upstream: [],
  chain: [...BASE, "upstream"],
  catalog: BASE,
  signatures: [...BASE, "chain"],
  accounts: [...BASE, "database", "signatures"],
  protocol: [...BASE, "chain", "catalog"],
  indexer: [...BASE, "upstream"],
  auth: [...BASE, "database", "chain", "signatures", "accounts"],
  projects: [...BASE, "chain", "protocol", "indexer"],
  plans: [...BASE, "database", "chain", "accounts", "auth"],
  intents: [...BASE, "database", "chain", "signatures", "protocol", "accounts", "auth"],
  references: BASE,
  metadata: [...BASE, "database"],
  effects: [...BASE, "chain", "catalog", "protocol", "plans"],
  operations: [
    ...BASE,
    "chain",
    "catalog",
    "protocol",
    "indexer",
    "projects",
    "plans",
    "effects",
    "intents",
    "references",
    "metadata"
  ],
  dispatch: [...BASE, "database", "chain", "catalog", "protocol", "accounts", "auth", "plans", "effects"],
  direct: [...BASE, "chain", "signatures", "accounts", "auth", "plans", "dispatch"],
  sponsorship: [
    ...BASE,
    "upstream",
    "database",
    "chain",
    "catalog",
    "protocol",
    "signatures",
    "accounts",
    "auth",
    "plans",
    "dispatch"
  ],
  smartaccounts: [
    ...BASE,
    "upstream",
    "database",
    "chain",
    "catalog",
    "protocol",
    "signatures",
    "accounts",
    "auth",
    "plans"
  ],
  useroperations: [
    ...BASE,
    "upstream",
    "database",
    "chain",
    "catalog",
    "protocol",
    "signatures",
    "accounts",
    "auth",
    "plans",
    "dispatch",
    "smartaccounts"
  ],
  sessions: [
    ...BASE,
    "upstream",
    "database",
    "chain",
    "catalog",
    "protocol",
    "signatures",
    "accounts",
    "auth",
    "plans",
    "effects",
    "dispatch",
    "smartaccounts",
    "useroperations"
  ],
  payments: [
    ...BASE,
    "upstream",
    "database",
    "chain",
    "catalog",
    "protocol",
    "signatures",
    "accounts",
    "auth",
    "plans",
    "dispatch",
    "smartaccounts",
    "useroperations"
  ],
  client: ["values", "http/api"],
  review: ["values", "http/api", "client"],
  console: ["values", "http/api", "client", "review"],
  explorer: [],
  passkey: [],
  cli: ["values", "http/api", "client", "review"]
}

const byPath = new Map(files.map(file => [file.path, file]))

const isService = ({ lines }: SourceFile): boolean => lines.some(line => /extends Context\.Tag\(/.test(line))

/** Whether a file and all that it loads are schemas and pure functions. */
const isPure = (path: string, seen: ReadonlySet<string> = new Set()): boolean => {
  const file = byPath.get(path)
  if (file === undefined || seen.has(path)) return true
  return !isService(file) && file.loads.every(to => isPure(to, new Set([...seen, path])))
}

/** A compiled program of ours, which is data. */
const isProgram = (path: string): boolean => path.startsWith("../sandbox/artifacts/")

/** What the package exports. */
const DOORS = ["client/main.ts", "service/main.ts"]

const SHOWN_TO_CLIENTS = ["client", "review", "console", "cli", "http/api"]

describe("rooms", () => {
  it("import in one direction only", () => {
    none(
      files.flatMap(({ path, room, imports }) => {
        const allowed = MAY_IMPORT[room]
        if (allowed === undefined) return []
        return imports
          .filter(to => roomOf(to) !== room && !allowed.includes(roomOf(to)) && !isProgram(to))
          .filter(to => !SHOWN_TO_CLIENTS.includes(room) || !isPure(to))
          .map(to => `${path} imports ${to}`)
      })
    )
  })

  it("are all in the table, but for the ones that put them together", () => {
    const rooms = new Set(files.filter(({ path }) => path.includes("/")).map(({ room }) => room))
    none([...rooms].filter(room => !(room in MAY_IMPORT) && !/^(main|http|service)/.test(room)))
  })

  it("do not know the process, the border or the clients", () => {
    const outside = /^(main|service|embedded|client|review|console|explorer|cli)(\/|\.ts$)/
    none(
      files
        .filter(({ room }) => room.startsWith("http"))
        .flatMap(({ path, imports }) =>
          imports.filter(to => outside.test(to)).map(to => `${path} imports ${to}`)
        )
    )
  })

  it("what clients share with the service is schemas, never a service", () => {
    none(
      files
        .filter(({ room }) => room === "client" || room === "http/api")
        .flatMap(({ path, loads }) =>
          loads.filter(to => !isPure(to)).map(to => `${path} loads a service by ${to}`)
        )
    )
  })

  it("judge effects by pure models of plans", () => {
    none(
      files
        .filter(({ room }) => room === "effects")
        .flatMap(({ path, imports }) =>
          imports.filter(to => roomOf(to) === "plans" && !isPure(to)).map(to => `${path} imports ${to}`)
        )
    )
  })

  it("have no cycle, file by file", () => {
    const graph = new Map(files.map(({ path, loads }) => [path, loads]))
    const done = new Set<string>()
    const walk = (path: string, trail: ReadonlyArray<string>): ReadonlyArray<string> => {
      if (trail.includes(path)) return [[...trail.slice(trail.indexOf(path)), path].join(" → ")]
      if (done.has(path)) return []
      const cycles = (graph.get(path) ?? []).flatMap(to => walk(to, [...trail, path]))
      done.add(path)
      return cycles
    }
    none(files.flatMap(({ path }) => walk(path, [])))
  })

  it("import nothing that is not there, and no barrel", () => {
    const paths = new Set(files.map(({ path }) => path))
    none(
      files.flatMap(({ path, imports }) =>
        imports
          .filter(to => /\.tsx?$/.test(to) && !to.endsWith(".d.ts") && !paths.has(to) && !to.startsWith(".."))
          .map(to => `${path} imports ${to}`)
      )
    )
    none(files.filter(({ path }) => /(^|\/)index\.ts$/.test(path)).map(({ path }) => path))
    none(
      files
        .filter(
          ({ path, lines }) => !DOORS.includes(path) && lines.some(line => /^export .* from "/.test(line))
        )
        .map(({ path }) => `${path} re-exports`)
    )
  })
})

describe("registers", () => {
  it("migrations are numbered without a gap", () => {
    const names = readdirSync("migrations")
      .filter(name => name !== "functions")
      .sort()
    names.forEach((name, index) => {
      assert.match(name, new RegExp(`^${String(index + 1).padStart(4, "0")}_[a-z_]+\\.sql$`))
    })
  })

  it("every declared endpoint is served, and everything served is declared", () => {
    const declared = Object.values(Api.groups)
      .flatMap(group => Object.values(group.endpoints))
      .map(({ name }) => name)
    assert.sameMembers(
      declared,
      siteOf(ownOperations).routes.map(({ name }) => name)
    )
  })
})
