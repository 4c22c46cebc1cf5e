/** Every argument of a call by name and type, tuples and arrays opened up. */
import { formatUnits, zeroAddress } from "viem"
import type { AbiParameter } from "../catalog/Abi.ts"
import { addressOf } from "../client/SignRequest.ts"
import { permissionName } from "../values/PermissionNames.ts"
import type { Address } from "../values/Scalars.ts"
import { amountPieces, type Holder, isNative, type Tokens, tokenKey, unitOf } from "./Amounts.ts"
import { type ExplainedCall, itemOf, memberOf } from "./ExplainCall.ts"
import { exact, nameText, type Piece, type ReviewRow, toned, untrusted, words } from "./Words.ts"

const RECEIVING = new Set([
  ...["to", "recipient", "receiver", "refundTo", "refundReceiver", "newOwner", "owner"],
  ...["beneficiary", "feeBeneficiary", "nftBeneficiary", "defaultBeneficiary"],
  ...["reserveBeneficiary", "reservedTokenBeneficiary"],
  ...["spender", "operator", "newOperator", "delegatee"]
])

/** Through these a project's funds and tokens pass; none of them is what zero means. */
const GOVERNING = new Set(["controller", "terminal", "terminals", "dataHook", "peer"])

const ZERO = /^0x0*$/

const SPLITS_TOTAL = 1_000_000_000
/** Of a split, counted in percent. */
const PERCENT_DECIMALS = 7

export interface CallArgument {
  readonly parameter: AbiParameter
  readonly value: unknown
  readonly name: string
  readonly holder: Holder
}

export interface CallReading {
  readonly explained: ExplainedCall
  readonly tokens: Tokens
  readonly wallet: string
}

export const addressPieces = (value: unknown, wallet: string): ReadonlyArray<Piece> => {
  const text = String(value)
  if (isNative(text)) return [exact(text), words(", the chain's native currency")]
  if (text === zeroAddress) return [exact(text), words(", no address")]
  return text.toLowerCase() === wallet.toLowerCase()
    ? [exact(text), words(", the planned wallet itself")]
    : [exact(text)]
}

export const isSplit = ({ parameters }: Holder): boolean =>
  parameters.some(({ name }) => name === "preferAddToBalance")

export const percentText = (value: unknown): string =>
  `${formatUnits(BigInt(String(value)), PERCENT_DECIMALS)} %`

const ROOT = "1"

const permissionPieces = (value: unknown): ReadonlyArray<Piece> => {
  const name = permissionName(Number(value))
  if (name === null) return [exact(value)]
  return [exact(value), words(`, ${name}${String(value) === ROOT ? ": whatever the account may do" : ""}`)]
}

const grantsPermissions = ({ parameters }: Holder): boolean =>
  parameters.some(({ name }) => name === "permissionIds")

/** Enough for what hooks are told in a payment's metadata. */
const LONGEST_BYTES = 8_192

/** Anyone may have written what the bytes say. */
const bytesPieces = (value: unknown): ReadonlyArray<Piece> => {
  const text = String(value)
  return text === "0x"
    ? [words("empty")]
    : [untrusted(text, LONGEST_BYTES), words(`, ${(text.length - 2) / 2} bytes`)]
}

const scalarPieces = (
  { explained, tokens, wallet }: CallReading,
  { parameter, value, holder }: CallArgument
): ReadonlyArray<Piece> => {
  const { type, name } = parameter
  if (type === "string") return [untrusted(value)]
  if (type === "address") return addressPieces(value, wallet)
  if (type === "bytes") return bytesPieces(value)
  const unit = unitOf(explained, parameter, holder)
  if (unit !== undefined) return amountPieces(unit, value, explained.call.chainId, tokens)
  if (name === "percent" && isSplit(holder))
    return [words(`${percentText(value)} (`), exact(value), words(` of ${SPLITS_TOTAL})`)]
  if (name === "permissionIds") return permissionPieces(value)
  return name === "projectId" && String(value) === "0" && grantsPermissions(holder)
    ? [exact(value), words(", which is every project")]
    : [exact(value)]
}

