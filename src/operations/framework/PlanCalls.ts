/** Turns calls in the words of the protocol into exact calldata, by the pinned ABIs alone. */
import { Effect, Schema } from "effect"
import { type Abi, isRead } from "../../catalog/Abi.ts"
import type { Call } from "../../plans/Plan.ts"
import { InvalidPlanCall } from "../../plans/refusals.ts"
import type { Arguments, SignatureArguments } from "../../protocol/ContractFunction.ts"
import type { ContractNames } from "../../protocol/ContractNames.ts"
import { encodeCall } from "../../protocol/EncodeCall.ts"
import { asJson } from "../../protocol/PinnedContracts.ts"
import { DeploymentUnavailable } from "../../protocol/refusals.ts"
import { Address } from "../../values/Scalars.ts"

export interface CallOf<Contract extends string, Signature extends string, Args extends Arguments> {
  /** By its bare name in the catalog. */
  readonly contract: Contract
  /** Of the canonical deployment where it is left out. */
  readonly address?: Address
  /** The full canonical signature. */
  readonly function: Signature
  readonly args: Args
  readonly value?: bigint
  readonly label: string
  readonly dependsOn?: ReadonlyArray<number>
}

export type AnyPlannedCall = CallOf<string, string, Arguments>

/** A call whose effect its operation declares. */
export type PlannedCall<Effects> = {
  readonly [Call in keyof Effects]: Call extends `${infer Contract}.${infer Signature}`
    ? CallOf<Contract, Signature, SignatureArguments<Signature>>
    : never
}[keyof Effects]

/** A call with the ABI that its reverts are read by. */
export interface EncodedPlanCall {
  readonly call: Call
  readonly abi: Abi
}

const oneForm = Schema.decodeOption(Address)

/** Whoever looks a target up does so by its one form. */
const targetOf = Effect.fnUntraced(function* (
  names: ContractNames,
  chainId: number,
  { contract, address, label }: AnyPlannedCall,
  index: number
) {
  const to = address ?? names.canonicalOf(chainId, contract)?.address
  if (to === undefined) return yield* new DeploymentUnavailable({ context: { contract, chainId } })
  return yield* Effect.mapError(
    oneForm(to),
    () =>
      new InvalidPlanCall({ context: { path: `calls[${index}].address`, expected: "an EVM address", label } })
  )
})

/** Which arguments do not fit is the caller's mistake; that the function exists and takes the value is ours. */
export const planCall = Effect.fnUntraced(function* (
  names: ContractNames,
  chainId: number,
  planned: AnyPlannedCall,
  index: number
) {
  const { contract, function: signature, value = 0n, label, dependsOn = [] } = planned
  const to = yield* targetOf(names, chainId, planned, index)
  const { contractId, abiHash, abi } = names.interfaceOf(chainId, contract, to, signature)
  const encoded = yield* encodeCall(abi, signature, planned.args.map(asJson)).pipe(
    Effect.catchTags({
      FUNCTION_SIGNATURE_UNKNOWN: Effect.die,
      ABI_ARGUMENT_INVALID: ({ context: { path, expected } = {} }) =>
        new InvalidPlanCall({
          context: { path: `calls[${index}].${path}`, expected, function: signature, label }
        })
    })
  )
  if (isRead(encoded.entry) || (value > 0n && encoded.mutability !== "payable"))
    return yield* Effect.dieMessage(`${contract}.${signature} cannot be planned with the value ${value}`)
  const call: Call = {
    chainId,
    to,
    data: encoded.data,
    value: String(value),
    label,
    dependsOn,
    decoded: { contractId, abiHash, function: signature, args: encoded.decodedArgs }
  }
  const result: EncodedPlanCall = { call, abi }
  return result
})
