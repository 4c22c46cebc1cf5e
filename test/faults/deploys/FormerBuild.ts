/** The service as it was at a commit, built in a tree of its own, for hand-overs between builds. */
import { execFile } from "node:child_process"
import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { packageRoot } from "../../../src/settings/PackageRoot.ts"

const run = promisify(execFile)

const git = (...words: ReadonlyArray<string>) => run("git", words, { cwd: packageRoot })

const ENTRY = "test/faults/crash/serviceMain.ts"
const PROGRAM = "dist/run/tested/test/faults/crash/serviceMain.js"
const BUILD = `import { bundle } from "./scripts/bundle.mjs"
await bundle([${JSON.stringify(ENTRY)}], { outfile: ${JSON.stringify(PROGRAM)}, sourcemap: false })`

export interface FormerBuild {
  /** What Node runs. */
  readonly args: ReadonlyArray<string>
  readonly commit: string
  readonly remove: () => Promise<void>
}

/** Its packages are today's. */
export const formerBuild = async (named: string, tree: string): Promise<FormerBuild> => {
  const { stdout } = await git("rev-parse", "--short=12", `${named}^{commit}`)
  const commit = stdout.trim()
  await git("worktree", "add", "--quiet", "--detach", tree, commit)
  await symlink(join(packageRoot, "node_modules"), join(tree, "node_modules"))
  await run(process.execPath, ["--input-type=module", "--eval", BUILD], { cwd: tree })
  return {
    args: ["--max-semi-space-size=32", join(tree, PROGRAM)],
    commit,
    remove: async () => {
      await git("worktree", "remove", "--force", tree)
    }
  }
}
