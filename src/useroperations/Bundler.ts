/** Bundlers: what they estimate, what leaves for one of them, once, and where they say that it went. */
import { Array, Context, Effect, Layer, Option, Order, Schema } from "effect"
import { Settings } from "../settings/Settings.ts"
import type { OperationPlace } from "../values/PackedOperation.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import type { UserOperation } from "../values/UserOperation.ts"
import { type BundlerEndpoint, type BundlerFailure, bundlerEndpoint, isRefused } from "./BundlerEndpoint.ts"
import { type BundlerFees, GasEstimation, GasPrices, OperationReceipt, PriorityFee } from "./BundlerWire.ts"
import { CarrierBytes32 } from "./CarrierForms.ts"
import type { RpcRefusal } from "./RpcExchange.ts"
import { BundlerUnavailable, UserOperationChainUnavailable } from "./refusals.ts"

const SENDING_MS = 20_000
const HINT_MS = 2_000
/** Of ERC-4337 and of a call that reverts: the operation itself is refused, and not the question. */
export const refusesOperation = ({ code, reason }: RpcRefusal): boolean =>
  reason !== undefined || (code <= -32_500 && code >= -32_530)

export interface CarriedOperation extends OperationPlace {
  readonly operation: UserOperation
}

/** Words of storage that stand in for a chain's own. */
export type StateOverride = Readonly<
  Record<Address, { readonly stateDiff: Readonly<Record<Bytes32, Bytes32>> }>
>

export interface EstimatedOperation extends CarriedOperation {
  readonly stateOverride?: StateOverride
}

type ReadFailure = BundlerFailure | UserOperationChainUnavailable

/** The first that serves and answers; what the last one failed with, where none does. */
const fromAny = <A>(
  endpoints: ReadonlyArray<BundlerEndpoint>,
  place: OperationPlace,
  read: (endpoint: BundlerEndpoint) => Effect.Effect<A, BundlerFailure>
): Effect.Effect<A, ReadFailure> => {
  const [first, ...others] = endpoints
  if (first === undefined)
    return Effect.fail(new UserOperationChainUnavailable({ context: { chainId: place.chainId } }))
  const one = Effect.zipRight(first.checkServes(place), read(first))
  return others.length === 0 ? one : Effect.catchAll(one, () => fromAny(others, place, read))
}

/** Of one that serves, whatever is no answer is a refusal: the gateways before bundlers have many words for it. */
const told = <A, I>(
  { ask, checkServes }: BundlerEndpoint,
  place: OperationPlace,
  method: string,
  schema: Schema.Schema<A, I>
) =>
  ask(method, [], schema).pipe(
    Effect.map(answer => (isRefused(answer) ? Option.none<A>() : Option.some(answer))),
    Effect.catchAll(() => Effect.as(checkServes(place), Option.none<A>()))
  )

const priorityOf = (endpoint: BundlerEndpoint, place: OperationPlace) =>
  Effect.map(
    told(endpoint, place, "rundler_maxPriorityFeePerGas", PriorityFee),
    Option.map(maxPriorityFeePerGas => ({ maxFeePerGas: 0n, maxPriorityFeePerGas }))
  )

/** No standard asks for it: each kind of bundler has its own question, and refuses those that it does not know. */
const feesOf = (place: OperationPlace) => (endpoint: BundlerEndpoint) =>
  Effect.flatMap(
    told(endpoint, place, "pimlico_getUserOperationGasPrice", GasPrices),
    Option.match({
      onNone: () => priorityOf(endpoint, place),
      onSome: ({ standard }) => Effect.succeedSome(standard)
    })
  )

/** Of a question that has what not all of them know, every refusal is an answer. */
const estimateOf =
  ({ operation, entryPoint, stateOverride }: EstimatedOperation) =>
  ({ ask }: BundlerEndpoint) => {
    const params = [operation, entryPoint, ...(stateOverride === undefined ? [] : [stateOverride])]
    return Effect.filterOrFail(
      ask("eth_estimateUserOperationGas", params, GasEstimation),
      answer => !isRefused(answer) || stateOverride !== undefined || refusesOperation(answer),
      answer => new BundlerUnavailable({ context: isRefused(answer) ? { rpcCode: answer.code } : {} })
    )
  }

const decodeHash = Schema.decodeUnknownOption(CarrierBytes32)

/** Whatever is not a hash says nothing. */
const sendTo = ({ exchange }: BundlerEndpoint, { operation, entryPoint }: CarriedOperation) => {
  const method = "eth_sendUserOperation"
  return exchange({ method, params: [operation, entryPoint], isSending: true }, SENDING_MS).pipe(
    Effect.map(answer => (answer._tag === "Answered" ? decodeHash(answer.result) : Option.none())),
    Effect.orElseSucceed(() => Option.none())
  )
}

