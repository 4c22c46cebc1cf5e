/** The command line as its own process, bundled as it ships. */
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { keptProgram } from "../../support/KeptProgram.ts"

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Cli {
  /** Private to the test: key files and unfinished work go here. */
  readonly directory: string
  /** The file that Node runs. */
  readonly program: string
  readonly run: (args: ReadonlyArray<string>, env?: Readonly<Record<string, string>>) => Promise<Ran>
  readonly remove: () => Promise<void>
}

const ended = (program: string, args: ReadonlyArray<string>, env: Record<string, string>, cwd: string) =>
  new Promise<Ran>((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", chunk => {
      stdout += String(chunk)
    })
    child.stderr.on("data", chunk => {
      stderr += String(chunk)
    })
    child.once("error", reject)
    child.once("close", code => resolve({ code, stdout, stderr }))
  })

export const buildCli = async (): Promise<Cli> => {
  const directory = await mkdtemp(join(tmpdir(), "command-line-"))
  const program = await keptProgram("src/cli/main.ts")
  const base = { PATH: process.env.PATH ?? "", FUNDING_STATE_DIR: join(directory, "state") }
  return {
    directory,
    program,
    run: (args, env = {}) => ended(program, args, { ...base, ...env }, directory),
    remove: () => rm(directory, { recursive: true, force: true })
  }
}
