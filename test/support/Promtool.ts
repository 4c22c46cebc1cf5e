/** Prometheus' own checks, of Debian's package. */
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { INSTALLED_MILLIS, installedProgram } from "./Debian.ts"

export interface PromtoolAnswer {
  /** 0 where it has nothing to say against what it was given. */
  readonly code: number | null
  readonly output: string
}

/** Of a test's first question, which may install it. */
export const PROMTOOL_MILLIS = INSTALLED_MILLIS

/** As of its command line; `input` is what it reads from its standard input. */
export const promtool = async (words: ReadonlyArray<string>, input = ""): Promise<PromtoolAnswer> => {
  const program = await installedProgram({
    packageName: "prometheus",
    paths: ["/usr/bin/promtool"],
    whoNeeds: "The tests of metrics and alerts"
  })
  const child = spawn(program, words, { stdio: "pipe" })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", code => resolve(code))
  })
  child.stdin.on("error", () => {})
  child.stdin.end(input)
  const [code, told, complained] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, output: `${told}${complained}` }
}
