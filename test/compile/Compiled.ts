/** Compiles all snippets, and what the page on extending adds, by one run of the compiler, and parts what it says by files. */
import { spawn } from "node:child_process"
import { posix } from "node:path"
import { text as textOf } from "node:stream/consumers"
import { COMPILER_ENVIRONMENT, compiler } from "./Compiler.ts"

const SAYS = /^(?<file>\S+\.ts)\((?<line>\d+),\d+\): error TS\d+: (?<message>.*)$/

export interface CompileError {
  readonly line: number
  /** With the lines that explain it. */
  readonly message: string
}

/** By paths from the root, as `src/main.ts`. */
export type CompileErrors = ReadonlyMap<string, ReadonlyArray<CompileError>>

export const parted = (output: string): CompileErrors => {
  const byFile = new Map<string, Array<{ line: number; message: string }>>()
  let last: { line: number; message: string } | undefined
  for (const text of output.split("\n")) {
    const { file, line, message = "" } = SAYS.exec(text)?.groups ?? {}
    if (file !== undefined) {
      last = { line: Number(line), message }
      const path = posix.normalize(file)
      byFile.set(path, [...(byFile.get(path) ?? []), last])
    } else if (/^\s/.test(text) && last !== undefined) last.message += `\n${text}`
    else if (text !== "") throw new Error(`the compiler says of no file: ${text}`)
  }
  return byFile
}

/** Beside whatever else this process does. */
export const compiled = async (root: string): Promise<CompileErrors> => {
  const args = compiler("-p", "test/compile", "--pretty", "false")
  const { stdout, stderr } = spawn(process.execPath, args, { cwd: root, env: COMPILER_ENVIRONMENT })
  return parted((await Promise.all([textOf(stdout), textOf(stderr)])).join(""))
}