const lastServing = (endpoints: ReadonlyArray<BundlerEndpoint>, place: OperationPlace) => {
  const served = Array.filterMap(endpoints, endpoint =>
    Option.map(endpoint.servedAt(place), at => ({ endpoint, at }))
  )
  const latestFirst = Array.sortWith(served, ({ at }) => at, Order.reverse(Order.number))
  return Option.map(Array.head(latestFirst), ({ endpoint }) => endpoint)
}

/** The first that serves. What is claimed leaves now or never: where none shows it at the moment, the one of those that did before that answered last. */
const serving = (endpoints: ReadonlyArray<BundlerEndpoint>, place: OperationPlace) =>
  Effect.firstSuccessOf(endpoints.map(each => Effect.as(each.checkServes(place), each))).pipe(
    Effect.orElse(() => lastServing(endpoints, place)),
    Effect.option
  )

const sendOnce = (endpoints: ReadonlyArray<BundlerEndpoint>, carried: CarriedOperation) =>
  Effect.flatMap(
    endpoints.length === 0 ? Effect.succeedNone : serving(endpoints, carried),
    Option.match({ onNone: () => Effect.succeedNone, onSome: endpoint => sendTo(endpoint, carried) })
  )

/** A receipt of another operation is none, nor is what comes late: who asks has looked at the chain already. */
const hintBy = ({ ask }: BundlerEndpoint, operationHash: Bytes32) =>
  ask("eth_getUserOperationReceipt", [operationHash], OperationReceipt).pipe(
    Effect.map(answer =>
      isRefused(answer) || answer?.userOpHash !== operationHash
        ? Option.none()
        : Option.some(answer.receipt.transactionHash)
    ),
    Effect.orElseSucceed(() => Option.none()),
    Effect.timeoutTo({ duration: HINT_MS, onTimeout: () => Option.none(), onSuccess: hint => hint })
  )

const hintFrom = (endpoints: ReadonlyArray<BundlerEndpoint>, operationHash: Bytes32) =>
  Effect.map(
    Effect.forEach(endpoints, each => hintBy(each, operationHash), { concurrency: "unbounded" }),
    Option.firstSomeOf
  )

export class Bundler extends Context.Tag("useroperations/Bundler")<
  Bundler,
  {
    readonly chainIds: ReadonlyArray<number>
    /** What it would have an operation pay; none where it does not say. */
    readonly fees: (place: OperationPlace) => Effect.Effect<Option.Option<BundlerFees>, ReadFailure>
    readonly estimate: (asked: EstimatedOperation) => Effect.Effect<GasEstimation | RpcRefusal, ReadFailure>
    /** Whether one is there to send to, as far as is known. */
    readonly checkServing: (place: OperationPlace) => Effect.Effect<void, ReadFailure>
    /** Sends once, to one of them: the hash that it names, and none where it is not known what became of it. */
    readonly send: (carried: CarriedOperation) => Effect.Effect<Option.Option<Bytes32>>
    /** The transaction that is said to hold the operation: where to look, and nothing more. */
    readonly hint: (chainId: number, operationHash: Bytes32) => Effect.Effect<Option.Option<Bytes32>>
  }
>() {
  static readonly layer = Layer.scoped(
    Bundler,
    Effect.gen(function* () {
      const { bundlers } = (yield* Settings).userOperations
      const byChain = new Map(
        yield* Effect.forEach(bundlers, ({ chainId, urls }) =>
          Effect.map(
            Effect.forEach(urls, (url, place) => bundlerEndpoint(chainId, url, place)),
            endpoints => [chainId, endpoints] as const
          )
        )
      )
      const of = (chainId: number) => byChain.get(chainId) ?? []
      return {
        chainIds: [...byChain.keys()],
        fees: (place: OperationPlace) =>
          Effect.withSpan(fromAny(of(place.chainId), place, feesOf(place)), "Bundler.fees"),
        estimate: (asked: EstimatedOperation) =>
          Effect.withSpan(fromAny(of(asked.chainId), asked, estimateOf(asked)), "Bundler.estimate"),
        checkServing: (place: OperationPlace) => fromAny(of(place.chainId), place, () => Effect.void),
        send: (carried: CarriedOperation) =>
          Effect.withSpan(sendOnce(of(carried.chainId), carried), "Bundler.send"),
        hint: (chainId: number, operationHash: Bytes32) =>
          Effect.withSpan(hintFrom(of(chainId), operationHash), "Bundler.hint")
      }
    })
  )
}
