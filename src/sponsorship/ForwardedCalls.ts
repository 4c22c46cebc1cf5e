/** What a forwarder was called with, read strictly, and what it says that it executed. */
import { Either } from "effect"
import type { AbiParameter } from "../catalog/Abi.ts"
import type { RawLog } from "../chain/ChainClient.ts"
import type { AdmittedStanding } from "../dispatch/Transport.ts"
import type { ForwardBinding } from "../plans/Binding.ts"
import { decodeValues, isCanonicalEncoding } from "../protocol/AbiValues.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"

const REQUEST = "(address,address,uint256,uint256,uint48,bytes,bytes)"
const EXECUTE = keccak256Utf8(`execute(${REQUEST})`).slice(0, 10)
const EXECUTE_BATCH = keccak256Utf8(`executeBatch(${REQUEST}[],address)`).slice(0, 10)
export const EXECUTED_TOPIC = keccak256Utf8("ExecutedForwardRequest(address,uint256,bool)")

const members: ReadonlyArray<AbiParameter> = [
  { name: "from", type: "address" },
  { name: "to", type: "address" },
  { name: "value", type: "uint256" },
  { name: "gas", type: "uint256" },
  { name: "deadline", type: "uint48" },
  { name: "data", type: "bytes" },
  { name: "signature", type: "bytes" }
]

const one: ReadonlyArray<AbiParameter> = [{ name: "request", type: "tuple", components: members }]
const several: ReadonlyArray<AbiParameter> = [
  { name: "requests", type: "tuple[]", components: members },
  { name: "refundReceiver", type: "address" }
]

const NOBODY = "0x0000000000000000000000000000000000000000"

export interface ForwarderCall {
  readonly kind: "execute" | "executeBatch"
  readonly requests: ReadonlyArray<unknown>
  /** It executes each of them, or nothing. */
  readonly isAtomic: boolean
}

const readBy = (parameters: ReadonlyArray<AbiParameter>, input: Hex): ReadonlyArray<unknown> | undefined => {
  const data: Hex = `0x${input.slice(10)}`
  const values = Either.getOrUndefined(decodeValues(parameters, data))
  return values !== undefined && isCanonicalEncoding(parameters, values, data) ? values : undefined
}

/** Undefined for any other function, and for what was not written in the one canonical way. */
export const forwarderCall = (input: Hex): ForwarderCall | undefined => {
  const selector = input.slice(0, 10)
  if (selector === EXECUTE) {
    const requests = readBy(one, input)
    return requests && { kind: "execute", requests, isAtomic: true }
  }
  const [requests, refundReceiver] = (selector === EXECUTE_BATCH ? readBy(several, input) : undefined) ?? []
  return Array.isArray(requests)
    ? { kind: "executeBatch", requests, isAtomic: refundReceiver === NOBODY }
    : undefined
}

/** A request that was published for a step. */
export interface PublishedRequest extends Pick<AdmittedStanding, "account" | "call"> {
  readonly request: ForwardBinding["request"]
}

/** The nonce is not in it, and the signature is whoever's the forwarder took: it executed what the wallet signed. */
const membersOf = ({ account, call, request }: PublishedRequest): Readonly<Record<string, string>> => ({
  from: account,
  to: call.to,
  value: call.value,
  gas: request.gas,
  deadline: String(request.deadline),
  data: call.data
})

const isThis = (published: PublishedRequest) => {
  const expected = Object.entries(membersOf(published))
  return (request: unknown): boolean =>
    expected.every(([name, value]) => Reflect.get(Object(request), name) === value)
}

/** How often it asks for this very request. */
export const timesIn = ({ requests }: ForwarderCall, published: PublishedRequest): number =>
  requests.filter(isThis(published)).length

/** Of a signer, as it is indexed. */
export const signerTopic = (signer: string): Bytes32 => `0x${signer.slice(2).toLowerCase().padStart(64, "0")}`

export interface ExecutedRequest {
  readonly nonce: string
  readonly isSuccess: boolean
  readonly log: RawLog
}

const WORDS = /^0x([0-9a-f]{64})0{63}([01])$/

const isExecution = ({ address, topics: [topic] }: RawLog, forwarder: Hex): boolean =>
  address === forwarder && topic === EXECUTED_TOPIC

/** Whose requests the forwarder executed, each told where it ended: one that was executed within another one comes before that. */
export const signersOf = (logs: ReadonlyArray<RawLog>, forwarder: Hex): ReadonlyArray<string | undefined> =>
  logs.flatMap(log => (isExecution(log, forwarder) ? [log.topics[1]] : []))

/** The forwarder's events of a signer, in the order of the logs. */
export const executedBy = (
  logs: ReadonlyArray<RawLog>,
  forwarder: Hex,
  signer: Address
): ReadonlyArray<ExecutedRequest> =>
  logs.flatMap(log => {
    if (!isExecution(log, forwarder) || log.topics[1] !== signerTopic(signer)) return []
    const [, nonce, success] = WORDS.exec(log.data) ?? []
    return nonce === undefined
      ? []
      : [{ nonce: String(BigInt(`0x${nonce}`)), isSuccess: success === "1", log }]
  })

/** Whether what was executed is all that the call asks for, so that nothing else was executed within it. */
export const isAllThereIs = (
  { requests, isAtomic }: ForwarderCall,
  signers: ReadonlyArray<string | undefined>
): boolean => signers.length === requests.length && (isAtomic || requests.length === 1)

const fromOf = (request: unknown): unknown => Reflect.get(Object(request), "from")

/** Whether what was executed came in the order of the requests, but for those that were passed over. */
const isInOrder = ({ requests }: ForwarderCall, signers: ReadonlyArray<string | undefined>): boolean => {
  const passed = requests.reduce(
    (count: number, request) => (signerTopic(String(fromOf(request))) === signers[count] ? count + 1 : count),
    0
  )
  return passed === signers.length
}

/**
 * Whether a batch executed all that it holds of the wallet, and this request by its nonce: those that are not signed for
 * the next nonce it passes over. Of what others' requests executed within them it tells nothing, and may have passed this one over.
 */
export const isWhollyExecuted = (
  called: ForwarderCall,
  published: PublishedRequest,
  executed: ReadonlyArray<ExecutedRequest>,
  signers: ReadonlyArray<string | undefined>
): boolean => {
  const own = called.requests.filter(request => fromOf(request) === published.account)
  const first = BigInt(executed[0]?.nonce ?? 0)
  return (
    (called.isAtomic || own.length === called.requests.length) &&
    isInOrder(called, signers) &&
    own.length === executed.length &&
    executed.every(({ nonce }, position) => BigInt(nonce) === first + BigInt(position)) &&
    executed[own.findIndex(isThis(published))]?.nonce === published.request.nonce
  )
}
