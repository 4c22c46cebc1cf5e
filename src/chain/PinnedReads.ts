/** The questions about state, each pinned to one canonical block hash so that a node must refuse rather than answer of another block. */
import { Either, Option, Schema } from "effect"
import { type Address, Bytes32, Hex } from "../values/Scalars.ts"
import { failedCall } from "./CallOutcomes.ts"
import type { CallOutcome, CallRequest, EstimateOutcome, Read } from "./ChainClient.ts"
import { isLimiting } from "./JsonRpc.ts"
import { NodeRefusal } from "./NodeRefusal.ts"
import type { RpcFailure } from "./refusals.ts"
import { asked, decodeAs, Quantity, quantity, readQuantity } from "./Wire.ts"

const CALL_GAS = 30_000_000n
const SIMULATION_SECONDS = 10

const readHex = decodeAs(Hex)
const readWord = decodeAs(Bytes32)

const pinned = (blockHash: Bytes32) => ({ blockHash, requireCanonical: true })

const transactionOf = ({ to, data, from, value, gas, accessList = [] }: CallRequest) => ({
  to,
  data,
  ...(from !== undefined && { from }),
  ...(value !== undefined && { value: quantity(value) }),
  ...(gas !== undefined && { gas: quantity(gas) }),
  ...(accessList.length > 0 && { accessList })
})

const calling = (params: ReadonlyArray<unknown>): Read<CallOutcome> => ({
  method: "eth_call",
  params,
  decode: result => Either.map(readHex(result), data => ({ _tag: "Returned", data }) as const),
  onNodeError: failedCall
})

export const call = (request: CallRequest, at: Bytes32): Read<CallOutcome> =>
  calling([transactionOf({ gas: CALL_GAS, ...request }), pinned(at)])

/** A call to a contract that is known not to look at who asks, such as a lookup in a registry. */
export const callForAnyone = (request: Pick<CallRequest, "to" | "data">, at: Bytes32): Read<CallOutcome> => ({
  ...call({ to: request.to, data: request.data }, at),
  forAnyone: { to: request.to, data: request.data, at }
})

/** Of whatever block the node takes for the latest, or for the one of this number: good for guesses, proves nothing. */
export const guess = (request: CallRequest, at: bigint | undefined): Read<CallOutcome> =>
  calling([transactionOf({ gas: CALL_GAS, ...request }), at === undefined ? "latest" : quantity(at)])

/** Runs creation code that no contract has, at the block and for this answer alone. */
export const creationCall = (data: Hex, at: Bytes32): Read<CallOutcome> =>
  calling([{ data, gas: quantity(CALL_GAS) }, pinned(at)])

/** A call whose cost may be that of a whole transaction. */
export const simulatedCall = (request: CallRequest, at: Bytes32): Read<CallOutcome> => ({
  ...call(request, at),
  deadlineSeconds: SIMULATION_SECONDS
})

export const gasEstimate = (request: CallRequest, at: Bytes32): Read<EstimateOutcome> => ({
  method: "eth_estimateGas",
  params: [transactionOf(request), pinned(at)],
  deadlineSeconds: SIMULATION_SECONDS,
  decode: result => Either.map(readQuantity(result), gas => ({ _tag: "Estimated", gas }) as const),
  onNodeError: failedCall
})

/** Nothing where the node gives no answer that can be read; the reads beside it keep theirs. */
export const tentative = <A>(read: Read<A>): Read<Option.Option<A>> => ({
  method: read.method,
  params: read.params,
  ...(read.deadlineSeconds !== undefined && { deadlineSeconds: read.deadlineSeconds }),
  decode: result => Either.right(Either.getRight(read.decode(result))),
  onNodeError: error => Option.fromNullable(read.onNodeError?.(error))
})

/** Fails by itself where the node gives no answer that can be read, unless the node is over its limit; the reads beside it keep theirs. */
export const apart = <A>(read: Read<A>): Read<Either.Either<A, RpcFailure>> => ({
  ...read,
  decode: result => Either.right(read.decode(result)),
  onNodeError: (error, servedTag) => {
    const value = read.onNodeError?.(error, servedTag)
    if (value !== undefined) return Either.right(value)
    return isLimiting(error.code) ? undefined : Either.left(new NodeRefusal(read, error.code))
  }
})

export const code = (address: Address, at: Bytes32): Read<Hex> => ({
  method: "eth_getCode",
  params: [address, pinned(at)],
  decode: readHex
})

export const balance = (address: Address, at: Bytes32): Read<bigint> => ({
  method: "eth_getBalance",
  params: [address, pinned(at)],
  decode: readQuantity
})

export const storageWord = (address: Address, slot: Bytes32, at: Bytes32): Read<Bytes32> => ({
  method: "eth_getStorageAt",
  params: [address, slot, pinned(at)],
  decode: readWord
})

const SimulatedLog = Schema.Struct({ address: Hex, topics: Schema.Array(Bytes32), data: Hex })

const SimulatedLogs = Schema.Array(SimulatedLog)

/** Of a call that failed, some nodes tell no logs. */
const SimulatedCall = Schema.extend(
  Schema.Struct({ returnData: Hex, gasUsed: Quantity }),
  Schema.Union(
    Schema.Struct({ status: Schema.transformLiteral("0x1", "success"), logs: SimulatedLogs }),
    Schema.Struct({
      status: Schema.transformLiteral("0x0", "reverted"),
      logs: Schema.optionalWith(SimulatedLogs, { nullable: true, default: () => [] })
    })
  )
)

const readSimulation = decodeAs(Schema.Tuple(Schema.Struct({ calls: Schema.Array(SimulatedCall) })))

export type SimulationOutcome =
  | { readonly _tag: "Simulated"; readonly calls: ReadonlyArray<typeof SimulatedCall.Type> }
  | { readonly _tag: "Refused"; readonly code: number }

/** Ether transfers come back as logs of the pseudo token at 0xeeee…eeee. Many nodes refuse the method. */
export const simulation = (requests: ReadonlyArray<CallRequest>, at: Bytes32): Read<SimulationOutcome> => ({
  method: "eth_simulateV1",
  params: [{ blockStateCalls: [{ calls: requests.map(transactionOf) }], traceTransfers: true }, pinned(at)],
  deadlineSeconds: SIMULATION_SECONDS,
  decode: result =>
    readSimulation(result).pipe(
      Either.flatMap(asked(([block]) => block.calls.length === requests.length)),
      Either.map(([{ calls }]) => ({ _tag: "Simulated", calls }) as const)
    ),
  onNodeError: ({ code }) => ({ _tag: "Refused", code })
})
