/** Where the package's own data lies, from source and from a bundle alike. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const rootAbove = (directory: string): string => {
  if (existsSync(join(directory, "package.json"))) return directory
  const parent = dirname(directory)
  return parent === directory ? directory : rootAbove(parent)
}

export const packageRoot = rootAbove(dirname(fileURLToPath(import.meta.url)))
