/** Text that others wrote, in a form that shows every character and can neither reorder nor hide what stands around it. */
const LONGEST = 280

/** Controls, formats, surrogates, private use, unassigned, line ends, invisible letters, spaces but the plain one, and marks piled on marks. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|(?<=\p{M}{2})\p{M}/gu

const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Between isolates, so that the numbers after it stay in their place. */
export const isolated = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text)

/** A whole isolate moves nothing of what stands around it. */
const ISOLATE = /\u2068([^\u2066-\u2069]*)\u2069/u

/** Text of our own, which may hold a name that others chose. */
export const printable = (text: string): string =>
  text
    .split(ISOLATE)
    .map(part => part.replace(HIDDEN, escaped))
    .map((part, index) => (index % 2 === 0 ? part : `\u2068${part}\u2069`))
    .join("")

export interface VisibleText {
  readonly text: string
  /** How many characters were left out at the end. */
  readonly more: number
}

export const visible = (text: string, longest = LONGEST): VisibleText => {
  const characters = Array.from(text)
  const shown = characters.slice(0, longest).join("")
  return {
    text: shown.replace(/["\\]/g, "\\$&").replace(HIDDEN, escaped),
    more: Math.max(0, characters.length - longest)
  }
}

const escapedQuote = (quote: string): string => escaped(quote.replace("\\", ""))

const QUOTES = /\\?(?!')\p{Quotation_Mark}/gu

/** To stand in quotation marks: with no quote of its own. */
export const quotable = (text: string, longest: number): VisibleText => {
  const shown = visible(text, longest)
  return { more: shown.more, text: shown.text.replace(QUOTES, escapedQuote) }
}
