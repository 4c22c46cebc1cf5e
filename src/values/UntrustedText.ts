/** Text that others wrote, in a form that shows every character and can neither reorder nor hide what stands around it. */
const LONGEST = 280

/** Controls, formats, surrogates, private use, unassigned, line ends, invisible letters, spaces but the plain one, and marks piled on marks. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|(?<=\p{M}{2})\p{M}/gu

export const escaped = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`

/** Text of our own, which may hold a name that others chose. */
export const printable = (text: string): string => text.replace(HIDDEN, escaped)

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
