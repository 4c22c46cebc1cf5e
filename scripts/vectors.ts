/** `npm run vectors` writes the published test vectors. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { files } from "./vectors/files.ts"

const directory = join("schema", "vectors")
await mkdir(directory, { recursive: true })
for (const [name, content] of Object.entries(files))
  await writeFile(join(directory, name), `${JSON.stringify(content, null, 2)}\n`)
