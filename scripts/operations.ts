/** `npm run operations` writes the registers of all operations from the folders that are there. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { inOneLine } from "./InOneLine.ts"

/** The folders are looked at as soon as the module is there. */
await inOneLine("operations", async () => {
  const { generatedFiles } = await import("./operations/Files.ts")
  for (const { path, text } of generatedFiles()) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
})
