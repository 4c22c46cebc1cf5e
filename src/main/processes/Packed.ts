/** Settings as they go from one process to another of the same service: secrets unwrapped on the way alone. */
import { Redacted } from "effect"

const SECRET = "\u0000secret"

const isSecret = (value: object): value is Readonly<Record<typeof SECRET, unknown>> => SECRET in value

const eachMember = (value: object, change: (member: unknown) => unknown): object =>
  Array.isArray(value)
    ? value.map(change)
    : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]))

export const packed = (value: unknown): unknown => {
  if (Redacted.isRedacted(value)) return { [SECRET]: packed(Redacted.value(value)) }
  return typeof value === "object" && value !== null ? eachMember(value, packed) : value
}

export const unpacked = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  return isSecret(value) ? Redacted.make(unpacked(value[SECRET])) : eachMember(value, unpacked)
}
