/** `npm run inventory -- <directory> [--repository <name>] [--commit <hash>] [--out <directory>]` pins the protocol's contracts, or the indexed source's entities. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { artifactsContent } from "./inventory/Artifacts.ts"
import { writeContent } from "./inventory/Content.ts"
import { writeEntities } from "./inventory/Entities.ts"
import { factsContent } from "./inventory/Facts.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    repository: { type: "string" },
    commit: { type: "string" },
    out: { type: "string" }
  }
})

const [directory] = positionals
if (directory === undefined)
  throw new Error("name the directory of facts, of deployment artifacts or of the indexed source")

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
