import type { AbiParameter } from "../../../src/catalog/Abi.ts"
import { OTHER } from "./Receipts.ts"

const FIXED = /\[[0-9]+\]$/
const BITS = /^u?int([0-9]+)$/

/** An empty list has no other of the same type that is known here. */
const anotherList = (parameter: AbiParameter, values: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const [first, ...rest] = values
  if (first === undefined) return values
  if (!FIXED.test(parameter.type)) return [...values, first]
  return [another({ ...parameter, type: parameter.type.replace(FIXED, "") }, first), ...rest]
}

const FIXED_BYTES = /^bytes(\d+)$/

const anotherInteger = (type: string, value: bigint): bigint => {
  const bits = BigInt(BITS.exec(type)?.[1] ?? 256)
  return value + 1n < 1n << bits ? value + 1n : value - 1n
}

/** Another value of a type without parts. */
export const anotherLeaf = (type: string, value: unknown): unknown => {
  if (typeof value === "boolean") return !value
  if (type === "address") return value === OTHER ? `0x${"5".repeat(40)}` : OTHER
  if (type === "string") return `${value}!`
  if (type === "bytes") return `${value}ff`
  const [, bytes] = FIXED_BYTES.exec(type) ?? []
  if (bytes !== undefined) return `0x${"88".repeat(Number(bytes))}`
  return String(anotherInteger(type, BigInt(String(value))))
}

/** Another value of the same type. */
export const another = (parameter: AbiParameter, value: unknown): unknown => {
  const { type, components = [] } = parameter
  if (Array.isArray(value)) return anotherList(parameter, value)
  if (typeof value === "object" && value !== null) {
    const [first] = components
    const [name = "", member] = Object.entries(value)[0] ?? []
    return first === undefined ? value : { ...value, [name]: another(first, member) }
  }
  return anotherLeaf(type, value)
}
