/** Reads JSON arguments strictly by their ABI types, naming the path and the expectation of the first misfit. */
import { Either, Schema } from "effect"
import type { AbiParameter } from "../catalog/Abi.ts"
import { isNamedTuple, MAXIMUM_ARRAY_ITEMS } from "../catalog/MethodSchemas.ts"
import { Address } from "../values/Scalars.ts"
import { type AbiShape, highestInteger, lowestInteger, shapeOf } from "./AbiTypes.ts"
import { AbiArgumentInvalid } from "./refusals.ts"

export interface ArgumentLimits {
  readonly nodes: number
  readonly depth: number
  readonly bytes: number
  readonly items: number
}

const OF_CALLERS: ArgumentLimits = { nodes: 4096, depth: 16, bytes: 131_072, items: MAXIMUM_ARRAY_ITEMS }

type Read<A = unknown> = Either.Either<A, AbiArgumentInvalid>

const misfit = (path: string, expected: string): Read<never> =>
  Either.left(new AbiArgumentInvalid({ detail: `${path} must be ${expected}.`, context: { path, expected } }))

/** Stops at the first misfit. */
const readEach = <A>(
  items: ReadonlyArray<A>,
  read: (item: A, index: number) => Read
): Read<ReadonlyArray<unknown>> => {
  const values: Array<unknown> = []
  for (const [index, item] of items.entries()) {
    const value = read(item, index)
    if (Either.isLeft(value)) return Either.left(value.left)
    values.push(value.right)
  }
  return Either.right(values)
}

/** What one argument list may still spend. */
class Allowance {
  readonly limits: ArgumentLimits
  private nodes = 0
  private bytes = 0

  constructor(limits: ArgumentLimits) {
    this.limits = limits
  }

  takesNode(): boolean {
    this.nodes += 1
    return this.nodes <= this.limits.nodes
  }

  takesBytes(count: number): boolean {
    this.bytes += count
    return this.bytes <= this.limits.bytes
  }
}

const CANONICAL_INTEGER = /^(?:0|-?[1-9][0-9]{0,77})$/

const readInteger = (value: unknown, path: string, signed: boolean, bits: number): Read<bigint> => {
  const low = lowestInteger(signed, bits)
  const high = highestInteger(signed, bits)
  const expected = `a canonical decimal string from ${low} to ${high}`
  if (typeof value !== "string" || !CANONICAL_INTEGER.test(value)) return misfit(path, expected)
  const integer = BigInt(value)
  return integer < low || integer > high ? misfit(path, expected) : Either.right(integer)
}

const HEX = /^0x(?:[0-9a-fA-F]{2})*$/

const readBytes = (
  value: unknown,
  path: string,
  length: number | undefined,
  allowance: Allowance
): Read<string> => {
  const expected =
    length === undefined ? "hexadecimal bytes with 0x" : `exactly ${length} hexadecimal bytes with 0x`
  if (typeof value !== "string" || !HEX.test(value)) return misfit(path, expected)
  const size = (value.length - 2) / 2
  if (length !== undefined && size !== length) return misfit(path, expected)
  if (!allowance.takesBytes(size))
    return misfit(path, `within ${allowance.limits.bytes} bytes of text and bytes in all`)
  return Either.right(value.toLowerCase())
}

const LONE_SURROGATE = /\p{Surrogate}/u

const readText = (value: unknown, path: string, allowance: Allowance): Read<string> => {
  if (typeof value !== "string" || LONE_SURROGATE.test(value)) return misfit(path, "well-formed text")
  return allowance.takesBytes(Buffer.byteLength(value))
    ? Either.right(value)
    : misfit(path, `within ${allowance.limits.bytes} bytes of text and bytes in all`)
}

const decodeAddress = Schema.decodeUnknownEither(Address)

const readAddress = (value: unknown, path: string): Read<string> =>
  Either.orElse(decodeAddress(value), () =>
    misfit(path, "an address of 40 hexadecimal digits with 0x and, in mixed case, a right checksum")
  )

const readArray = (
  value: unknown,
  path: string,
  { item, length }: Extract<AbiShape, { _tag: "Array" }>,
  depth: number,
  allowance: Allowance
): Read => {
  if (!Array.isArray(value)) return misfit(path, "an array")
  if (length !== undefined && value.length !== length)
    return misfit(path, `an array of exactly ${length} items`)
  if (value.length > allowance.limits.items)
    return misfit(path, `an array of at most ${allowance.limits.items} items`)
  return readEach(value, (member, index) =>
    readValue(item, member, `${path}[${index}]`, depth + 1, allowance)
  )
}

const readTuple = (
  value: unknown,
  path: string,
  components: ReadonlyArray<AbiParameter>,
  depth: number,
  allowance: Allowance
): Read => {
  const names = components.map(({ name }) => name)
  const named = isNamedTuple(components)
  const expected = named
    ? `an object with exactly ${names.join(", ")} or an array of their ${names.length} values`
    : `an array of exactly ${names.length} values`
  if (Array.isArray(value)) {
    if (value.length !== names.length) return misfit(path, expected)
    return readEach(components, (component, index) =>
      readValue(component, value[index], `${path}[${index}]`, depth + 1, allowance)
    )
  }
  if (!named || typeof value !== "object" || value === null) return misfit(path, expected)
  const members = new Map<string, unknown>(Object.entries(value))
  if (members.size !== names.length || !names.every(name => members.has(name))) return misfit(path, expected)
  return readEach(components, component =>
    readValue(component, members.get(component.name), `${path}.${component.name}`, depth + 1, allowance)
  )
}

const readValue = (
  parameter: AbiParameter,
  value: unknown,
  path: string,
  depth: number,
  allowance: Allowance
): Read => {
  if (!allowance.takesNode()) return misfit(path, `within ${allowance.limits.nodes} values in all`)
  const { limits } = allowance
  if (depth > limits.depth) return misfit(path, `nested at most ${limits.depth} deep`)
  const shape = shapeOf(parameter)
  switch (shape._tag) {
    case "Array":
      return readArray(value, path, shape, depth, allowance)
    case "Tuple":
      return readTuple(value, path, shape.components, depth, allowance)
    case "Integer":
      return readInteger(value, path, shape.signed, shape.bits)
    case "Bytes":
      return readBytes(value, path, shape.length, allowance)
    case "Text":
      return readText(value, path, allowance)
    case "Address":
      return readAddress(value, path)
    case "Bool":
      return typeof value === "boolean" ? Either.right(value) : misfit(path, "a JSON boolean")
    case "Unencodable":
      return misfit(path, `of a type with an ABI encoding, which ${parameter.type} is not`)
  }
}

/** Integers become big integers, tuples positional arrays. */
export const readArguments = (
  parameters: ReadonlyArray<AbiParameter>,
  values: unknown,
  limits = OF_CALLERS
): Read<ReadonlyArray<unknown>> => {
  const count = parameters.length
  if (!Array.isArray(values) || values.length !== count) {
    return misfit("args", `an array of exactly ${count} ${count === 1 ? "argument" : "arguments"}`)
  }
  const allowance = new Allowance(limits)
  return readEach(parameters, (parameter, index) =>
    readValue(parameter, values[index], `args[${index}]`, 1, allowance)
  )
}
