/** Who gets something, or power over something, by a call: one row for each. */
import { getAddress, zeroAddress } from "viem"
import type { Holder } from "./Amounts.ts"
import {
  addressPieces,
  type CallArgument,
  type CallReading,
  flatArguments,
  isRecipient,
  isSplit,
  percentText
} from "./ArgumentRows.ts"
import { memberNamed } from "./ExplainCall.ts"
import { exact, type Piece, type ReviewRow, words } from "./Words.ts"

const PADDING = /^0x0{24}(?=[0-9a-f]{40}$)/i

/** Where a recipient may be on another chain, its address stands in 32 bytes. */
export const unpadded = (value: unknown): string => {
  const text = String(value)
  return PADDING.test(text) ? getAddress(text.replace(PADDING, "0x")) : text
}

const isNamed = (address: unknown): boolean => String(address) !== zeroAddress

/** As the protocol pays a split: a hook goes before a project, a project before a beneficiary. */
const payeePieces = ({ parameters, value }: Holder, wallet: string): ReadonlyArray<Piece> => {
  const member = (name: string) => memberNamed(value, parameters, name)
  const beneficiary = member("beneficiary")
  if (isNamed(member("hook"))) return [...addressPieces(member("hook"), wallet), words(" as split hook")]
  if (String(member("projectId")) !== "0") {
    const project = [words("project "), exact(member("projectId"))]
    if (member("preferAddToBalance") === true) return [...project, words(", to its balance")]
    return isNamed(beneficiary)
      ? [...project, words(", whose tokens go to "), ...addressPieces(beneficiary, wallet)]
      : [...project, words(", whose tokens go to whoever sends it")]
  }
  return isNamed(beneficiary)
    ? [...addressPieces(beneficiary, wallet), words(" as beneficiary")]
    : [words("nobody by name: the contract decides, often for whoever sends it")]
}

const valueOf = (argument: CallArgument, wallet: string): ReadonlyArray<Piece> => {
  const { holder, name } = argument
  if (!isSplit(holder)) return [...addressPieces(unpadded(argument.value), wallet), words(` as ${name}`)]
  return [...payeePieces(holder, wallet), words(` with ${percentText(argument.value)} of its split`)]
}

const isShare = ({ parameter }: CallArgument): boolean => parameter.name === "percent"

export const recipientRows = ({ explained, wallet }: CallReading): ReadonlyArray<ReviewRow> =>
  flatArguments(explained)
    .filter(argument => (isSplit(argument.holder) ? isShare(argument) : isRecipient(argument)))
    .map(argument => ({ name: "recipient", tone: "key", value: valueOf(argument, wallet) }))
