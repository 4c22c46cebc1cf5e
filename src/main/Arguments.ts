/** What the program answers to its arguments, of which it knows two: everything else is set by environment variables. */
import { nearest } from "../settings/nearest.ts"
import { packageVersion } from "../settings/PackageRoot.ts"
import { settingRows } from "../settings/register.ts"

export const help = (): string =>
  [
    "Starts the service. Without a configured database or chain it embeds its own; with a database it asks for a chain.",
    "",
    "Settings are environment variables:",
    ...settingRows.map(
      ({ name, takes, standard, help }) => `  ${name}\n      ${help} Takes ${takes}; default: ${standard}.`
    ),
    ""
  ].join("\n")

const KNOWN = ["--help", "--version"]

/** The setting that somebody meant who knows such flags from elsewhere. */
const meant = (argument: string): string | undefined => {
  const [, name] = /^--?([\w-]+)/.exec(argument) ?? []
  if (name === undefined) return undefined
  const variable = `SERVICE_${name.replaceAll("-", "_").toUpperCase()}`
  return nearest(
    variable,
    settingRows.map(row => row.name),
    2
  )
}

const refusal = (argument: string): string => {
  const setting = meant(argument)
  const hint = setting === undefined ? "" : `, such as ${setting}`
  return `The service takes no argument ${JSON.stringify(argument)}. Its settings are environment variables${hint}: --help lists them. Commands are those of the command line, "npx service".\n`
}

export interface Said {
  readonly text: string
  readonly isRefusal: boolean
}

/** Undefined where the service is to be started. */
export const answerTo = (given: ReadonlyArray<string>): Said | undefined => {
  const unknown = given.find(argument => !KNOWN.includes(argument))
  if (unknown !== undefined) return { text: refusal(unknown), isRefusal: true }
  if (given.includes("--help")) return { text: help(), isRefusal: false }
  return given.includes("--version") ? { text: `${packageVersion()}\n`, isRefusal: false } : undefined
}
