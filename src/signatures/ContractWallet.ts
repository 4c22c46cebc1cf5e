/** Whether an owner's contract accepts a signature at one block: EIP-1271 answered with the magic word and nothing else. */
import { Effect } from "effect"
import { type CallOutcome, type CallRequest, ChainClient, type Snapshot } from "../chain/ChainClient.ts"
import { isLimiting } from "../chain/JsonRpc.ts"
import { RpcUnavailable } from "../chain/refusals.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import { toHex } from "../values/TypedDataHash.ts"

const IS_VALID_SIGNATURE = "1626ba7e"
const ACCEPTANCE = `0x${IS_VALID_SIGNATURE}${"0".repeat(56)}`
const GAS = 500_000n

const DELEGATED_CODE = "0xef0100"
const COUNTERFACTUAL_SUFFIX = "6492".repeat(16)

/** Precompiles live at addresses this low; some echo their input or have a byte of code. */
const HIGHEST_PRECOMPILE = 0xffffn

/** JSON-RPC codes by which a node says that it did not run the call at all. */
const NOT_RUN = new Set([-32700, -32600, -32601, -32602, -32001, -32002, -32004])

export interface ContractQuestion {
  readonly digest: Uint8Array
  readonly signature: Hex
  readonly signer: Address
  readonly authorityChainId: number
}

/** Gives back what it is called with, on every chain. */
const IDENTITY: Address = "0x0000000000000000000000000000000000000004"

const word = (value: number): string => value.toString(16).padStart(64, "0")

const calldata = ({ digest, signature }: ContractQuestion): Hex => {
  const body = signature.slice(2).toLowerCase()
  const padding = "0".repeat((64 - (body.length % 64)) % 64)
  return `0x${IS_VALID_SIGNATURE}${toHex(digest).slice(2)}${word(64)}${word(body.length / 2)}${body}${padding}`
}

/** What no contract can answer for, decided without asking a node. */
export const isOutOfQuestion = ({ signer, signature }: ContractQuestion): boolean =>
  BigInt(signer) <= HIGHEST_PRECOMPILE || signature.toLowerCase().endsWith(COUNTERFACTUAL_SUFFIX)

const isContract = (code: Hex | undefined): boolean =>
  code !== undefined && code !== "0x" && !code.startsWith(DELEGATED_CODE)

const isRun = (outcome: CallOutcome | undefined): boolean =>
  outcome !== undefined &&
  (outcome._tag !== "Refused" || !(NOT_RUN.has(outcome.code) || isLimiting(outcome.code)))

const isAcceptance = (outcome: CallOutcome | undefined): boolean =>
  outcome?._tag === "Returned" && outcome.data === ACCEPTANCE

/** An error without revert data is the contract's where the node runs another call beside it: without the block's state it runs none. */
const askAgain = Effect.fnUntraced(function* ({ calls }: Snapshot, call: CallRequest) {
  const [outcome, echo] = yield* calls([call, { to: IDENTITY, data: call.data, gas: GAS }])
  const isEcho = echo?._tag === "Returned" && echo.data === call.data
  return isEcho && isRun(outcome) ? isAcceptance(outcome) : yield* new RpcUnavailable()
})

const ask = Effect.fn("ContractWallet.ask")(function* (snapshot: Snapshot, question: ContractQuestion) {
  const [code] = yield* snapshot.codes([question.signer])
  if (!isContract(code)) return false
  const call = { to: question.signer, data: calldata(question), gas: GAS }
  const [outcome] = yield* snapshot.calls([call])
  if (!isRun(outcome)) return yield* new RpcUnavailable()
  return outcome?._tag === "Refused" ? yield* askAgain(snapshot, call) : isAcceptance(outcome)
})

export const contractAccepts = Effect.fn("ContractWallet.accepts")(function* (question: ContractQuestion) {
  const chains = yield* ChainClient
  const snapshot = yield* chains.snapshot(question.authorityChainId)
  return yield* ask(snapshot, question)
})
