/** A revert as a sentence; what its contract says in it is foreign text. */
import { isolated, quotable } from "../values/UntrustedText.ts"
import type { NamedValue } from "./AbiValues.ts"
import type { RevertReason } from "./RevertReason.ts"

const LONGEST_VALUE = 120
const MOST_VALUES = 8

/** Solidity's own panics. */
const PANICS: Readonly<Record<string, string>> = {
  "1": "an assertion failed",
  "17": "an arithmetic overflow or underflow",
  "18": "a division by zero",
  "33": "a value outside its enumeration",
  "49": "a pop of an empty array",
  "50": "an index outside its array",
  "65": "too much memory"
}

const cut = (text: string): string => {
  const { text: shown, more } = quotable(text, LONGEST_VALUE)
  return more === 0 ? isolated(shown) : `${isolated(shown)}…`
}

const written = ({ name, value }: NamedValue): string => {
  const text = cut(typeof value === "string" ? value : (JSON.stringify(value) ?? "").replaceAll('"', "'"))
  return name === null ? text : `${name} ${text}`
}

const argumentsOf = (args: ReadonlyArray<NamedValue>): string => {
  const more = args.length > MOST_VALUES ? ["…"] : []
  return [...args.slice(0, MOST_VALUES).map(written), ...more].join(", ")
}

const reasonOf = ({ selector, name, args = [] }: RevertReason): string => {
  const [first] = args
  if (selector === null) return "without saying why"
  if (name === undefined) return `with an error that the catalog has no name for, ${selector}`
  if (name === "Error") return `with the message "${cut(String(first?.value))}"`
  if (name === "Panic") {
    const code = String(first?.value)
    return `with a panic: ${PANICS[code] ?? `code ${cut(code)}`}`
  }
  return `with ${name}(${argumentsOf(args)})`
}

/** `The call reverts with JBMultiTerminal_UnderMin(value 5, min 6).` */
export const revertText = (reason: RevertReason): string => `The call reverts ${reasonOf(reason)}.`

/** What a refusal says of a revert. */
export const ofRevert = (revert: RevertReason, about: Readonly<Record<string, unknown>> = {}) => ({
  detail: revertText(revert),
  context: { ...about, revert }
})
