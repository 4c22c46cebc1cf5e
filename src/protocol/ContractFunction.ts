/** Contracts and functions by the names that the pinned ABIs give them, so that what no contract has or takes does not compile. */
import type { ContractFunctions } from "../catalog/generated/ContractFunctions.ts"

/** As JSON arguments, where big integers may also be themselves. */
export type Argument =
  | string
  | bigint
  | boolean
  | ReadonlyArray<Argument>
  | { readonly [name: string]: Argument }
export type Arguments = ReadonlyArray<Argument>

export type ContractName = keyof ContractFunctions

/** By bare name where it is not overloaded, else by full canonical signature. */
export type FunctionName<Contract extends ContractName> = keyof ContractFunctions[Contract] & string

type ArgumentOf<Type extends string> = Type extends `${infer Item}[${string}]`
  ? ReadonlyArray<ArgumentOf<Item>>
  : Type extends `${"u" | ""}int${string}`
    ? string | bigint
    : Type extends "bool"
      ? boolean
      : string

/** By the canonical types of the parameters; a struct is checked by the ABI alone. */
type ArgumentsOf<Types> = Types extends ""
  ? readonly []
  : Types extends `${string}(${string}`
    ? Arguments
    : Types extends `${infer First},${infer Rest}`
      ? readonly [ArgumentOf<First>, ...ArgumentsOf<Rest>]
      : Types extends string
        ? readonly [ArgumentOf<Types>]
        : never

export type FunctionArguments<
  Contract extends ContractName,
  Name extends FunctionName<Contract>
> = Arguments & ArgumentsOf<ContractFunctions[Contract][Name]>

/** The functions of a contract that can be called with these arguments. */
export type FunctionTaking<Contract extends ContractName, Given extends Arguments> = {
  readonly [Name in FunctionName<Contract>]: Given extends ArgumentsOf<ContractFunctions[Contract][Name]>
    ? Name
    : never
}[FunctionName<Contract>]

type SignatureIn<Functions> = {
  readonly [Name in keyof Functions & string]: Name extends `${string}(${string}`
    ? Name
    : `${Name}(${Functions[Name] & string})`
}[keyof Functions & string]

/** Each function of a contract by its full canonical signature. */
export type SignatureOf<Contract extends ContractName> = SignatureIn<ContractFunctions[Contract]>

/** Each function of each contract, as `<bare name of the contract>.<canonical signature>`. */
export type CallName = {
  readonly [Contract in ContractName]: `${Contract}.${SignatureOf<Contract>}`
}[ContractName]

/** What a function takes, by its full canonical signature. */
export type SignatureArguments<Signature extends string> = Signature extends `${string}(${infer Types})`
  ? Arguments & ArgumentsOf<Types>
  : never
