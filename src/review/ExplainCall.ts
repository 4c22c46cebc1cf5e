/** What a call's own bytes say, by the catalog's ABI of what is published at its address; the plan's words are only compared with it. */
import { decodeAbiParameters, encodeAbiParameters } from "viem"
import type { AbiParameter } from "../catalog/Abi.ts"
import type { ContractDetail, ContractVariant, MethodRecord } from "../catalog/CatalogSchemas.ts"
import type { Call } from "../plans/Plan.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import type { Tokens } from "./Amounts.ts"
import { isEnable, isInstallation, isOwnFunction } from "./GuardCalls.ts"
import type { Piece, ReviewRow } from "./Words.ts"

type Instance = ContractDetail["deployments"][number]["instances"][number]

export interface ExplainedCall {
  readonly call: Call
  readonly contract: ContractDetail | undefined
  /** Absent where the catalog publishes nothing at the address. */
  readonly instance: Instance | undefined
  /** Absent where no function of the ABI explains the bytes. */
  readonly method: MethodRecord | undefined
  readonly values: ReadonlyArray<unknown>
  /** Where the call creates a wallet. */
  readonly created: ExplainedWallet | undefined
  /** Where the call is to enable a session. */
  readonly enabled: ExplainedEnabling | undefined
  /** Why nothing of the plan may be signed. */
  readonly dangers: ReadonlyArray<string>
}

/** What acts for a wallet besides its owners. */
export interface WalletParts {
  readonly adapter: Address
  readonly launchpad: Address
  readonly adapterDialect: "safe7579-4" | "safe7579-1"
  readonly guard?: Address | undefined
}

/** Its singleton, its initializer and its salt. */
export type CreationArguments = readonly [string, Hex, bigint]

export interface ExplainedWallet {
  /** Absent where its bytes say nothing. */
  readonly clause?: ReadonlyArray<Piece>
  /** Its owners. */
  readonly rowsFor?: (creator: string) => ReadonlyArray<ReviewRow>
  readonly dangers: ReadonlyArray<string>
}

type Read = Pick<ExplainedCall, "contract" | "method" | "values">

export interface ExplainedEnabling {
  /** The tokens whose decimals would make its amounts readable. */
  readonly assets: ReadonlyArray<Address>
  readonly dangers: ReadonlyArray<string>
  readonly rowsFor: (tokens: Tokens) => ReadonlyArray<ReviewRow>
  /** Undefined where its bytes say nothing. */
  readonly clauseFor: (self: string) => ReadonlyArray<Piece> | undefined
}

export interface Contracts {
  readonly get: (id: string) => ContractDetail | undefined
  /** There where a call may create a wallet. */
  readonly createdWallet?: (factory: Address, given: CreationArguments) => ExplainedWallet
  /** There where a call may enable a session. */
  readonly enabledBy?: (contracts: Pick<Contracts, "get">, chainId: number, read: Read) => ExplainedEnabling
}

const SELECTOR_END = 10

const elementOf = ({ type }: AbiParameter): string | undefined => /^(.*)\[[0-9]*\]$/.exec(type)?.[1]

/** The parameter of an array's elements; undefined for what is no array. */
export const itemOf = (parameter: AbiParameter): AbiParameter | undefined => {
  const type = elementOf(parameter)
  return type === undefined ? undefined : { ...parameter, type }
}

/** A tuple's member, whether the tuple came by names or by positions. */
export const memberOf = (tuple: unknown, { name }: AbiParameter, index: number): unknown => {
  if (Array.isArray(tuple)) return tuple[index]
  return typeof tuple === "object" && tuple !== null ? Reflect.get(tuple, name) : undefined
}

export const memberNamed = (
  tuple: unknown,
  parameters: ReadonlyArray<AbiParameter>,
  name: string
): unknown => {
  const index = parameters.findIndex(parameter => parameter.name === name)
  const parameter = parameters[index]
  return parameter === undefined ? undefined : memberOf(tuple, parameter, index)
}

/** One form for what viem decodes and for what the service shows: positional, integers as text, hexadecimal in lower case. */
const comparable = (parameter: AbiParameter, value: unknown): unknown => {
  const item = itemOf(parameter)
  if (item !== undefined) return Array.isArray(value) ? value.map(each => comparable(item, each)) : null
  if (parameter.components !== undefined)
    return parameter.components.map((component, index) =>
      comparable(component, memberOf(value, component, index))
    )
  if (typeof value === "bigint" || typeof value === "number") return String(value)
  return typeof value === "string" && parameter.type !== "string" ? value.toLowerCase() : value
}

const listed = (parameters: ReadonlyArray<AbiParameter>, values: ReadonlyArray<unknown>): string =>
  JSON.stringify([
    values.length,
    ...parameters.map((parameter, index) => comparable(parameter, values[index]))
  ])

const decoded = (method: MethodRecord, data: string): ReadonlyArray<unknown> | undefined => {
  try {
    const values: ReadonlyArray<unknown> = decodeAbiParameters(method.inputs, `0x${data.slice(SELECTOR_END)}`)
    const again = encodeAbiParameters(method.inputs, values)
    return again.slice(2) === data.slice(SELECTOR_END) ? values : undefined
  } catch {
    return undefined
  }
}