const opened = ({ parameter, value, holder }: CallArgument): ReadonlyArray<CallArgument> | undefined => {
  const item = itemOf(parameter)
  if (item !== undefined)
    return (Array.isArray(value) ? value : []).map((each, index) => ({
      parameter: item,
      value: each,
      name: `${nameText(parameter.name)}[${index}]`,
      holder
    }))
  return parameter.components === undefined ? undefined : membersOf(parameter.components, value)
}

const membersOf = (parameters: ReadonlyArray<AbiParameter>, value: unknown): ReadonlyArray<CallArgument> =>
  parameters.map((parameter, index) => ({
    parameter,
    value: memberOf(value, parameter, index),
    name: parameter.name === "" ? `#${index}` : nameText(parameter.name),
    holder: { parameters, value }
  }))

/** On another chain a recipient may be 32 bytes. */
export const isRecipient = ({ parameter: { type, name }, value }: CallArgument): boolean =>
  (type === "address" || type === "bytes32") &&
  (RECEIVING.has(name) || (GOVERNING.has(name) && !ZERO.test(String(value))))

const typeText = ({ type, internalType, components }: AbiParameter): string =>
  nameText(components === undefined ? type : (internalType ?? type))

const argumentRow = (reading: CallReading, argument: CallArgument): ReviewRow => {
  const { name, parameter } = argument
  const type = typeText(parameter)
  const inner = opened(argument)
  if (inner === undefined) {
    const scalar: ReviewRow = { name, type, value: scalarPieces(reading, argument) }
    return isRecipient(argument) ? toned("key", scalar) : scalar
  }
  const value = inner.length === 0 ? [words("none")] : []
  return { name, type, value, rows: inner.map(each => argumentRow(reading, each)) }
}

const topOf = ({ method, values }: ExplainedCall): ReadonlyArray<CallArgument> =>
  method === undefined || values.length !== method.inputs.length ? [] : membersOf(method.inputs, values)

export const argumentRows = (reading: CallReading): ReadonlyArray<ReviewRow> =>
  topOf(reading.explained).map(argument => argumentRow(reading, argument))

/** Without what holds them: the arguments that are a value of their own. */
const flat = (argument: CallArgument): ReadonlyArray<CallArgument> => {
  const inner = opened(argument)
  return inner === undefined ? [argument] : inner.flatMap(flat)
}

export const flatArguments = (explained: ExplainedCall): ReadonlyArray<CallArgument> =>
  topOf(explained).flatMap(flat)

export interface NamedToken {
  readonly key: string
  readonly chainId: number
  /** Unknown of a project's own token until it is looked up. */
  readonly address?: Address
  /** The project that the same call names, if it names one. */
  readonly projectId: string | undefined
}

const projectOf = (top: ReadonlyArray<CallArgument>): string | undefined => {
  const value = top.find(({ parameter }) => parameter.name === "projectId")?.value
  return typeof value === "bigint" ? String(value) : undefined
}

/** The tokens whose decimals would make an amount of the call readable. */
export const namedTokens = (explained: ExplainedCall): ReadonlyArray<NamedToken> => {
  const top = topOf(explained)
  const { chainId } = explained.call
  const moved = flatArguments(explained).flatMap(({ parameter, holder }) => {
    const unit = unitOf(explained, parameter, holder)
    if (unit?.kind !== "token") return []
    const address = addressOf(unit.address)
    return [{ key: tokenKey(chainId, address), chainId, address, projectId: projectOf(top) }]
  })
  const enabled = (explained.enabled?.assets ?? []).map(address => ({
    key: tokenKey(chainId, address),
    ...{ chainId, address, projectId: undefined }
  }))
  return [...moved, ...enabled]
}
