/** Follows the description's references, all of which lead into itself; Swagger UI's own resolver reads all of it again for each operation that is opened. */

type Json = unknown

const isKeyed = (node: Json): node is Readonly<Record<string, Json>> =>
  typeof node === "object" && node !== null && !Array.isArray(node)

const within = (document: Json, path: ReadonlyArray<string>): Json =>
  path.reduce(
    (node, key) => (Array.isArray(node) ? node[Number(key)] : isKeyed(node) ? node[key] : undefined),
    document
  )

const LOCAL = "#/"

/** RFC 6901, in a fragment. */
const pathOf = (reference: string): ReadonlyArray<string> =>
  decodeURIComponent(reference.slice(LOCAL.length))
    .split("/")
    .map(key => key.replaceAll("~1", "/").replaceAll("~0", "~"))

/** What leads back to where it is part of stays a reference. */
const followed = (document: Json, node: Json, taken: ReadonlyArray<string>): Json => {
  if (Array.isArray(node)) return node.map(each => followed(document, each, taken))
  if (!isKeyed(node)) return node
  const { $ref, ...beside } = node
  const own = Object.fromEntries(
    Object.entries(beside).map(([key, each]) => [key, followed(document, each, taken)])
  )
  if (typeof $ref !== "string") return $ref === undefined ? own : { $ref, ...own }
  if (!$ref.startsWith(LOCAL) || taken.includes($ref)) return { $ref, ...own }
  const target = followed(document, within(document, pathOf($ref)), [...taken, $ref])
  return isKeyed(target) ? { ...target, ...own, $$ref: $ref } : { $ref, ...own }
}

export const resolveSubtree = async (document: Json, path: ReadonlyArray<string>) => ({
  errors: [],
  spec: followed(document, within(document, path), []) ?? null
})
