/** Configurations as arguments: what JSON tells in numbers, contracts take as integers. */
import type { Argument } from "../../protocol/ContractFunction.ts"

type Configured =
  | string
  | number
  | boolean
  | ReadonlyArray<Configured>
  | { readonly [member: string]: Configured }

const isList = (value: Configured): value is ReadonlyArray<Configured> => Array.isArray(value)

export const asArgument = (value: Configured): Argument => {
  if (typeof value === "number") return String(value)
  if (typeof value !== "object") return value
  if (isList(value)) return value.map(asArgument)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asArgument(member)]))
}
