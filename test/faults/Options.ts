/** The command line of a campaign: whole numbers and ranges within bounds, switches, a seed and --help. */
import { parseArgs } from "node:util"

export interface Flag<A> {
  readonly type: "string" | "boolean"
  readonly read: (name: string, given: string | boolean | undefined) => A
}

type Flags = Readonly<Record<string, Flag<unknown>>>

type Values<F extends Flags> = { readonly [N in keyof F]: ReturnType<F[N]["read"]> }

/** What ends the command before it does anything. */
interface Ending {
  readonly status: 0 | 2
  readonly text: string
}

class Unusable extends Error {}

const within = (name: string, text: string, least: number, most: number): number => {
  const number = text.trim() === "" ? Number.NaN : Number(text)
  if (Number.isInteger(number) && number >= least && number <= most) return number
  throw new Unusable(`--${name} takes a whole number from ${least} to ${most}, not "${text}".`)
}

export const whole = <U extends number | undefined>(
  usual: U,
  least: number,
  most: number
): Flag<number | U> => ({
  type: "string",
  read: (name, given) => (typeof given === "string" ? within(name, given, least, most) : usual)
})

/** Two whole numbers: `0..1200`. */
export const range = (least: number, most: number): Flag<readonly [number, number]> => ({
  type: "string",
  read: (name, given) => {
    if (typeof given !== "string") return [least, most]
    const [from = "", to = ""] = given.split("..")
    return [within(name, from, least, most), within(name, to, least, most)]
  }
})

export const text: Flag<string | undefined> = {
  type: "string",
  read: (_, given) => (typeof given === "string" ? given : undefined)
}

export const chosen: Flag<boolean> = { type: "boolean", read: (_, given) => given === true }

const seed: Flag<number> = {
  type: "string",
  read: (name, given) =>
    typeof given === "string" ? within(name, given, 0, 2 ** 31) : Math.floor(Math.random() * 2 ** 31)
}

const given = (args: ReadonlyArray<string>, flags: Flags) => {
  try {
    return parseArgs({ args: [...args], options: { ...flags, seed, help: chosen }, allowPositionals: false })
      .values
  } catch (cause) {
    throw new Unusable(cause instanceof Error ? cause.message : String(cause))
  }
}

export const readOptions = <F extends Flags>(
  args: ReadonlyArray<string>,
  usage: string,
  flags: F
): { readonly values: Values<F & { seed: Flag<number> }> } | { readonly ending: Ending } => {
  try {
    const found: Readonly<Record<string, string | boolean | undefined>> = given(args, flags)
    if (found.help === true) return { ending: { status: 0, text: usage } }
    const values = Object.entries({ ...flags, seed }).map(([name, { read }]) => [
      name,
      read(name, found[name])
    ])
    return { values: Object.fromEntries(values) }
  } catch (cause) {
    if (!(cause instanceof Unusable)) throw cause
    return { ending: { status: 2, text: `${cause.message}\n\n${usage}` } }
  }
}

export const endWith = ({ status, text }: Ending): never => {
  ;(status === 0 ? process.stdout : process.stderr).write(text)
  return process.exit(status)
}

/** The options of this command; ends it where they only ask for help or cannot be used. */
export const options = <F extends Flags>(usage: string, flags: F) => {
  const read = readOptions(process.argv.slice(2), usage, flags)
  return "ending" in read ? endWith(read.ending) : read.values
}
