/** Example values of the API's schemas, made from the schemas themselves. */
import { Predicate } from "effect"
import type { SchemaObject } from "./Document.ts"

export const SAMPLE = {
  uuid: "8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42",
  address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  bytes32: `0x${"3d".repeat(32)}`,
  accountId: "eip155:31337:0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
  unixSeconds: 1_760_000_000,
  unixMillis: 1_760_000_000_000
} as const

/** Named schemas whose values only look right with care. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  Address: SAMPLE.address,
  AccountId: SAMPLE.accountId,
  ChainId: 31337,
  GrantId: SAMPLE.uuid,
  PlanId: SAMPLE.uuid,
  IntentId: SAMPLE.uuid,
  Bytes32: SAMPLE.bytes32,
  Sha256: "3d".repeat(32),
  Hex: "0x3d",
  ReviewState: "PT09".repeat(10).padEnd(43, "PT0"),
  CredentialId: "PT09PT09",
  Uint256: "1000000000000000000",
  PositiveUint256: "1",
  UnixSeconds: SAMPLE.unixSeconds,
  UnixMillis: SAMPLE.unixMillis
}

/** Patterned strings without a name. */
const BY_PATTERN: Readonly<Record<string, string>> = {
  "^-?[0-9]+$": "1",
  "^0x[0-9a-fA-F]{40}$": SAMPLE.address,
  "^0x[0-9a-fA-F]{130}$": `0x${"3d".repeat(65)}`,
  "^0x[0-9a-fA-F]+$": "0x02f8",
  "^0x[0-9a-fA-F]{8}(?:[0-9a-fA-F]{2})*$": "0xd0e30db0",
  "^0x(?:[0-9a-fA-F]{128}|[0-9a-fA-F]{130})$": `0x${"3d".repeat(65)}`,
  "^[a-z0-9.-]{1,80}\\/[A-Za-z0-9._-]{1,32}$": "app.example/1",
  "^(?:0|[1-9][0-9]{0,6})$": "20",
  "^0x[0-9a-f]{64}$": SAMPLE.bytes32,
  "^[0-9a-f]{64}$": "3d".repeat(32),
  "^(https|ipfs)://": "https://images.example/avatar.png"
}

const COMPONENT = "#/components/schemas/"
const DEPTH = 12

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export class Samples {
  private readonly definition: (name: string) => SchemaObject

  constructor(definition: (name: string) => SchemaObject) {
    this.definition = definition
  }

  of(schema: unknown, depth = 0, name = ""): unknown {
    if (!Predicate.isRecord(schema)) return name === "" ? "text" : name
    if (typeof schema.$ref === "string") return this.referred(schema.$ref.slice(COMPONENT.length), depth)
    if ("default" in schema) return schema.default
    if (list(schema.enum).length > 0) return list(schema.enum)[0]
    if (Array.isArray(schema.allOf)) return this.of(schema.allOf[0], depth, name)
    if (Array.isArray(schema.anyOf)) return this.of(this.simplest(schema.anyOf, depth), depth, name)
    if (schema.type === "object") return this.object(schema, depth)
    if (schema.type === "array") return this.array(schema, depth)
    return scalar(schema, name)
  }

  private referred(component: string, depth: number): unknown {
    return component in BY_NAME ? BY_NAME[component] : this.of(this.definition(component), depth + 1, "")
  }

  /** The first alternative, or where recursion has gone deep the one that ends it. */
  private simplest(alternatives: ReadonlyArray<unknown>, depth: number): unknown {
    const ending = alternatives.find(item => Predicate.isRecord(item) && item.type === "null")
    return depth > DEPTH && ending !== undefined ? ending : alternatives[0]
  }

  private object(schema: SchemaObject, depth: number): unknown {
    const required = list(schema.required)
    const members = Object.entries(Predicate.isRecord(schema.properties) ? schema.properties : {})
    return Object.fromEntries(
      members
        .filter(([name]) => required.includes(name))
        .map(([name, member]) => [name, this.of(member, depth + 1, name)])
    )
  }

  private array(schema: SchemaObject, depth: number): unknown {
    const fixed = list(schema.prefixItems).map(item => this.of(item, depth + 1))
    if (fixed.length > 0 || !Predicate.isRecord(schema.items) || schema.maxItems === 0) return fixed
    const least = typeof schema.minItems === "number" ? schema.minItems : 0
    if (depth > DEPTH && least === 0) return []
    return Array.from({ length: Math.max(1, least) }, () => this.of(schema.items, depth + 1))
  }
}

const fitting = (pattern: string) =>
  ["1", SAMPLE.uuid, SAMPLE.bytes32, "0xd0e30db0"].find(text => new RegExp(pattern).test(text)) ?? ""

const scalar = (schema: SchemaObject, name: string): unknown => {
  if (schema.type === "integer" || schema.type === "number")
    return typeof schema.minimum === "number" ? schema.minimum : 1
  if (schema.type === "boolean") return false
  if (schema.type === "null") return null
  if (typeof schema.pattern === "string") return BY_PATTERN[schema.pattern] ?? fitting(schema.pattern)
  return name === "" ? "text" : name
}
