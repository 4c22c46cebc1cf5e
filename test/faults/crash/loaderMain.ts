/** Runs a script, from its compiled code where that is kept: `<script> <code> <home>`; told to, keeps what it has compiled by then. */
import { pathToFileURL } from "node:url"
import { keptScript } from "../../support/KeptScript.ts"

const [file = "", code = "", home = pathToFileURL(file).href] = process.argv.slice(2)
const { run, keepCode } = keptScript({ file, code, home })

process.on("message", (command: object) => {
  if (!("keepCode" in command)) return
  keepCode()
  process.send?.({ keptCode: true })
})

await run()
