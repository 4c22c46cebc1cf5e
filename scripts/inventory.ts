/** `npm run inventory` pins the protocol's contracts, or the indexed source's entities, as the catalog's own facts. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { artifactsContent } from "./inventory/Artifacts.ts"
import { writeContent } from "./inventory/Content.ts"
import { writeEntities } from "./inventory/Entities.ts"
import { factsContent } from "./inventory/Facts.ts"

const USAGE = `npm run inventory -- <directory> [options]

  <directory>          facts, deployment artifacts (with deployments/) or the indexed source (with schema.graphql)
  --repository <name>  where the contracts come from
  --commit <hash>      at which commit
  --out <directory>    where to write; schema/protocol or schema/indexer when left out`

const fail = (message: string): never => {
  console.error(`${message}\n\n${USAGE}`)
  process.exit(2)
}

const given = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        repository: { type: "string" },
        commit: { type: "string" },
        out: { type: "string" },
        help: { type: "boolean" }
      }
    })
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

const { positionals, values } = given()
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
const directory = positionals[0] ?? fail("Name the directory to pin from.")
if (!existsSync(directory)) fail(`There is no directory ${directory}.`)

const pinContracts = async (from: string, out: string) => {
  const source = { repository: values.repository ?? null, commit: values.commit ?? null }
  const content = existsSync(join(from, "deployments"))
    ? await artifactsContent(from, out, source)
    : await factsContent(from, source)
  const hash = await writeContent(out, content)
  return `${content.contracts.length} contracts, ${content.deployments.length} deployments, ${hash}`
}

const isSource = existsSync(join(directory, "schema.graphql"))
const out = values.out ?? join("schema", isSource ? "indexer" : "protocol")
console.log(`${out}: ${await (isSource ? writeEntities(directory, out) : pinContracts(directory, out))}`)
