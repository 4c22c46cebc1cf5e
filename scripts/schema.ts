/** `npm run schema` writes the committed descriptions of the API and of the database. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describeApi } from "../src/http/OpenApiDocument.ts"
import { NEUTRAL_AUDIENCE } from "./schema/Neutral.ts"

await writeFile(join("schema", "openapi.json"), `${JSON.stringify(describeApi(NEUTRAL_AUDIENCE), null, 2)}\n`)
