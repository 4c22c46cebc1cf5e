/** Writes recordings of the contracts in the project's own form: `node scripts/run.mjs test/observed/convert.ts <directory>`. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brief, namesOf, type Source } from "./convert/Names.ts"
import { shortened, signaturesOf } from "./convert/Signatures.ts"
import { compactStep } from "./convert/Steps.ts"

const [directory] = process.argv.slice(2)
if (directory === undefined) throw new Error("Which directory holds the recordings?")
const target = "test/observed/recordings"

const parsed = (file: string) => JSON.parse(readFileSync(join(directory, file), "utf8"))
const isScenario = (file: string) => file.endsWith(".json") && file !== "index.json"
const sources: ReadonlyArray<Source> = readdirSync(directory).filter(isScenario).map(parsed)
const shared = namesOf(parsed("index.json"), sources)
const signatures = signaturesOf(sources)

const written = (file: string, text: string) => writeFileSync(join(target, file), `${text}\n`)

const lines = (entries: ReadonlyArray<unknown>) => entries.map(entry => JSON.stringify(entry)).join(",\n")

const scenarioText = (source: Source): string => {
  const names = shared.scenario(source)
  const told = brief({ ...shared.all, ...names })
  const { scenario, chainId, startTimestamp, note, operations } = source
  const head = { scenario, chainId, startTimestamp, note, operations, names }
  const steps = source.steps.map(step => compactStep(step, told, shortened(signatures)))
  return `${JSON.stringify(head).slice(0, -1)},"steps":[\n${lines(steps)}\n]}`
}

mkdirSync(target, { recursive: true })
written("names.json", JSON.stringify(shared.all, null, 1))
written("signatures.json", JSON.stringify(signatures, null, 1))
for (const source of sources) written(`${source.scenario}.json`, scenarioText(source))
