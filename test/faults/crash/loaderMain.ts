/** Runs a script, from its compiled code where that is kept: `<script> <code> <home>`; told to, keeps what it has compiled by then. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { Script } from "node:vm"

const [file = "", code = "", home = pathToFileURL(file).href] = process.argv.slice(2)

const kept = existsSync(code) ? { cachedData: readFileSync(code) } : {}
const script = new Script(readFileSync(file, "latin1"), { filename: file, ...kept })
const require = createRequire(home)

process.on("message", (command: object) => {
  if (!("keepCode" in command)) return
  writeFileSync(`${code}.new`, script.createCachedData())
  renameSync(`${code}.new`, code)
  process.send?.({ keptCode: true })
})

const load = async (name: string) => {
  const module = require(name)
  return { ...module, default: module }
}

await script.runInThisContext()(require, home, load)
