/** Compiles the sandbox's Solidity, from the project's root: all of it, or what is named; keeps it with a record, or checks what is kept. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import {
  type Compilation,
  compileSource,
  contractName,
  type Recorded,
  recordedAs,
  sources
} from "./compilation.ts"

const ARTIFACTS = join("sandbox", "artifacts")
const RECORD = join("sandbox", "artifacts.json")

const { values, positionals } = parseArgs({
  options: { check: { type: "boolean", default: false } },
  allowPositionals: true
})

const chosen = sources().filter(
  source => positionals.length === 0 || positionals.includes(contractName(source))
)

const fileOf = (source: string): string => join(ARTIFACTS, `${contractName(source)}.json`)

const differs = (source: string, { artifact }: Compilation): boolean => {
  const kept = existsSync(fileOf(source)) ? readFileSync(fileOf(source), "utf8") : undefined
  return kept !== artifact
}

const keep = (compiled: ReadonlyMap<string, Compilation>) => {
  const known: Record<string, Recorded> = JSON.parse(readFileSync(RECORD, "utf8"))
  if (positionals.length === 0) rmSync(ARTIFACTS, { recursive: true, force: true })
  mkdirSync(ARTIFACTS, { recursive: true })
  for (const [source, compilation] of compiled) {
    if (compilation.artifact !== undefined) writeFileSync(fileOf(source), compilation.artifact)
    known[source] = recordedAs(source, compilation)
  }
  const lines = sources()
    .filter(source => source in known)
    .map(source => `  ${JSON.stringify(source)}: ${JSON.stringify(known[source])}`)
  writeFileSync(RECORD, `{\n${lines.join(",\n")}\n}\n`)
}

const compiled = new Map<string, Compilation>()
for (const source of chosen) {
  process.stderr.write(`${source} (${compiled.size + 1} of ${chosen.length})\n`)
  compiled.set(source, compileSource(source))
}
if (values.check) {
  const wrong = [...compiled].filter(([source, compilation]) => differs(source, compilation))
  for (const [source] of wrong)
    process.stderr.write(`${source} compiles to something else than ${fileOf(source)}\n`)
  process.exitCode = wrong.length === 0 ? 0 : 1
} else keep(compiled)
