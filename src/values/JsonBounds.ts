/** How deep and how large a JSON text is, counted before anything is built of it. */
export interface JsonBounds {
  /** Objects and arrays within one another. */
  readonly depth: number
  /** Values of every kind. */
  readonly nodes: number
}

export const SPACE = 0x20
export const QUOTE = 0x22
export const COMMA = 0x2c
const BACKSLASH = 0x5c

const isOpening = (unit: number): boolean => unit === 0x5b || unit === 0x7b
export const isClosing = (unit: number): boolean => unit === 0x5d || unit === 0x7d

/** Where the quotation mark is that ends the string. */
export const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === BACKSLASH) at++
    else if (unit === QUOTE) return at
  }
  return text.length
}

/** Exact for JSON; of what is none it counts what looks alike, and is done as soon. */
export const exceeds = (text: string, bounds: JsonBounds): boolean => {
  let depth = 0
  let nodes = 1
  let isOpened = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit <= SPACE) continue
    const closes = isClosing(unit)
    if (unit === COMMA || (isOpened && !closes)) nodes++
    isOpened = isOpening(unit)
    if (isOpened) depth++
    else if (closes) depth--
    else if (unit === QUOTE) at = endOfString(text, at)
    if (depth > bounds.depth || nodes > bounds.nodes) return true
  }
  return false
}
