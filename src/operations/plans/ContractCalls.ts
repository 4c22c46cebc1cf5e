/** Turns catalogued calls into a plan draft: every target proved, one block for each chain of the plan. */
import { Effect } from "effect"
import { isRead } from "../../catalog/Abi.ts"
import { Catalog } from "../../catalog/Catalog.ts"
import { ChainClient, type Snapshot } from "../../chain/ChainClient.ts"
import { batched } from "../../chain/GatheredSession.ts"
import type { Call } from "../../plans/Plan.ts"
import { MAXIMUM_CALLS } from "../../plans/Plan.ts"
import type { PlanDraft } from "../../plans/PlanDraft.ts"
import { InvalidPlan, InvalidPlanCall } from "../../plans/refusals.ts"
import { evidenceOf } from "../../protocol/BlockEvidence.ts"
import { encodeCall } from "../../protocol/EncodeCall.ts"
import type { Resolution } from "../../protocol/ProtocolSchemas.ts"
import { ResolveContract } from "../../protocol/ResolveContract.ts"
import {
  AbiArgumentInvalid,
  FunctionMutabilityMismatch,
  FunctionSignatureUnknown
} from "../../protocol/refusals.ts"
import { forEachAtOnce } from "../../values/ForEachAtOnce.ts"
import type { Address } from "../../values/Scalars.ts"

export interface CallInput {
  readonly chainId: number
  readonly contractId: string
  readonly address?: Address
  readonly projectId?: string
  readonly function: string
  readonly args: ReadonlyArray<unknown>
  readonly value: string
  readonly dependsOn: ReadonlyArray<number>
}

export interface ContractCalls {
  readonly account: Address
  readonly label?: string
  readonly calls: ReadonlyArray<CallInput>
}

type Snapshots = ReadonlyMap<number, Snapshot>

const LABEL_BYTES = 160

const snapshotsOf = Effect.fnUntraced(function* (
  calls: ReadonlyArray<CallInput>,
  given: Snapshot | undefined
) {
  if (given !== undefined) return new Map([[given.block.chainId, given]])
  const chains = yield* ChainClient
  const ids = [...new Set(calls.map(call => call.chainId))]
  const taken = yield* forEachAtOnce(ids, id => chains.snapshot(id))
  return new Map(
    taken.map(({ session, block }) => [block.chainId, chains.snapshotOf(batched(session), block)] as const)
  )
})

const targetQuery = ({ chainId, contractId, address, projectId }: CallInput) => ({
  chainId,
  contractId,
  ...(address === undefined ? {} : { address }),
  ...(projectId === undefined ? {} : { projectId })
})

/** Refuses what needs no chain at all, before one is asked. */
const checkCount = (calls: ReadonlyArray<CallInput>) =>
  calls.length < 1 || calls.length > MAXIMUM_CALLS
    ? Effect.fail(
        new InvalidPlan({ context: { path: "input.calls", expected: `1 to ${MAXIMUM_CALLS} calls` } })
      )
    : Effect.void

/** Each distinct target is proved once, however many calls go to it. */
const resolutionsOf = Effect.fnUntraced(function* (calls: ReadonlyArray<CallInput>, snapshots: Snapshots) {
  const contracts = yield* ResolveContract
  const distinct = new Map(calls.map(call => [JSON.stringify(targetQuery(call)), call]))
  const proved = yield* forEachAtOnce(distinct, ([key, call]) => {
    const snapshot = snapshots.get(call.chainId)
    return snapshot === undefined
      ? Effect.dieMessage("a chain of the plan has no snapshot")
      : Effect.map(contracts.resolveAt(snapshot, targetQuery(call)), resolution => [key, resolution] as const)
  })
  return new Map(proved)
})

const refuseValue = (value: string, mutability: string, index: number) =>
  value !== "0" && mutability !== "payable"
    ? Effect.fail(
        new InvalidPlanCall({
          context: {
            path: `input.calls[${index}].value`,
            expected: '"0", because the function is not payable'
          }
        })
      )
    : Effect.void

const nameOf = (contractId: string): string => contractId.split(":").at(-1) ?? contractId

const describe = (input: CallInput, label: string | undefined): string =>
  (label ?? `${nameOf(input.contractId)}.${input.function.split("(")[0]}`).slice(0, LABEL_BYTES)

/** Which argument of which call does not fit. */
const misfit = (index: number, { path, expected }: Readonly<Record<string, unknown>>) => {
  const member = `input.calls[${index}].${path}`
  return new AbiArgumentInvalid({
    detail: `${member} must be ${expected}.`,
    context: { path: member, expected }
  })
}

const planCall = Effect.fnUntraced(function* (
  input: CallInput,
  index: number,
  resolution: Resolution,
  label: string | undefined
) {
  const catalog = yield* Catalog
  const abi = yield* catalog.abi(resolution.abiHash)
  const encoded = yield* encodeCall(abi, input.function, input.args).pipe(
    Effect.catchTags({
      ABI_ARGUMENT_INVALID: ({ context = {} }) => misfit(index, context),
      FUNCTION_SIGNATURE_UNKNOWN: ({ detail, context }) =>
        new FunctionSignatureUnknown({
          ...(detail === undefined ? {} : { detail }),
          context: { path: `input.calls[${index}].function`, ...context }
        })
    })
  )
  if (isRead(encoded.entry))
    return yield* new FunctionMutabilityMismatch({
      detail: "The function changes nothing; read it instead of planning it.",
      context: { path: `input.calls[${index}].function`, stateMutability: encoded.mutability }
    })
  yield* refuseValue(input.value, encoded.mutability, index)
  const call: Call = {
    chainId: input.chainId,
    to: resolution.address,
    data: encoded.data,
    value: input.value,
    label: describe(input, label),
    dependsOn: input.dependsOn,
    decoded: {
      contractId: input.contractId,
      abiHash: resolution.abiHash,
      function: input.function,
      args: encoded.decodedArgs
    }
  }
  return call
})

const warningsOf = (resolutions: Iterable<Resolution>): ReadonlyArray<string> =>
  [...resolutions].flatMap(({ contractId, address, provenance }) =>
    provenance.retired ? [`${nameOf(contractId)} at ${address} is a retired deployment.`] : []
  )

/** At a snapshot that is given where all calls are of its chain. */
export const prepareContractCalls = Effect.fn("ContractCalls.prepare")(function* (
  { account, label, calls }: ContractCalls,
  given?: Snapshot
) {
  yield* checkCount(calls)
  const snapshots = yield* snapshotsOf(calls, given)
  const resolutions = yield* resolutionsOf(calls, snapshots)
  const planned = yield* Effect.forEach(calls, (input, index) => {
    const resolution = resolutions.get(JSON.stringify(targetQuery(input)))
    return resolution === undefined
      ? Effect.dieMessage("a call of the plan was not resolved")
      : planCall(input, index, resolution, label)
  })
  const draft: PlanDraft = {
    operation: "contract_calls",
    account,
    summary: { kind: "contract_calls", ...(label === undefined ? {} : { label }), calls: calls.length },
    calls: planned,
    evidence: [...snapshots.values()].map(({ block }) => evidenceOf(block)),
    warnings: warningsOf(resolutions.values())
  }
  return draft
})
