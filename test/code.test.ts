import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { files, none, type SourceFile } from "./support/Sources.ts"

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

const isGenerated = ({ path }: SourceFile) => path.split("/").includes("generated")

describe("budgets", () => {
  it("a file has 300 lines at most, most have far fewer", () => {
    none(
      files
        .filter(file => !isGenerated(file) && file.lines.length > 300)
        .map(({ path, lines }) => `${path} has ${lines.length}`)
    )
    assert.isAtMost(average(files.map(({ lines }) => lines.length)), 80)
  })

  it("a file of the tests has 300 lines at most", () => {
    const written = readdirSync("test", { recursive: true, encoding: "utf8" })
    const longer = written
      .filter(path => /\.tsx?$/.test(path))
      .filter(path => readFileSync(join("test", path), "utf8").trimEnd().split("\n").length > 300)
    none(longer)
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

  it("a function has 50 lines at most with those inside it", () => {
    const filled = (lines: ReadonlyArray<string>, { from, to }: Span) =>
      lines.slice(from, to + 1).filter(line => line !== "").length
    none(
      files
        .filter(file => !isGenerated(file))
        .flatMap(({ path, lines }) =>
          functionsOf(lines)
            .filter(span => filled(lines, span) > 50)
            .map(({ from }) => `${path}:${from + 1}`)
        )
    )
  })

  it("at most 8 lines of a hundred are comments", () => {
    const all = files.flatMap(({ lines }) => lines)
    assert.isAtMost(all.filter(isComment).length / all.length, 0.08)
  })
})

const unquoted = (line: string) => line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g, '""')

describe("code", () => {
  const matches = (rule: RegExp, where: (file: SourceFile) => boolean = () => true) =>
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
    const base = ["database", "accounts", "plans", "dispatch", "auth", "intents"]
    const rooms = [...base, "sponsorship", "smartaccounts", "useroperations", "sessions", "payments"]
    const stores = ["http/AddressUsage.ts", "http/ops/Readiness.ts"]
    none(matches(/\bsql(?:`|"")/, ({ room, path }) => !rooms.includes(room) && !stores.includes(path)))
  })

  it("asks of a URL by parsing it alone", () => {
    none(matches(/\bcanParse\b/))
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
