/** ABI entries as published, their canonical signatures and the hash that names a variant. */
import { createHash } from "node:crypto"
import { Schema } from "effect"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Hex } from "../values/Scalars.ts"

export interface AbiParameter {
  readonly name: string
  readonly type: string
  readonly internalType?: string
  readonly indexed?: boolean
  readonly components?: ReadonlyArray<AbiParameter>
}

const exact = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

export const AbiParameter: Schema.Schema<AbiParameter> = Schema.Struct({
  name: Schema.String,
  type: Schema.String,
  internalType: exact(Schema.String),
  indexed: exact(Schema.Boolean),
  components: exact(Schema.Array(Schema.suspend(() => AbiParameter)))
}).annotations({ identifier: "AbiParameter", description: "A parameter exactly as the ABI declares it." })

const Parameters = Schema.Array(AbiParameter)

export const StateMutability = Schema.Literal("view", "pure", "nonpayable", "payable")

const AbiFunction = Schema.Struct({
  type: Schema.Literal("function"),
  name: Schema.String,
  inputs: Parameters,
  outputs: Parameters,
  stateMutability: StateMutability
})
export type AbiFunction = typeof AbiFunction.Type

const AbiError = Schema.Struct({
  type: Schema.Literal("error"),
  name: Schema.String,
  inputs: Parameters
})
export type AbiError = typeof AbiError.Type

const AbiOther = Schema.Struct({
  type: Schema.Literal("constructor", "event", "receive", "fallback"),
  name: exact(Schema.String),
  inputs: exact(Parameters),
  anonymous: exact(Schema.Boolean),
  stateMutability: exact(StateMutability)
})

const AbiEntry = Schema.Union(AbiFunction, AbiError, AbiOther).annotations({ identifier: "AbiEntry" })

export const Abi = Schema.Array(AbiEntry)
export type Abi = typeof Abi.Type

const TUPLE = /^tuple((?:\[[0-9]*\])*)$/

export const canonicalType = (parameter: AbiParameter): string => {
  const suffix = TUPLE.exec(parameter.type)?.[1]
  if (suffix === undefined) return parameter.type
  return `(${(parameter.components ?? []).map(canonicalType).join(",")})${suffix}`
}

const signatures = new WeakMap<AbiFunction | AbiError, string>()

/** Made once for as long as an entry is kept. */
export const canonicalSignature = (entry: AbiFunction | AbiError): string => {
  const known = signatures.get(entry)
  if (known !== undefined) return known
  const signature = `${entry.name}(${entry.inputs.map(canonicalType).join(",")})`
  signatures.set(entry, signature)
  return signature
}

const WIDTH = "(?:8|16|24|32|40|48|56|64|72|80|88|96|1[0-9]{2}|2[0-4][0-9]|25[0-6])"
const ENCODABLE = new RegExp(
  `^(?:address|bool|string|function|tuple|bytes(?:[1-9]|[12][0-9]|3[0-2])?|u?int${WIDTH})(?:\\[[0-9]*\\])*$`
)

/** Library ABIs may name source-level types, which have no place in a selector. */
const isEncodable = (parameter: AbiParameter): boolean =>
  ENCODABLE.test(parameter.type) && (parameter.components ?? []).every(isEncodable)

const selectorOf = (signature: string): Hex => `0x${keccak256Utf8(signature).slice(2, 10)}`

export const selectorOfEntry = (entry: AbiFunction | AbiError): Hex | null =>
  entry.inputs.every(isEncodable) ? selectorOf(canonicalSignature(entry)) : null

export const isRead = (entry: AbiFunction): boolean =>
  entry.stateMutability === "view" || entry.stateMutability === "pure"

export const functionsOf = (abi: Abi): ReadonlyArray<AbiFunction> =>
  abi.filter(entry => entry.type === "function")

export const sha256 = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex")

/** Entry order carries no meaning, so the canonical text sorts it away; its SHA-256 is the abiHash. */
export const canonicalAbiText = (abi: ReadonlyArray<unknown>): string =>
  `[${abi.map(canonicalJson).sort().join(",")}]`
