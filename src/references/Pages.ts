/** Parts of texts in UTF-16 code units that never end within a character. */
const isSplit = (text: string, at: number): boolean =>
  at > 0 &&
  at < text.length &&
  /[\udc00-\udfff]/.test(text.charAt(at)) &&
  /[\ud800-\udbff]/.test(text.charAt(at - 1))

export interface TextPage {
  readonly text: string
  readonly offset: number
  readonly totalCharacters: number
  readonly nextOffset: number | null
  readonly paginationUnit: "UTF-16 code units"
}

/** Starts a character earlier where the offset is within it, and ends one earlier or, to get on, later. */
const boundsOf = (text: string, offset: number, limit: number): readonly [number, number] => {
  const start = Math.min(isSplit(text, offset) ? offset - 1 : offset, text.length)
  const end = Math.min(start + limit, text.length)
  if (!isSplit(text, end)) return [start, end]
  return [start, end - 1 > start ? end - 1 : end + 1]
}

export const textPage = (text: string, offset: number, limit: number): TextPage => {
  const [start, end] = boundsOf(text, offset, limit)
  return {
    text: text.slice(start, end),
    offset: start,
    totalCharacters: text.length,
    nextOffset: end < text.length ? end : null,
    paginationUnit: "UTF-16 code units"
  }
}
