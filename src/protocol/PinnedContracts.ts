/** Reads of canonical contracts at one block; what is asked side by side travels in one round trip. */
import { Context, Effect, Either, Layer, Schema } from "effect"
import { type Abi, type AbiFunction, canonicalSignature } from "../catalog/Abi.ts"
import { Catalog } from "../catalog/Catalog.ts"
import type { Deployment } from "../catalog/CatalogIndex.ts"
import { isNamedTuple } from "../catalog/MethodSchemas.ts"
import {
  type Block,
  type CallOutcome,
  ChainClient,
  type ChainSession,
  type Read,
  type Snapshot
} from "../chain/ChainClient.ts"
import { batched } from "../chain/GatheredSession.ts"
import { balance, call, callForAnyone, code, simulatedCall, storageWord } from "../chain/PinnedReads.ts"
import { type RpcFailure, RpcInvalidResponse } from "../chain/refusals.ts"
import type { Evidence } from "../values/Evidence.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"
import { decodeValues } from "./AbiValues.ts"
import { nodeRefused } from "./Answers.ts"
import { evidenceOf } from "./BlockEvidence.ts"
import type {
  Argument,
  Arguments,
  ContractName,
  FunctionArguments,
  FunctionName
} from "./ContractFunction.ts"
import { type ContractNames, contractNames } from "./ContractNames.ts"
import { type DependentCall, foretelling } from "./DependentCalls.ts"
import { encodeCall } from "./EncodeCall.ts"
import { settledOnChain } from "./PackedCalls.ts"
import type { SnapshotFailure } from "./ResolveContract.ts"
import { decodeRevert } from "./RevertReason.ts"
import { ofRevert } from "./RevertText.ts"
import {
  type AbiArgumentInvalid,
  CallReverted,
  DeploymentCodeMissing,
  DeploymentUnavailable
} from "./refusals.ts"

export type ReadFailure =
  | RpcFailure
  | CallReverted
  | DeploymentCodeMissing
  | DeploymentUnavailable
  | AbiArgumentInvalid

export interface SimulatedRequest<Contract extends ContractName, Name extends FunctionName<Contract>> {
  readonly contract: Contract
  /** Of the canonical deployment where it is left out. */
  readonly address?: Address
  readonly function: Name
  readonly args: FunctionArguments<Contract, Name>
  readonly from: Address
  readonly value?: bigint
  /** Thirty million where it is left out. */
  readonly gas?: bigint
}

/**
 * `as` decodes what the function gives: its one output, an object of its outputs where all have names, else
 * an array of them. Integers come as decimal strings, addresses checksummed, named tuples as objects.
 */
export interface PinnedSnapshot {
  readonly chainId: number
  readonly block: Block
  readonly evidence: Evidence
  readonly addressOf: (contract: ContractName) => Effect.Effect<Address, DeploymentUnavailable>
  /** Every recorded deployment, retired ones too: current before retired, newest first. */
  readonly deploymentsOf: (contract: ContractName) => ReadonlyArray<Deployment>
  readonly read: <Contract extends ContractName, Name extends FunctionName<Contract>, A, I>(
    contract: Contract,
    name: Name,
    args: FunctionArguments<Contract, Name>,
    as: Schema.Schema<A, I>
  ) => Effect.Effect<A, ReadFailure>
  /** As `read`, of a contract that a team added, which no type knows. */
  readonly readAdded: <A, I>(
    contract: string,
    name: string,
    args: Arguments,
    as: Schema.Schema<A, I>
  ) => Effect.Effect<A, ReadFailure>
  /** As `read`, of another address that has the interface of this contract. */
  readonly readAt: <Contract extends ContractName, Name extends FunctionName<Contract>, A, I>(
    contract: Contract,
    address: Address,
    name: Name,
    args: FunctionArguments<Contract, Name>,
    as: Schema.Schema<A, I>
  ) => Effect.Effect<A, ReadFailure>
  /** Also of functions that change state; the outcome depends on who asks. */
  readonly simulate: <Contract extends ContractName, Name extends FunctionName<Contract>, A, I>(
    request: SimulatedRequest<Contract, Name>,
    as: Schema.Schema<A, I>
  ) => Effect.Effect<A, ReadFailure>
  readonly code: (address: Address) => Effect.Effect<Hex, RpcFailure>
  readonly storage: (address: Address, slot: Bytes32) => Effect.Effect<Bytes32, RpcFailure>
  /** Asked apart. */
  readonly balance: (address: Address) => Effect.Effect<bigint, RpcFailure>
  /** Answers ahead what would take further round trips; what is then asked is answered from it, or by itself. */
  readonly foresee: (calls: ReadonlyArray<DependentCall>) => Effect.Effect<void>
  /** Any other read; it joins the same round trip. */
  readonly ask: <A>(read: Read<A>) => Effect.Effect<A, RpcFailure>
  /** As `ask`, of what is not needed: where it fails, what is asked beside it does not. */
  readonly askApart: <A>(read: Read<A>) => Effect.Effect<A, RpcFailure>
  /** Several of them, by one fiber. */
  readonly askAll: ChainSession["all"]
}

export const asJson = (argument: Argument): unknown => {
  if (typeof argument === "bigint") return argument.toString()
  if (typeof argument !== "object") return argument
  if (isList(argument)) return argument.map(asJson)
  return Object.fromEntries(Object.entries(argument).map(([name, member]) => [name, asJson(member)]))
}

