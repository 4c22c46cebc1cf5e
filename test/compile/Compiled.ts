/** Compiles all snippets by one run of the compiler, and parts what it says by their names. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"

const SAYS = /^(?:.*\/)?snippets\/(?<file>[^/(]+)\.ts\((?<line>\d+),\d+\): error TS\d+: (?<message>.*)$/

export interface CompileError {
  readonly line: number
  /** With the lines that explain it. */
  readonly message: string
}

const parted = (output: string): ReadonlyMap<string, ReadonlyArray<CompileError>> => {
  const bySnippet = new Map<string, Array<{ line: number; message: string }>>()
  let last: { line: number; message: string } | undefined
  for (const text of output.split("\n")) {
    const { file, line, message = "" } = SAYS.exec(text)?.groups ?? {}
    if (file !== undefined) {
      last = { line: Number(line), message }
      bySnippet.set(file, [...(bySnippet.get(file) ?? []), last])
    } else if (/^\s/.test(text) && last !== undefined) last.message += `\n${text}`
    else if (text !== "") throw new Error(`the compiler says of no snippet: ${text}`)
  }
  return bySnippet
}

export const compiled = (): ReadonlyMap<string, ReadonlyArray<CompileError>> => {
  const tsc = join("node_modules", "typescript", "bin", "tsc")
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", "test/compile", "--pretty", "false"], {
    encoding: "utf8"
  })
  return parted(stdout + stderr)
}
