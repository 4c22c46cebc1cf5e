/** Canonical JSON for hashes: keys by UTF-16 code unit, undefined members dropped, big integers as decimal strings, anything else an error. */
export class NotCanonical extends Error {
  override readonly name = "NotCanonical"
}

const scalar = (value: unknown): string => {
  if (value === null || typeof value === "boolean") return String(value)
  if (typeof value === "bigint") return `"${value}"`
  if (typeof value === "string") return JSON.stringify(value)
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value)
  throw new NotCanonical(`a ${typeof value} has no canonical JSON form`)
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const members = (value: object): string =>
  Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
    .join(",")

export const canonicalJson = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return scalar(value)
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(",")}]`
  if (!isPlain(value)) throw new NotCanonical("only plain objects have a canonical JSON form")
  return `{${members(value)}}`
}