const instanceAt = (contract: ContractDetail | undefined, { chainId, to }: Call): Instance | undefined =>
  contract?.deployments
    .find(deployment => deployment.chainId === chainId)
    ?.instances.find(({ address }) => address.toLowerCase() === to.toLowerCase())

/** Where nothing is published at the address, yet factories make contracts of this kind. */
export const isClone = ({ contract, instance }: Pick<ExplainedCall, "contract" | "instance">): boolean =>
  instance === undefined && contract !== undefined && contract.cloneFamilies.length > 0

/** Published ones, whose items go by functions that tokens have too. */
export const COLLECTIONS = [
  "@bananapus/core-v6:src/JBProjects.sol:JBProjects",
  "@rev-net/core-v6:src/REVLoans.sol:REVLoans"
] as const

export const cloneKey = ({ chainId, to, decoded: { contractId } }: Call): string =>
  `${chainId}:${to.toLowerCase()}:${contractId}`

/** A token's functions, called on a collection, move what it holds. */
const collectionDangers = (contracts: Contracts, call: Call): ReadonlyArray<string> =>
  COLLECTIONS.flatMap(id => {
    const collection = contracts.get(id)
    return instanceAt(collection, call) === undefined
      ? []
      : [`the catalog publishes another contract at the address: ${collection?.name}`]
  })

const placeDangers = (
  contracts: Contracts,
  contract: ContractDetail | undefined,
  instance: Instance | undefined,
  call: Call
): ReadonlyArray<string> => {
  const { decoded: claimed } = call
  if (contract === undefined) return ["the catalog has no such contract"]
  if (isClone({ contract, instance })) return collectionDangers(contracts, call)
  if (isOwnFunction(contract)) return []
  if (instance === undefined) return ["the catalog publishes this contract at other addresses only"]
  return instance.abiHash === claimed.abiHash ? [] : ["the plan names another ABI than the catalog"]
}

const methodDangers = (
  { data, value, decoded: claimed }: Call,
  method: MethodRecord | undefined,
  values: ReadonlyArray<unknown> | undefined
): ReadonlyArray<string> => {
  if (method === undefined) return [`the contract has no function ${data.slice(0, SELECTOR_END)}`]
  if (values === undefined) return ["the calldata is not the encoding of any arguments"]
  const shown = Array.isArray(claimed.args) ? claimed.args : []
  return [
    ...(method.signature === claimed.function ? [] : ["the calldata calls another function than shown"]),
    ...(listed(method.inputs, values) === listed(method.inputs, shown)
      ? []
      : ["the calldata carries other arguments than shown"]),
    ...(method.stateMutability === "payable" || value === "0"
      ? []
      : ["the function takes no native value, yet the call sends some"])
  ]
}

const variantOf = (
  contract: ContractDetail | undefined,
  abiHash: string | undefined
): ContractVariant | undefined => contract?.variants.find(variant => variant.abiHash === abiHash)

/** `createProxyWithNonce(address,bytes,uint256)`. */
export const CREATING = "0x1688f0b9"

const isHex = (value: unknown): value is Hex => /^0x[0-9a-f]*$/i.test(String(value))
const isAddress = (value: string): value is Address => /^0x[0-9a-f]{40}$/i.test(value)

const createdBy = (
  { createdWallet }: Contracts,
  { to, data }: Call,
  values: ReadonlyArray<unknown> = []
): ExplainedWallet | undefined => {
  const [singleton, initializer, saltNonce] = values
  return createdWallet !== undefined &&
    data.startsWith(CREATING) &&
    isAddress(to) &&
    typeof singleton === "string" &&
    isHex(initializer) &&
    typeof saltNonce === "bigint"
    ? createdWallet(to, [singleton, initializer, saltNonce])
    : undefined
}

const UNREAD = "what it enables was not read"

/** Nothing of it may be signed where nobody reads its bytes. */
const enabledOf = (contracts: Contracts, { chainId }: Call, read: Read): ExplainedEnabling | undefined => {
  if (!isEnable(read) && !isInstallation(read)) return undefined
  const { enabledBy } = contracts
  return enabledBy === undefined
    ? { assets: [], dangers: [UNREAD], rowsFor: () => [], clauseFor: () => undefined }
    : enabledBy(contracts, chainId, read)
}

export const explainCall = (contracts: Contracts, call: Call): ExplainedCall => {
  const contract = contracts.get(call.decoded.contractId)
  const instance = instanceAt(contract, call)
  const variant = variantOf(contract, instance?.abiHash ?? call.decoded.abiHash)
  const method = variant?.methods.find(({ selector }) => selector === call.data.slice(0, SELECTOR_END))
  const values = method && decoded(method, call.data)
  const created = createdBy(contracts, call, values)
  const enabled = enabledOf(contracts, call, { contract, method, values: values ?? [] })
  return {
    call,
    contract,
    instance,
    method,
    values: values ?? [],
    created,
    enabled,
    dangers: [
      ...placeDangers(contracts, contract, instance, call),
      ...methodDangers(call, method, values),
      ...(enabled?.dangers ?? []),
      ...(created?.dangers ?? [])
    ]
  }
}
