import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { assert, describe, it } from "vitest"

const SRC = resolve("src")

const BASE = ["values", "settings", "telemetry"]

/** What each room may import besides itself. */
const MAY_IMPORT: Readonly<Record<string, ReadonlyArray<string>>> = {
  values: [],
  settings: ["values"],
  telemetry: ["values", "settings"],
  embedded: ["values", "settings"],
  database: BASE,
  chain: BASE,
  catalog: BASE,
  signatures: [...BASE, "chain"],
  accounts: [...BASE, "database", "signatures"],
  protocol: [...BASE, "chain", "catalog"],
  indexer: BASE,
  auth: [...BASE, "database", "chain", "signatures", "accounts"],
  projects: [...BASE, "chain", "protocol", "indexer"],
  plans: [...BASE, "database", "chain", "accounts", "auth"],
  intents: [...BASE, "database", "chain", "signatures", "protocol", "accounts", "auth"],
  references: BASE,
  metadata: [...BASE, "database"],
  operations: [
    ...BASE,
    "chain",
    "catalog",
    "protocol",
    "indexer",
    "projects",
    "plans",
    "intents",
    "references",
    "metadata"
  ],
  dispatch: [...BASE, "database", "chain", "catalog", "protocol", "accounts", "auth", "plans"],
  client: ["values", "http/api"],
  review: ["values", "http/api", "client"],
  console: ["values", "http/api", "client", "review"],
  cli: ["values", "http/api", "client", "review"]
}

interface File {
  readonly path: string
  readonly room: string
  readonly lines: ReadonlyArray<string>
  readonly imports: ReadonlyArray<string>
  /** Those that are still there when it runs. */
  readonly loads: ReadonlyArray<string>
}

const roomOf = (path: string): string => {
  const [room = "", part = ""] = path.split("/")
  if (room !== "http") return room
  return part === "api" || part === "handlers" ? `http/${part}` : "http"
}

