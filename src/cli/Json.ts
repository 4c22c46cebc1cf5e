/** JSON that people give on the command line or in files. */
import { readFile } from "node:fs/promises"
import { text } from "node:stream/consumers"
import { usageFailure } from "./Failure.ts"

export const jsonFrom = (text: string, what: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (fault) {
    throw usageFailure(
      `${what} is not JSON: ${fault instanceof Error ? fault.message : ""}`,
      "Correct it and run the command again."
    )
  }
}

export const textFile = (path: string): Promise<string> =>
  readFile(path, "utf8").catch(() => {
    throw usageFailure(`The file ${path} cannot be read.`, "Check the path.")
  })

/** "-" is the standard input. */
export const textFrom = (path: string): Promise<string> =>
  path === "-" ? text(process.stdin) : textFile(path)

/** `[]` when absent. */
export const argumentsFrom = (text: string | undefined): ReadonlyArray<unknown> => {
  const value = jsonFrom(text ?? "[]", "The list of arguments")
  if (Array.isArray(value)) return value
  throw usageFailure("The arguments are no JSON array.", `Give them in order, such as '["2", true]'.`)
}
