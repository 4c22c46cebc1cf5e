/** The pages of docs/operating: one for each alert, nothing in them that is not there, and each run by a test or a campaign. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { commands } from "../../src/cli/Commands.ts"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { settingRows } from "../../src/settings/register.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"
import { files, none } from "../support/Sources.ts"
import { sqlOn } from "../support/Sql.ts"
import { pageOf, readAlerts } from "./support/Ops.ts"
import { INDEX, pageNames, pageText, STEPS, sqlIn } from "./support/Pages.ts"

const at = (...path: ReadonlyArray<string>) => join(packageRoot, ...path)
const read = (...path: ReadonlyArray<string>) => readFileSync(at(...path), "utf8")
const { scripts }: { readonly scripts: Record<string, string> } = JSON.parse(read("package.json"))

/** Each find of a pattern in a page, that the check calls wrong. */
const wrong = (pattern: RegExp, isRight: (...found: ReadonlyArray<string>) => boolean) =>
  none(
    pageNames().flatMap(name =>
      [...pageText(name).matchAll(pattern)]
        .filter(([, ...found]) => !isRight(...found))
        .map(([whole]) => `${name}: ${whole}`)
    )
  )

/** The longest command that the words begin with. */
const commandOf = (words: string) =>
  commands
    .filter(({ name }) => `${words} `.startsWith(`${name} `))
    .toSorted((a, b) => b.name.length - a.name.length)[0]

describe("the pages", () => {
  it("are there for each alert, whose row of the index names it", async () => {
    const index = pageText(INDEX).split("\n")
    for (const rule of await readAlerts()) {
      const page = pageOf(rule)
      assert.include(pageNames(), page, rule.alert)
      assert.match(pageText(page), new RegExp(`\\b${rule.alert}\\b`), page)
      const rows = index.filter(line => line.startsWith(`| [\`${page}\`]`))
      assert.isTrue(
        rows.some(row => row.includes(rule.alert)),
        `${page} ${rule.alert}`
      )
    }
  })

  it("are all in the index, and lead to what is there", () => {
    const index = pageText(INDEX)
    none(pageNames().filter(name => name !== INDEX && !index.includes(`](${name})`)))
    wrong(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g, (path = "") => existsSync(at("docs", "operating", path)))
  })

  it("name commands and flags that are there", () => {
    wrong(/npx service ([a-z -]+[a-z])((?:[^`\n]*--[a-z-]+)*)/g, (words = "", rest = "") => {
      const command = commandOf(words)
      const flags = [...`${words}${rest}`.matchAll(/--([a-z-]+)/g)].map(([, flag]) => flag)
      return (
        command !== undefined &&
        flags.every(
          flag => ["json", "help"].includes(flag ?? "") || command.flags.some(({ name }) => name === flag)
        )
      )
    })
    wrong(/npm run ([a-z:-]+)/g, (script = "") => script in scripts)
  })

  it("name settings, codes and routes that are there", () => {
    const settings = new Set(settingRows.map(({ name }) => name))
    const source = files.map(({ lines }) => lines.join("\n")).join("\n")
    wrong(
      /\b(SERVICE_[A-Z0-9_]+(?:<chainId>)?)/g,
      (name = "") =>
        source.includes(`  ${name}: entry(`) ||
        [...settings].some(setting => setting === name || (name.endsWith("_") && setting.startsWith(name)))
    )
    wrong(/`([A-Z]+(?:_[A-Z]+)+)`/g, (code = "") => settings.has(code) || source.includes(code))
    wrong(
      /`(?:GET |POST |PATCH |DELETE )?(\/(?:api\/v1|docs|console|healthz|readyz|metrics)[^`\s]*)`/g,
      (route = "") => {
        const [path = ""] = route.split(/[?#]/)
        return (
          ["/healthz", "/readyz", "/metrics"].includes(path) ||
          /^\/(docs|console)/.test(path) ||
          read("schema", "openapi.json").includes(`"${path.replaceAll(/:(\w+)/g, "{$1}")}"`)
        )
      }
    )
  })

  it("are each run by tests or campaigns that are there", () => {
    assert.sameMembers(
      pageNames().filter(name => name !== INDEX),
      Object.keys(STEPS)
    )
    none(
      Object.entries(STEPS).flatMap(([name, runs]) =>
        runs
          .filter(run =>
            run.startsWith("npm run ")
              ? !(run.slice("npm run ".length) in scripts)
              : !existsSync(at("test", run))
          )
          .map(run => `${name}: ${run}`)
      )
    )
  })

  it("have no statement that today's database does not know", async () => {
    const database = await migratedDatabase()
    /** What sets the whole server is run by failovers, on servers of their own. */
    const statements = pageNames()
      .flatMap(sqlIn)
      .filter(text => !text.includes("ALTER SYSTEM"))
    for (const text of statements) await sqlOn(database.url, text)
    await database.drop()
  })
})
