/** What an ABI type string says: an array, a tuple or a scalar of some width. */
import type { AbiParameter } from "../catalog/Abi.ts"

export type AbiShape =
  | { readonly _tag: "Array"; readonly item: AbiParameter; readonly length: number | undefined }
  | { readonly _tag: "Tuple"; readonly components: ReadonlyArray<AbiParameter> }
  | { readonly _tag: "Integer"; readonly signed: boolean; readonly bits: number }
  | { readonly _tag: "Bytes"; readonly length: number | undefined }
  | { readonly _tag: "Address" | "Bool" | "Text" | "Unencodable" }

const ARRAY = /^(.*)\[([0-9]*)\]$/
const INTEGER = /^(u?)int([0-9]+)$/
const FIXED_BYTES = /^bytes([0-9]+)$/

export const shapeOf = (parameter: AbiParameter): AbiShape => {
  const { type, components = [] } = parameter
  const array = ARRAY.exec(type)
  if (array !== null) {
    const [, item = "", length = ""] = array
    return {
      _tag: "Array",
      item: { ...parameter, name: "", type: item },
      length: length === "" ? undefined : Number(length)
    }
  }
  const integer = INTEGER.exec(type)
  if (integer !== null) return { _tag: "Integer", signed: integer[1] === "", bits: Number(integer[2]) }
  const fixed = FIXED_BYTES.exec(type)
  if (fixed !== null) return { _tag: "Bytes", length: Number(fixed[1]) }
  if (type === "bytes") return { _tag: "Bytes", length: undefined }
  if (type === "function") return { _tag: "Bytes", length: 24 }
  if (type === "tuple") return { _tag: "Tuple", components }
  if (type === "address") return { _tag: "Address" }
  if (type === "bool") return { _tag: "Bool" }
  if (type === "string") return { _tag: "Text" }
  return { _tag: "Unencodable" }
}

export const lowestInteger = (signed: boolean, bits: number): bigint =>
  signed ? -(1n << BigInt(bits - 1)) : 0n

export const highestInteger = (signed: boolean, bits: number): bigint =>
  (1n << BigInt(signed ? bits - 1 : bits)) - 1n