const isList = (argument: Argument): argument is ReadonlyArray<Argument> => Array.isArray(argument)

const answersNothing = (context: Readonly<Record<string, unknown>>) =>
  new DeploymentCodeMissing({
    detail: "The address answers nothing: it has no code at this block, or none for this function.",
    context
  })

const unfit = (why: string) => new RpcInvalidResponse({ detail: why, retryable: false })

const shaped = ({ outputs }: AbiFunction, values: ReadonlyArray<unknown>): unknown => {
  if (outputs.length < 2) return values[0]
  return isNamedTuple(outputs)
    ? Object.fromEntries(outputs.map(({ name }, index) => [name, values[index]]))
    : values
}

interface Planned {
  readonly to: Address
  readonly data: Hex
  readonly abi: Abi
  readonly entry: AbiFunction
  /** Errors of other contracts that may come through. */
  readonly passed: Abi
}

const valueOf = <A, I>(
  { to, abi, entry, passed }: Planned,
  outcome: CallOutcome,
  as: Schema.Schema<A, I>
): Either.Either<A, ReadFailure> => {
  if (outcome._tag === "Refused") return Either.left(nodeRefused(outcome.code))
  const named = { address: to, function: canonicalSignature(entry) }
  if (outcome._tag === "Reverted")
    return Either.left(new CallReverted(ofRevert(decodeRevert([...abi, ...passed], outcome.data), named)))
  if (outcome.data === "0x" && entry.outputs.length > 0) return Either.left(answersNothing(named))
  return decodeValues(entry.outputs, outcome.data).pipe(
    Either.mapLeft(() => unfit("The returned data does not fit the ABI.")),
    Either.flatMap(values =>
      Either.mapLeft(Schema.decodeUnknownEither(as)(shaped(entry, values)), () =>
        unfit("The returned value is not one that the contract can have.")
      )
    )
  )
}

type Outcome = Effect.Effect<CallOutcome, RpcFailure>

const snapshotOn = (names: ContractNames, session: ChainSession, block: Block): PinnedSnapshot => {
  const { chainId, hash } = block
  const asks = foretelling(session, hash)
  const { ask, askApart } = asks
  const addressOf = (contract: string) =>
    Either.fromNullable(
      names.canonicalOf(chainId, contract)?.address,
      () => new DeploymentUnavailable({ context: { contract, chainId } })
    )
  const plan = Effect.fnUntraced(function* (contract: string, to: Address, name: string, args: Arguments) {
    const [abi, entry] = names.functionOf(chainId, contract, to, name)
    const encoded = encodeCall(abi, canonicalSignature(entry), args.map(asJson))
    const { data } = yield* Effect.catchTag(encoded, "FUNCTION_SIGNATURE_UNKNOWN", Effect.die)
    const planned: Planned = { to, data, abi, entry, passed: names.passedErrors }
    return planned
  })
  const asking = <A, I>(as: Schema.Schema<A, I>, run: (planned: Planned) => Outcome) =>
    Effect.fnUntraced(function* (planned: Planned) {
      return yield* valueOf(planned, yield* run(planned), as)
    })
  const viewed = (planned: Planned, view: Read<CallOutcome>): Outcome =>
    Effect.flatMap(askApart(view), outcome => settledOnChain(session, planned, hash, outcome))
  const read = <A, I>(contract: string, name: string, args: Arguments, as: Schema.Schema<A, I>) =>
    Effect.flatMap(addressOf(contract), to => plan(contract, to, name, args)).pipe(
      Effect.flatMap(asking(as, planned => viewed(planned, callForAnyone(planned, hash))))
    )
  return {
    chainId,
    block,
    evidence: evidenceOf(block),
    addressOf,
    deploymentsOf: contract => names.deploymentsOf(chainId, contract),
    read,
    readAdded: read,
    readAt: (contract, address, name, args, as) =>
      Effect.flatMap(
        plan(contract, address, name, args),
        asking(as, planned => viewed(planned, call(planned, hash)))
      ),
    simulate: ({ contract, address, function: name, args, ...sent }, as) =>
      Effect.flatMap(address === undefined ? addressOf(contract) : Effect.succeed(address), to =>
        plan(contract, to, name, args)
      ).pipe(Effect.flatMap(asking(as, planned => askApart(simulatedCall({ ...planned, ...sent }, hash))))),
    code: address => ask(code(address, hash)),
    storage: (address, slot) => ask(storageWord(address, slot, hash)),
    balance: address => askApart(balance(address, hash)),
    ...asks,
    askAll: session.all
  }
}

const make = Effect.gen(function* () {
  const chains = yield* ChainClient
  const names = yield* contractNames(yield* Catalog)
  const pinned = ({ session, block }: Snapshot) => snapshotOn(names, batched(session), block)
  return { names, pinned, snapshotOf: (chainId: number) => Effect.map(chains.snapshot(chainId), pinned) }
})

export class PinnedContracts extends Context.Tag("protocol/PinnedContracts")<
  PinnedContracts,
  {
    readonly names: ContractNames
    /** The latest block of a chain; an operation takes one for each chain and hands it on. */
    readonly snapshotOf: (chainId: number) => Effect.Effect<PinnedSnapshot, SnapshotFailure>
    /** The block of a snapshot. */
    readonly pinned: (snapshot: Snapshot) => PinnedSnapshot
  }
>() {
  static readonly layer = Layer.effect(PinnedContracts, make)
}
