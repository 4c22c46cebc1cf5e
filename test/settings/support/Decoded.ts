/** Settings of an environment, or what is wrong with it, as a start says it. */
import { Either } from "effect"
import { decodeSettings, type Environment, problemLine } from "../../../src/settings/decode.ts"
import type { DecodedSettings } from "../../../src/settings/Settings.ts"

export const settingsOf = (environment: Environment): DecodedSettings =>
  Either.getOrThrowWith(
    decodeSettings(environment),
    problems => new Error(problems.map(problemLine).join("\n"))
  )

export const linesOf = (environment: Environment): ReadonlyArray<string> =>
  Either.match(decodeSettings(environment), {
    onLeft: problems => problems.map(problemLine),
    onRight: () => []
  })
