/** `npm run typed-data` writes the published types. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { publishedTypedData } from "../src/values/TypedDataPublished.ts"

await writeFile(join("schema", "typed-data.json"), `${JSON.stringify(publishedTypedData, null, 2)}\n`)
