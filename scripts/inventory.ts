/** `npm run inventory -- <directory> [--repository <name>] [--commit <hash>] [--out <directory>]` pins the protocol's contracts. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { artifactsContent } from "./inventory/Artifacts.ts"
import { writeContent } from "./inventory/Content.ts"
import { factsContent } from "./inventory/Facts.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    repository: { type: "string" },
    commit: { type: "string" },
    out: { type: "string", default: join("schema", "protocol") }
  }
})

const [directory] = positionals
if (directory === undefined) throw new Error("name the directory of facts or of deployment artifacts")

const source = { repository: values.repository ?? null, commit: values.commit ?? null }
const content = existsSync(join(directory, "deployments"))
  ? await artifactsContent(directory, values.out, source)
  : await factsContent(directory, source)
const hash = await writeContent(values.out, content)
console.log(
  `${values.out}: ${content.contracts.length} contracts, ${content.deployments.length} deployments, ${hash}`
)
