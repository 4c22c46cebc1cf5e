/** `npm run references` writes the reference bundles from the catalog, the entities, the operations and this project's docs. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { referenceBundles } from "./references/Bundles.ts"

const OUT = join("schema", "references")

await mkdir(OUT, { recursive: true })
for (const [file, text] of await referenceBundles()) await writeFile(join(OUT, file), text)
