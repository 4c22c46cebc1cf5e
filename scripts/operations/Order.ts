/** The order of publication: what was published stays where it was, and what is new comes last. */
import { existsSync, readFileSync } from "node:fs"

/** `published` finds the names in the file that was written before. */
export const inOrder = (
  names: ReadonlyArray<string>,
  file: string,
  published: RegExp
): ReadonlyArray<string> => {
  const text = existsSync(file) ? readFileSync(file, "utf8") : ""
  const before = new Set([...text.matchAll(published)].map(([, name = ""]) => name))
  return [...[...before].filter(name => names.includes(name)), ...names.filter(name => !before.has(name))]
}
