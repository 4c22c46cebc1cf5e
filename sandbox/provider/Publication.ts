/** What is asked of the provider, read strictly. */
import { type Address, type Hex, isAddress, isHex, size } from "viem"
import { type Execution, executionOf } from "./Forwarder.ts"

export const CHAIN_ID = 31_337

const MAXIMUM_TRANSACTIONS = 32
const MAXIMUM_DATA_BYTES = 65_536
const MAXIMUM_GAS = 10_000_000n
const MAXIMUM_VALUE = 10n ** 18n
const DECIMAL = /^(?:0|[1-9][0-9]{0,77})$/

/** Its names are the provider's. */
export interface ProviderRequest {
  readonly chain: number
  readonly target: Address
  readonly data: Hex
  readonly value: string
  readonly virtual_nonce: number
}

export interface Published {
  readonly request: ProviderRequest
  readonly execution: Execution
}

export class BadRequest extends Error {}

const fail = (message: string): never => {
  throw new BadRequest(message)
}

type Members = Readonly<Record<string, unknown>>

/** An object of exactly these members; those with a question mark may be absent. */
export const membersOf = (value: unknown, name: string, expected: ReadonlyArray<string>): Members => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return fail(`${name} is not an object`)
  const required = expected.filter(member => !member.endsWith("?"))
  const known = new Set(expected.map(member => member.replace("?", "")))
  for (const member of required) if (!Object.hasOwn(value, member)) fail(`${name} lacks ${member}`)
  for (const member of Object.keys(value)) if (!known.has(member)) fail(`${name} has another member`)
  return Object.fromEntries(Object.entries(value))
}

const executed = (data: Hex): Execution => {
  try {
    return executionOf(data)
  } catch {
    return fail("data is not exactly a call of execute")
  }
}

const publishedOf = (value: unknown, index: number): Published => {
  const { chain, target, data, virtual_nonce, ...rest } = membersOf(value, `transaction ${index}`, [
    "chain",
    "target",
    "data",
    "value",
    "virtual_nonce"
  ])
  if (chain !== CHAIN_ID) return fail(`chain is not ${CHAIN_ID}`)
  if (typeof target !== "string" || !isAddress(target)) return fail("target is not an address")
  if (!isHex(data) || data !== data.toLowerCase() || data.length % 2 !== 0 || size(data) > MAXIMUM_DATA_BYTES)
    return fail("data is not lower-case hexadecimal, or too long")
  if (typeof rest.value !== "string" || !DECIMAL.test(rest.value)) return fail("value is not a decimal text")
  if (virtual_nonce !== index) return fail("virtual_nonce is not the index within its chain")
  const execution = executed(data)
  if (execution.value !== BigInt(rest.value)) fail("value is not the request's")
  if (execution.value > MAXIMUM_VALUE || execution.gas > MAXIMUM_GAS) fail("value or gas is too large")
  return { request: { chain, target, data, value: rest.value, virtual_nonce }, execution }
}

export const readPublication = (body: unknown): ReadonlyArray<Published> => {
  const { transactions, virtual_nonce_mode } = membersOf(body, "the body", [
    "transactions",
    "virtual_nonce_mode"
  ])
  if (virtual_nonce_mode !== "ChainIndependent") return fail("virtual_nonce_mode is not ChainIndependent")
  if (!Array.isArray(transactions)) return fail("transactions is not an array")
  if (transactions.length < 1 || transactions.length > MAXIMUM_TRANSACTIONS)
    return fail(`transactions are not 1 to ${MAXIMUM_TRANSACTIONS}`)
  return transactions.map(publishedOf)
}
