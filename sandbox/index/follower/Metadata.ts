/** A project's metadata, where its URI holds it: nothing is fetched from outside. */
import type { Row } from "../Cursors.ts"

const DATA_URI = /^data:application\/json(?:;charset=[\w-]+)?(?<base64>;base64)?,(?<content>.*)$/s

const TEXTS = [
  "name",
  "description",
  "logoUri",
  "infoUri",
  "coverImageUri",
  "twitter",
  "discord",
  "telegram",
  "farcaster",
  "projectTagline",
  "payDisclosure",
  "domain"
]

const contentOf = (uri: string): string | undefined => {
  const { base64, content } = DATA_URI.exec(uri)?.groups ?? {}
  if (content === undefined) return undefined
  return base64 === undefined ? decodeURIComponent(content) : Buffer.from(content, "base64").toString("utf8")
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The database reads JSON no deeper than its stack. */
const MOST_LEVELS = 1_000

const isShallow = (value: unknown, levels = MOST_LEVELS): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every(inner => isShallow(inner, levels - 1)))

export const metadataIn = (uri: string): Readonly<Record<string, unknown>> | null => {
  try {
    const parsed: unknown = JSON.parse(contentOf(uri) ?? "null")
    return isObject(parsed) && isShallow(parsed) ? parsed : null
  } catch {
    return null
  }
}

const textsOf = (value: unknown): ReadonlyArray<string> | null =>
  Array.isArray(value) ? value.filter(item => typeof item === "string") : null

/** The project's columns that come from its metadata; all null when there is none. */
export const metadataColumns = (uri: string): Row => {
  const metadata = metadataIn(uri)
  const texts = TEXTS.map(name => [name, typeof metadata?.[name] === "string" ? metadata[name] : null])
  return { ...Object.fromEntries(texts), metadata, tags: textsOf(metadata?.tags) }
}
