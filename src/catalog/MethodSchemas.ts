/** JSON Schema 2020-12 for the positional arguments and results of a method. */
import { type AbiParameter, canonicalType } from "./Abi.ts"
import { integerPattern } from "./IntegerPattern.ts"

interface JsonSchema {
  readonly [keyword: string]: unknown
}

type Direction = "input" | "output"

export const MAXIMUM_ARRAY_ITEMS = 1024

/** Tuples are stated once each, so that nesting does not multiply the size of a schema. */
class Definitions {
  readonly direction: Direction
  readonly schemas: Record<string, JsonSchema> = {}
  private readonly names = new Map<string, string>()

  constructor(direction: Direction) {
    this.direction = direction
  }

  reference(tuple: AbiParameter): JsonSchema {
    const identity = JSON.stringify(tuple.components)
    const known = this.names.get(identity)
    const name = known ?? this.freshName(tuple)
    if (known === undefined) {
      this.names.set(identity, name)
      this.schemas[name] = tupleSchema(tuple.components ?? [], this)
    }
    return { $ref: `#/$defs/${name}` }
  }

  private freshName(tuple: AbiParameter): string {
    const base = (tuple.internalType ?? "")
      .replace(/^struct /, "")
      .replace(/\[.*$/, "")
      .replace(/\W/g, "_")
    const taken = new Set(this.names.values())
    let name = base === "" ? "tuple" : base
    for (let n = 2; taken.has(name); n++) name = `${base === "" ? "tuple" : base}_${n}`
    return name
  }
}

const INTEGER = /^(u?)int([0-9]+)$/
const FIXED_BYTES = /^bytes([0-9]+)$/

const hexPattern = (repeat: string, direction: Direction): JsonSchema => ({
  type: "string",
  pattern: `^0x(?:[0-9a-f${direction === "input" ? "A-F" : ""}]{2})${repeat}$`
})

const scalarSchema = (type: string, direction: Direction): JsonSchema => {
  const integer = INTEGER.exec(type)
  if (integer !== null)
    return { type: "string", pattern: integerPattern(integer[1] === "", Number(integer[2])) }
  const fixed = FIXED_BYTES.exec(type)
  if (fixed !== null) return hexPattern(`{${fixed[1]}}`, direction)
  if (type === "address") return { type: "string", pattern: "^0x[0-9a-fA-F]{40}$" }
  if (type === "bool") return { type: "boolean" }
  if (type === "string") return { type: "string" }
  if (type === "bytes") return hexPattern("*", direction)
  if (type === "function") return hexPattern("{24}", direction)
  return { description: `The source-level type ${type} has no ABI encoding.` }
}

const ARRAY = /^(.*)\[([0-9]*)\]$/

const typeSchema = (parameter: AbiParameter, type: string, definitions: Definitions): JsonSchema => {
  const array = ARRAY.exec(type)
  if (array === null) {
    return type === "tuple" ? definitions.reference(parameter) : scalarSchema(type, definitions.direction)
  }
  const [, inner = "", length = ""] = array
  const items = typeSchema(parameter, inner, definitions)
  if (length !== "") return { type: "array", items, minItems: Number(length), maxItems: Number(length) }
  return definitions.direction === "input"
    ? { type: "array", items, maxItems: MAXIMUM_ARRAY_ITEMS }
    : { type: "array", items }
}

const valueSchema = (parameter: AbiParameter, definitions: Definitions): JsonSchema => ({
  ...(parameter.name === "" ? {} : { title: parameter.name }),
  ...typeSchema(parameter, parameter.type, definitions)
})

const positional = (parameters: ReadonlyArray<AbiParameter>, definitions: Definitions): JsonSchema => ({
  type: "array",
  ...(parameters.length === 0
    ? {}
    : { prefixItems: parameters.map(parameter => valueSchema(parameter, definitions)) }),
  items: false,
  minItems: parameters.length,
  maxItems: parameters.length
})

/** A tuple can be an object only where every component has a name of its own. */
export const isNamedTuple = (components: ReadonlyArray<AbiParameter>): boolean =>
  components.length > 0 &&
  components.every(component => component.name !== "") &&
  new Set(components.map(component => component.name)).size === components.length

const tupleSchema = (components: ReadonlyArray<AbiParameter>, definitions: Definitions): JsonSchema => {
  if (!isNamedTuple(components)) return positional(components, definitions)
  const object = {
    type: "object",
    properties: Object.fromEntries(
      components.map(component => [component.name, valueSchema(component, definitions)])
    ),
    required: components.map(component => component.name),
    additionalProperties: false
  }
  return definitions.direction === "output"
    ? object
    : { anyOf: [object, positional(components, definitions)] }
}

export const methodSchema = (parameters: ReadonlyArray<AbiParameter>, direction: Direction): JsonSchema => {
  const definitions = new Definitions(direction)
  const schema = positional(parameters, definitions)
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    description: `(${parameters.map(canonicalType).join(",")})`,
    ...schema,
    ...(Object.keys(definitions.schemas).length === 0 ? {} : { $defs: definitions.schemas })
  }
}
