/** Where the package's own data lies, from source and from a bundle alike, and what it says of itself. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const rootAbove = (directory: string): string => {
  if (existsSync(join(directory, "package.json"))) return directory
  const parent = dirname(directory)
  return parent === directory ? directory : rootAbove(parent)
}

export const packageRoot = rootAbove(dirname(fileURLToPath(import.meta.url)))

export const packageVersion = (): string =>
  String(Object(JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"))).version)
