/** Tables in pages that commands write, each between its marks. */
import { readFileSync, writeFileSync } from "node:fs"

const marks = (name: string) => [`<!-- ${name}: written by its command -->`, `<!-- ${name} ends -->`] as const

const placeOf = (text: string, name: string) => {
  const [opens, closes] = marks(name)
  const from = text.indexOf(opens)
  const to = text.indexOf(closes)
  if (from < 0 || to < from) throw new Error(`the page has no place for ${name}`)
  return { from: from + opens.length, to }
}

export const readTable = (page: string, name: string): string => {
  const text = readFileSync(page, "utf8")
  const { from, to } = placeOf(text, name)
  return text.slice(from, to).trim()
}

export const writeTable = (page: string, name: string, table: string): void => {
  const text = readFileSync(page, "utf8")
  const { from, to } = placeOf(text, name)
  writeFileSync(page, `${text.slice(0, from)}\n\n${table}\n\n${text.slice(to)}`)
}
