/** Does what a guide says, as it is printed: files are kept, commands are run, and what is shown has to come. */
import { spawn } from "node:child_process"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert } from "vitest"
import type { Cli, Ran } from "../../cli/support/Cli.ts"

export interface Fence {
  readonly language: string
  readonly file: string | undefined
  readonly text: string
}

export const fencesIn = (guide: string): ReadonlyArray<Fence> =>
  [...guide.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)\n```$/gm)].map(
    ([, language = "", file, text = ""]) => ({
      language,
      file,
      text
    })
  )

/** `npx service` in the package's folder, for any folder. */
const withNpx = async ({ directory, program }: Cli): Promise<string> => {
  const bin = join(directory, "bin")
  await mkdir(bin, { recursive: true })
  const script = `#!/bin/sh\ntest "$1" = service || exit 127\nshift\nexec "${process.execPath}" "${program}" "$@"\n`
  await writeFile(join(bin, "npx"), script, { mode: 0o755 })
  return bin
}

/** One shell from block to block, as far as its variables go. */
const shell = (cwd: string, env: Record<string, string>, commands: string): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const script = `set -e\n[ -f .variables ] && . ./.variables\n${commands}\nexport -p > .variables\n`
    const child = spawn("bash", ["-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
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

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** `…` stands for anything within a line. */
const patternOf = (line: string): RegExp =>
  new RegExp(`^\\s*${line.trim().split("…").map(escaped).join(".*").replace(/\s+/g, "\\s+")}$`)

/** Each line that the guide shows comes, and in this order. */
export const shows = (output: string, expected: string): void => {
  const lines = output.split("\n")
  let from = 0
  for (const line of expected.split("\n").filter(each => each.trim() !== "…")) {
    const at = lines.findIndex((each, index) => index >= from && patternOf(line).test(each))
    assert.isAtLeast(at, 0, `the guide shows "${line}", which does not come in:\n${output}`)
    from = at + 1
  }
}

/** `env` is what `npm start` prints. What programs print is looked at elsewhere. */
export const follow = async (
  path: string,
  cli: Cli,
  env: Readonly<Record<string, string>>
): Promise<void> => {
  const cwd = join(cli.directory, path.replace(/\W/g, "-"))
  await mkdir(cwd, { recursive: true })
  const bin = await withNpx(cli)
  const variables = {
    PATH: `${bin}:${process.env.PATH ?? ""}`,
    FUNDING_STATE_DIR: join(cwd, "state"),
    ...env
  }
  let printed = ""
  let isProgram = false
  for (const { language, file, text } of fencesIn(await readFile(path, "utf8"))) {
    if (language === "ts") isProgram = true
    else if (isProgram && language === "text") isProgram = false
    else if (language === "json" && file !== undefined) await writeFile(join(cwd, file), `${text}\n`)
    else if (language === "text") shows(printed, text)
    else {
      assert.strictEqual(language, "sh", `${path} has a block that nobody runs`)
      const { code, stdout, stderr } = await shell(cwd, variables, text)
      assert.strictEqual(code, 0, `${text}\n${stdout}\n${stderr}`)
      printed = `${stderr}\n${stdout}`
    }
  }
}