const IMPORT =
  /(?:^|\n)(?:import|export)(?<type> type)?\s[^"']*?from "(?<named>\.[^"]+)"|import\("(?<dynamic>\.[^"]+)"\)|(?:^|\n)import "(?<bare>\.[^"]+)"/g

const read = (path: string): File => {
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

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter(path => path.endsWith(".ts") && !path.endsWith(".d.ts"))
  .sort()
  .map(read)

const byPath = new Map(files.map(file => [file.path, file]))

const isService = ({ lines }: File): boolean => lines.some(line => /extends Context\.Tag\(/.test(line))

/** Whether a file and all that it loads are schemas and pure functions. */
const isPure = (path: string, seen: ReadonlySet<string> = new Set()): boolean => {
  const file = byPath.get(path)
  if (file === undefined || seen.has(path)) return true
  return !isService(file) && file.loads.every(to => isPure(to, new Set([...seen, path])))
}

const SHOWN_TO_CLIENTS = ["client", "review", "console", "cli", "http/api"]

const none = (found: ReadonlyArray<string>) => assert.deepStrictEqual(found, [])

describe("rooms", () => {
  it("import in one direction only", () => {
    none(
      files.flatMap(({ path, room, imports }) => {
        const allowed = MAY_IMPORT[room]
        if (allowed === undefined) return []
        return imports
          .filter(to => roomOf(to) !== room && !allowed.includes(roomOf(to)))
          .filter(to => !SHOWN_TO_CLIENTS.includes(room) || !isPure(to))
          .map(to => `${path} imports ${to}`)
      })
    )
  })

  it("are all in the table, but for the ones that put them together", () => {
    const rooms = new Set(files.filter(({ path }) => path.includes("/")).map(({ room }) => room))
    none([...rooms].filter(room => !(room in MAY_IMPORT) && !/^(main|http)/.test(room)))
  })

  it("do not know the process, the border or the clients", () => {
    const outside = /^(main|embedded|client|review|console|cli)(\/|\.ts$)/
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
          .filter(to => to.endsWith(".ts") && !to.endsWith(".d.ts") && !paths.has(to) && !to.startsWith(".."))
          .map(to => `${path} imports ${to}`)
      )
    )
    none(files.filter(({ path }) => /(^|\/)index\.ts$/.test(path)).map(({ path }) => path))
    none(
      files
        .filter(
          ({ path, lines }) => path !== "client/main.ts" && lines.some(line => /^export .* from "/.test(line))
        )
        .map(({ path }) => `${path} re-exports`)
    )
  })
})

const isComment = (line: string) => /^\s*(\/\/|\/\*|\*)/.test(line)

interface Span {
  readonly from: number
  readonly to: number
}

const OPENS =
  /(=>|function\*?\s*\w*\s*\(.*\)(: [^=]+)?|^\s+(?:(?:private|static|async|override|readonly)\s+)*[\w#]+(?:<.*>)?\(.*\)(: [^=]+)?) \{$/
const OPENS_LATE = /^\s*\)(: [^=]+)?( =>)? \{$/

const indentOf = (line: string) => line.length - line.trimStart().length

/** Functions of several lines in formatted code: a block ends at the first closing brace of its own indentation, an expression before the first line that is not deeper. */
const functionsOf = (lines: ReadonlyArray<string>): ReadonlyArray<Span> =>
  lines.flatMap((line, from) => {
    const depth = indentOf(line)
    if (/=>$/.test(line)) {
      const next = lines.findIndex((end, at) => at > from && end !== "" && indentOf(end) <= depth)
      return [{ from, to: (next < 0 ? lines.length : next) - 1 }]
    }
    if (!OPENS.test(line) && !OPENS_LATE.test(line)) return []
    const to = lines.findIndex((end, at) => at > from && indentOf(end) === depth && /^\s*\}/.test(end))
    return to < 0 ? [] : [{ from, to }]
  })

/** Lines of its own: those of the functions inside it are counted there, and empty ones nowhere. */
const ownLength = (span: Span, all: ReadonlyArray<Span>, lines: ReadonlyArray<string>): number => {
  const inner = all.filter(other => other !== span && other.from >= span.from && other.to <= span.to)
  const isOwn = (at: number) => !inner.some(({ from, to }) => at > from && at <= to)
  return lines.filter((line, at) => at >= span.from && at <= span.to && line !== "" && isOwn(at)).length
}

const average = (numbers: ReadonlyArray<number>) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

describe("budgets", () => {
  it("a file has 300 lines at most, most have far fewer", () => {
    none(
      files.filter(({ lines }) => lines.length > 300).map(({ path, lines }) => `${path} has ${lines.length}`)
    )
    assert.isAtMost(average(files.map(({ lines }) => lines.length)), 80)
  })

  it("a function has 40 lines of its own at most", () => {
    none(
      files.flatMap(({ path, lines }) => {
        const spans = functionsOf(lines)
        return spans
          .filter(span => ownLength(span, spans, lines) > 40)
          .map(({ from }) => `${path}:${from + 1}`)
      })
    )
  })

  it("at most 8 lines of a hundred are comments", () => {
    const all = files.flatMap(({ lines }) => lines)
    assert.isAtMost(all.filter(isComment).length / all.length, 0.08)
  })
})

const unquoted = (line: string) => line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g, '""')

describe("code", () => {
  const matches = (rule: RegExp, where: (file: File) => boolean = () => true) =>
    files
      .filter(where)
      .flatMap(({ path, lines }) =>
        lines.flatMap((line, at) =>
          !isComment(line) && rule.test(unquoted(line)) ? [`${path}:${at + 1} ${line.trim()}`] : []
        )
      )

  it("casts nothing outside the codecs", () => {
    const cast =
      /\bas (?:[A-Z{[(]|(?:unknown|any|never|string|number|boolean|object|bigint)\b)|<any>|: any\b|\bany\[\]/
    const renames = /^\S+ (?:import|export) |^\S+ (?:type )?\w+ as \w+,?$|\* as /
    none(matches(cast, ({ room }) => room !== "values").filter(found => !renames.test(found)))
  })

  it("ignores no checker and leaves nothing for later", () => {
    none(matches(/@ts-(ignore|expect-error|nocheck)|biome-ignore|\b(TODO|FIXME|XXX)\b/))
    none(
      files.flatMap(({ path, lines }) =>
        lines.filter(line => /@ts-|biome-ignore|TODO|FIXME/.test(line)).map(line => `${path} ${line}`)
      )
    )
  })

  it("looks into causes in one place, and lets no fiber run wild", () => {
    none(
      matches(
        /catchAllCause|catchCause\b/,
        ({ path }) => !["http/Problems.ts", "http/ops/Readiness.ts"].includes(path)
      )
    )
    none(matches(/\bforkDaemon\b|Effect\.catchAll\(\(\) => Effect\.void\)/))
  })

  it("speaks SQL in stores and the database room alone", () => {
    const rooms = ["database", "accounts", "plans", "dispatch", "auth", "intents"]
    const stores = ["http/AddressUsage.ts", "http/ops/Readiness.ts"]
    none(matches(/\bsql(?:`|"")/, ({ room, path }) => !rooms.includes(room) && !stores.includes(path)))
  })

  it("tells time and chance through services", () => {
    none(
      matches(
        /\bDate\.now\(|\bMath\.random\(|\bsetTimeout\(|\bsetInterval\(/,
        ({ room }) => !["cli", "client"].includes(room)
      )
    )
  })
})

describe("registers", () => {
  it("migrations are numbered without a gap", () => {
    const names = readdirSync("migrations").sort()
    names.forEach((name, index) => {
      assert.match(name, new RegExp(`^${String(index + 1).padStart(4, "0")}_[a-z_]+\\.sql$`))
    })
  })

  it("every declared endpoint is served, and everything served is declared", async () => {
    const { allRoutes } = await import("../src/http/AllRoutes.ts")
    const { Api } = await import("../src/http/api/Api.ts")
    const declared = Object.values(Api.groups)
      .flatMap(group => Object.values(group.endpoints))
      .map(({ name }) => name)
    assert.sameMembers(
      declared,
      allRoutes.map(({ name }) => name)
    )
  })
})
