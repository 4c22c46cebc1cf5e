/** `npm run extension` builds and tests the example of a team's package against the packed tarball; with `--compile` it writes the example's contract. */
import { execFileSync } from "node:child_process"
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { compileSource } from "../sandbox/compilation.ts"
import { inOneLine } from "./InOneLine.ts"

const EXAMPLE = join("examples", "extension")

const compile = () => {
  const { artifact } = compileSource("TipJar.sol", join(EXAMPLE, "contracts"))
  if (artifact === undefined) throw new Error("the contract compiles to nothing")
  writeFileSync(join(EXAMPLE, "contracts", "TipJar.json"), artifact)
}

const quietly = ["--no-fund", "--no-audit", "--prefer-offline", "--loglevel=error"]

const run = (directory: string, program: string, args: ReadonlyArray<string>) =>
  execFileSync(program, args, { cwd: directory, stdio: "inherit" })

const packed = (directory: string): string => {
  const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", directory]
  return join(directory, execFileSync("npm", args, { encoding: "utf8" }).trim())
}

/** Away from this repository, so that nothing of it is found by chance. */
const test = () => {
  const directory = mkdtempSync(join(tmpdir(), "service-extension-"))
  chmodSync(directory, 0o755)
  try {
    const team = join(directory, "team")
    cpSync(EXAMPLE, team, { recursive: true, filter: path => !/node_modules|dist$/.test(path) })
    run(team, "npm", ["install", ...quietly, packed(directory)])
    run(team, "npm", ["run", "--silent", "build"])
    run(team, "npm", ["test", "--silent"])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

await inOneLine("extension", process.argv.includes("--compile") ? compile : test)
