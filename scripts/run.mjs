/** Runs a TypeScript entry: `node scripts/run.mjs <file.ts> [arguments]`. */
import { join, relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { bundle } from "./bundle.mjs"

const [, , entry, ...args] = process.argv
if (entry === undefined) {
  console.error("Usage: node scripts/run.mjs <file.ts> [arguments]")
  process.exit(2)
}
const root = resolve(import.meta.dirname, "..")
const outfile = join(root, "dist", "run", relative(root, resolve(entry)).replace(/\.[cm]?ts$/, ".js"))
await bundle([entry], { outfile })
process.argv = [process.argv[0], outfile, ...args]
await import(pathToFileURL(outfile).href)
