/** `npm run typed-data` writes the published types. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { publishedTypedData } from "./typed-data/Published.ts"

await writeFile(join("schema", "typed-data.json"), `${JSON.stringify(publishedTypedData, null, 2)}\n`)
