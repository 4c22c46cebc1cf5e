/** Files of this repository and documents made from them. */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import type { Category, ReferenceDocument } from "../../src/references/Reference.ts"

export const REPOSITORY = "signed-request-service"
export const LICENSE = "LicenseRef-UNLICENSED"

export interface OwnFile {
  readonly path: string
  readonly text: string
  readonly sha256: string
}

export const readOwn = async (path: string): Promise<OwnFile> => {
  const text = await readFile(path, "utf8")
  return { path, text, sha256: createHash("sha256").update(text).digest("hex") }
}

export const documentOf = (
  category: Category,
  name: string,
  title: string,
  text: string,
  { path, sha256 }: OwnFile
): ReferenceDocument => ({
  id: `${category}/${name}`,
  title,
  category,
  uri: `reference:${category}/${name}`,
  characters: text.length,
  source: { repository: REPOSITORY, path, commit: null, fileSha256: sha256, license: LICENSE },
  text
})
