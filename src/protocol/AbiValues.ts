/** Calldata from strict JSON arguments, and JSON values from returned data: lossless both ways or a typed failure. */
import { Data, Either } from "effect"
import { decodeAbiParameters, encodeAbiParameters } from "viem"
import { type AbiParameter, canonicalType } from "../catalog/Abi.ts"
import { isNamedTuple } from "../catalog/MethodSchemas.ts"
import { checksummed } from "../values/Checksum.ts"
import type { Hex } from "../values/Scalars.ts"
import { type ArgumentLimits, readArguments } from "./AbiArguments.ts"
import { highestInteger, lowestInteger, shapeOf } from "./AbiTypes.ts"
import type { AbiArgumentInvalid } from "./refusals.ts"

export class AbiDataMalformed extends Data.TaggedError("AbiDataMalformed")<{ readonly type: string }> {}

type Decoded<A = unknown> = Either.Either<A, AbiDataMalformed>

const malformed = (type: string) => Either.left(new AbiDataMalformed({ type }))

/** Whole words and raw bytes, so that no stray bit is dropped before it is judged here. */
const widened = (parameter: AbiParameter): AbiParameter => {
  const shape = shapeOf(parameter)
  switch (shape._tag) {
    case "Array": {
      const { type, components } = widened(shape.item)
      return {
        name: "",
        type: `${type}[${shape.length ?? ""}]`,
        ...(components === undefined ? {} : { components })
      }
    }
    case "Tuple":
      return { name: "", type: "tuple", components: shape.components.map(widened) }
    case "Integer":
      return { name: "", type: shape.signed ? "int256" : "uint256" }
    case "Bytes":
      return { name: "", type: shape.length === undefined ? "bytes" : "bytes32" }
    case "Text":
      return { name: "", type: "bytes" }
    default:
      return { name: "", type: "uint256" }
  }
}

const integerText = (value: bigint, signed: boolean, bits: number): Decoded<string> =>
  value < lowestInteger(signed, bits) || value > highestInteger(signed, bits)
    ? malformed(`${signed ? "int" : "uint"}${bits}`)
    : Either.right(value.toString())

const ADDRESS_LIMIT = 1n << 160n

const fixedBytes = (word: string, length: number): Decoded<string> => {
  const end = 2 + length * 2
  return /^0*$/.test(word.slice(end)) ? Either.right(word.slice(0, end)) : malformed(`bytes${length}`)
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const text = (hex: string): Decoded<string> =>
  Either.try({
    try: () => strictUtf8.decode(Buffer.from(hex.slice(2), "hex")),
    catch: () => new AbiDataMalformed({ type: "string" })
  })

const wordValue = (parameter: AbiParameter, word: bigint): Decoded => {
  const shape = shapeOf(parameter)
  if (shape._tag === "Integer") return integerText(word, shape.signed, shape.bits)
  if (shape._tag === "Bool" && word <= 1n) return Either.right(word === 1n)
  if (shape._tag === "Address" && word < ADDRESS_LIMIT) {
    return Either.right(checksummed(`0x${word.toString(16).padStart(40, "0")}`))
  }
  return malformed(parameter.type)
}

const bytesValue = (parameter: AbiParameter, hex: string): Decoded => {
  const shape = shapeOf(parameter)
  if (shape._tag === "Text") return text(hex)
  if (shape._tag !== "Bytes") return malformed(parameter.type)
  return shape.length === undefined ? Either.right(hex) : fixedBytes(hex, shape.length)
}

const listValue = (parameter: AbiParameter, items: ReadonlyArray<unknown>): Decoded => {
  const shape = shapeOf(parameter)
  if (shape._tag === "Array") return Either.all(items.map(item => jsonValue(shape.item, item)))
  if (shape._tag !== "Tuple") return malformed(parameter.type)
  const values = Either.all(shape.components.map((component, index) => jsonValue(component, items[index])))
  if (!isNamedTuple(shape.components)) return values
  return Either.map(values, members =>
    Object.fromEntries(shape.components.map(({ name }, index) => [name, members[index]]))
  )
}

const jsonValue = (parameter: AbiParameter, raw: unknown): Decoded => {
  if (typeof raw === "bigint") return wordValue(parameter, raw)
  if (typeof raw === "string") return bytesValue(parameter, raw)
  return Array.isArray(raw) ? listValue(parameter, raw) : malformed(parameter.type)
}

const typesOf = (parameters: ReadonlyArray<AbiParameter>) => `(${parameters.map(canonicalType).join(",")})`

/** Integers as decimal strings, addresses checksummed, tuples as objects where every component is named. */
export const decodeValues = (
  parameters: ReadonlyArray<AbiParameter>,
  data: Hex
): Decoded<ReadonlyArray<unknown>> => {
  if (parameters.length === 0) return Either.right([])
  const raw = Either.try({
    try: (): ReadonlyArray<unknown> => decodeAbiParameters(parameters.map(widened), data),
    catch: () => new AbiDataMalformed({ type: typesOf(parameters) })
  })
  return Either.flatMap(raw, values =>
    Either.all(parameters.map((parameter, index) => jsonValue(parameter, values[index])))
  )
}

export interface NamedValue {
  readonly name: string | null
  readonly type: string
  readonly value: unknown
}

export const decodeNamedValues = (
  parameters: ReadonlyArray<AbiParameter>,
  data: Hex
): Decoded<ReadonlyArray<NamedValue>> =>
  Either.map(decodeValues(parameters, data), values =>
    parameters.map((parameter, index) => ({
      name: parameter.name === "" ? null : parameter.name,
      type: canonicalType(parameter),
      value: values[index]
    }))
  )

/** The ABI encoding of positional JSON arguments, without a selector. */
export const encodeValues = (
  parameters: ReadonlyArray<AbiParameter>,
  args: unknown
): Either.Either<Hex, AbiArgumentInvalid> =>
  Either.map(readArguments(parameters, args), values => encodeAbiParameters(parameters, values))

const NO_LIMIT = Number.POSITIVE_INFINITY

/** Offsets may name the same bytes many times; what is canonical holds no more of them than its data. */
const limitsOf = (data: Hex): ArgumentLimits => ({
  nodes: NO_LIMIT,
  depth: NO_LIMIT,
  bytes: data.length / 2,
  items: NO_LIMIT
})

/** Whether decoded values encode back to the bytes that they were read from, whatever callers may write. */
export const isCanonicalEncoding = (
  parameters: ReadonlyArray<AbiParameter>,
  values: ReadonlyArray<unknown>,
  data: Hex
): boolean => {
  const read = readArguments(parameters, values, limitsOf(data))
  return Either.isRight(read) && encodeAbiParameters(parameters, read.right) === data
}
