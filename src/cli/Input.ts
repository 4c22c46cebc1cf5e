/** The command line after the command's words: positional arguments and flags, each known to the command. By hand, since `@effect/cli` says less exactly what is wrong, shows a flag on five lines and starts twice as slowly. */
import { isAddress } from "viem"
import type { Command, Flag } from "./Command.ts"
import { usageFailure } from "./Failure.ts"
import { didYouMean, likelyMeant } from "./Meant.ts"

export const globalFlags: ReadonlyArray<Flag> = [
  { name: "json", help: "Print one JSON value instead of text." },
  { name: "help", help: "Print the command's help." }
]

/** What stands in for flags that neither the command line nor a variable gives, by their names. */
export type Found = Readonly<Record<string, string>>

const seeHelp = ({ name }: Command): string => `See "service ${name} --help".`

export class Input {
  readonly #command: Command
  readonly #words: ReadonlyArray<string>
  readonly #values: ReadonlyMap<string, ReadonlyArray<string>>
  readonly #env: Readonly<Record<string, string | undefined>>
  readonly #found: Found

  constructor(
    command: Command,
    words: ReadonlyArray<string>,
    values: ReadonlyMap<string, ReadonlyArray<string>>,
    env: Readonly<Record<string, string | undefined>>,
    found: Found = {}
  ) {
    this.#command = command
    this.#words = words
    this.#values = values
    this.#env = env
    this.#found = found
  }

  with(found: Found): Input {
    return new Input(this.#command, this.#words, this.#values, this.#env, found)
  }

  word(index: number): string | undefined {
    return this.#words[index]
  }

  needed(index: number): string {
    return this.#words[index] ?? this.fail(`"service ${this.#command.name}" needs ${this.#command.takes}.`)
  }

  has(flag: string): boolean {
    return this.#values.has(flag)
  }

  all(flag: string): ReadonlyArray<string> {
    return this.#values.get(flag) ?? []
  }

  /** The environment variable that the flag's value is from. */
  variable(flag: string): string | undefined {
    const variable = this.#command.flags.find(({ name }) => name === flag)?.env
    return variable === undefined || this.has(flag) || !this.#env[variable] ? undefined : variable
  }

  /** From the command line, or else from the flag's environment variable, or else as it was found. */
  value(flag: string): string | undefined {
    const variable = this.variable(flag)
    return this.all(flag)[0] ?? (variable === undefined ? this.#found[flag] : this.#env[variable])
  }

  neededValue(name: string): string {
    const flag = this.#command.flags.find(known => known.name === name)
    const variable = flag?.env === undefined ? "" : ` or ${flag.env}`
    return (
      this.value(name) ??
      this.fail(`"service ${this.#command.name}" needs --${name}${variable}: ${flag?.help}`)
    )
  }

  integer(flag: string, least = 0, most = Number.MAX_SAFE_INTEGER): number | undefined {
    const text = this.value(flag)
    if (text === undefined) return undefined
    const number = /^(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : Number.NaN
    return number >= least && number <= most
      ? number
      : this.fail(`--${flag} takes a whole number from ${least} to ${most}, not "${text}".`)
  }

  address(flag: string): `0x${string}` | undefined {
    const text = this.value(flag)
    if (text === undefined || isAddress(text, { strict: false })) return text
    return this.fail(`--${flag} takes an address, not "${text}".`)
  }

  neededAddress(flag: string): `0x${string}` {
    this.neededValue(flag)
    return this.address(flag) ?? this.fail(`--${flag} takes an address.`)
  }

  choice<const Name extends string>(flag: string, names: ReadonlyArray<Name>): Name | undefined {
    const text = this.value(flag)
    const chosen = names.find(name => name === text)
    if (text === undefined || chosen !== undefined) return chosen
    return this.fail(`--${flag} takes ${names.slice(0, -1).join(", ")} or ${names.at(-1)}, not "${text}".`)
  }

  /** The position of a plan's step. */
  step(index: number): number {
    const text = this.needed(index)
    return /^(?:[0-9]|[12][0-9]|3[01])$/.test(text)
      ? Number(text)
      : this.fail(`A step is a number from 0 to 31, not "${text}".`)
  }

  /** Refuses flags that say nothing beside another. */
  apart(flag: string, ...others: ReadonlyArray<string>): void {
    const other = this.has(flag) ? others.find(each => this.has(each)) : undefined
    if (other !== undefined) this.fail(`--${flag} and --${other} do not go together.`)
  }

  fail(message: string): never {
    throw usageFailure(message, seeHelp(this.#command))
  }
}

const unknownFlag = (command: Command, name: string): never => {
  const known = [...command.flags, ...globalFlags].map(flag => `--${flag.name}`)
  throw usageFailure(
    `"service ${command.name}" has no flag --${name}.`,
    didYouMean(likelyMeant(`--${name}`, known), `It takes ${known.join(", ")}.`)
  )
}

const refuseCounts = (command: Command, words: ReadonlyArray<string>): void => {
  const { name, takes = "" } = command
  const most = takes.split("<").length - 1
  const least = takes.replace(/\[.*/, "").split("<").length - 1
  if (words.length < least || words.length > most)
    throw usageFailure(`"service ${name}" takes ${takes || "no arguments"}.`, seeHelp(command))
}

/** `--name value`, `--name=value`, `--switch`; everything after `--` is positional. */
export const parseInput = (
  command: Command,
  argv: ReadonlyArray<string>,
  env: Readonly<Record<string, string | undefined>>
): Input => {
  const words: Array<string> = []
  const values = new Map<string, Array<string>>()
  const rest = [...argv]
  for (let token = rest.shift(); token !== undefined; token = rest.shift()) {
    if (token === "--") words.push(...rest.splice(0))
    else if (token.startsWith("--")) {
      const [name = "", ...inline] = token.slice(2).split("=")
      const flag = [...command.flags, ...globalFlags].find(known => known.name === name)
      if (flag === undefined) return unknownFlag(command, name)
      if (flag.value === undefined && inline.length > 0)
        throw usageFailure(`--${name} takes no value: give it alone, or leave it out.`, seeHelp(command))
      const value = flag.value === undefined ? "" : inline.length > 0 ? inline.join("=") : rest.shift()
      if (value === undefined) throw usageFailure(`--${name} needs ${flag.value}.`, seeHelp(command))
      if (values.has(name) && flag.repeatable !== true)
        throw usageFailure(`--${name} is given more than once.`, seeHelp(command))
      values.set(name, [...(values.get(name) ?? []), value])
    } else words.push(token)
  }
  if (!values.has("help")) refuseCounts(command, words)
  return new Input(command, words, values, env)
}
