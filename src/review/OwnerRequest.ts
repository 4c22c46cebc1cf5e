/** What an owner of a wallet is asked to sign, as it travels between owners: read strictly, and computed anew from what was read. */
import { numberToHex, sliceHex } from "viem"
import type { TypedDataPayload } from "../client/Signer.ts"
import { partsOfAccount } from "../client/SignRequest.ts"
import type { Call } from "../plans/Plan.ts"
import type { WalletState } from "../smartaccounts/StateHash.ts"
import { type BindingChallenge, challengeDigest, challengeTypedData } from "../values/BindingChallenge.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { operationHash } from "../values/PackedOperation.ts"
import {
  type AdaptedOperation,
  safeOperationDigest,
  safeOperationTypedData
} from "../values/SafeOperation.ts"
import type { UserOperation } from "../values/UserOperation.ts"
import { executionCalldata } from "../values/WalletExecution.ts"
import { GivenMembers, Misshapen } from "./GivenMembers.ts"

/** That the wallet acts, by an operation that is said to make these calls. */
export interface ActionRequest {
  readonly kind: "operation"
  readonly adapted: AdaptedOperation
  readonly typedData: ReturnType<typeof safeOperationTypedData>
  readonly digest: `0x${string}`
  readonly operationHash: `0x${string}`
  readonly calls: ReadonlyArray<Call>
}

/** That the wallet is bound to an account, in the state that is said to be its own. */
export interface BindingRequest {
  readonly kind: "binding"
  readonly challenge: BindingChallenge
  readonly typedData: ReturnType<typeof challengeTypedData>
  readonly digest: `0x${string}`
  readonly state: WalletState
}

export type OwnerRequest = ActionRequest | BindingRequest

export const actionRequest = (adapted: AdaptedOperation, calls: ReadonlyArray<Call>): ActionRequest => ({
  kind: "operation",
  adapted,
  typedData: safeOperationTypedData(adapted),
  digest: safeOperationDigest(adapted),
  operationHash: operationHash(adapted.operation, adapted),
  calls
})

/** `audience` is the service's. */
export const bindingRequest = (
  audience: string,
  state: WalletState,
  challenge: BindingChallenge
): BindingRequest => ({
  kind: "binding",
  challenge,
  typedData: challengeTypedData(audience, state, challenge),
  digest: challengeDigest(audience, state, challenge),
  state
})

const isCalled = (calls: ReadonlyArray<Call>, callData: string): boolean => {
  try {
    const made = calls.map(({ to, value, data }) => ({ to, value: BigInt(value), data }))
    return executionCalldata(made) === callData
  } catch {
    return false
  }
}

const NOT_CALLED = "the wallet would make other calls than those that are shown"
const ELSEWHERE = "a call is of another chain than the wallet"
const PAID_BY_NOBODY = "it names nobody as paymaster, so the wallet pays"

/** Empty where the operation makes exactly the calls that it is said to make, and whoever it names pays. */
export const statedDangers = ({
  adapted: { chainId, operation },
  calls
}: Pick<ActionRequest, "adapted" | "calls">): ReadonlyArray<string> => [
  ...(isCalled(calls, operation.callData) ? [] : [NOT_CALLED]),
  ...(calls.every(call => call.chainId === chainId) ? [] : [ELSEWHERE]),
  ...("paymaster" in operation && BigInt(operation.paymaster) === 0n ? [PAID_BY_NOBODY] : [])
]

/** As a wallet is given it. */
export const payloadOf = ({ typedData }: OwnerRequest): TypedDataPayload => ({
  ...typedData,
  message: { ...typedData.message }
})

/** A text that `readOwnerRequest` reads. */
export const ownerRequestText = (request: OwnerRequest): string => {
  const { typedData } = request
  return request.kind === "operation"
    ? JSON.stringify({ typedData, calls: request.calls })
    : JSON.stringify({ typedData, state: request.state })
}

const PAYMASTER_BYTES = 20
const GAS_BYTES = 16
const PAID_BYTES = PAYMASTER_BYTES + 2 * GAS_BYTES

const quantity = (value: bigint | number): `0x${string}` => numberToHex(value)

const gasAt = (data: `0x${string}`, start: number): `0x${string}` =>
  quantity(BigInt(sliceHex(data, start, start + GAS_BYTES)))

const paidBy = (data: `0x${string}`) =>
  data === "0x"
    ? {}
    : {
        paymaster: new GivenMembers({ of: sliceHex(data, 0, PAYMASTER_BYTES) }).address("of"),
        paymasterVerificationGasLimit: gasAt(data, PAYMASTER_BYTES),
        paymasterPostOpGasLimit: gasAt(data, PAYMASTER_BYTES + GAS_BYTES),
        paymasterData: data.length > 2 + 2 * PAID_BYTES ? sliceHex(data, PAID_BYTES) : ("0x" as const)
      }

const operationIn = (message: GivenMembers): UserOperation => {
  const data = message.hex("paymasterAndData")
  if (data !== "0x" && data.length < 2 + 2 * PAID_BYTES) throw new Misshapen("no paymaster")
  return {
    sender: message.address("safe"),
    nonce: quantity(message.integer("nonce")),
    callData: message.hex("callData"),
    callGasLimit: quantity(message.integer("callGasLimit")),
    verificationGasLimit: quantity(message.integer("verificationGasLimit")),
    preVerificationGas: quantity(message.integer("preVerificationGas")),
    maxFeePerGas: quantity(message.integer("maxFeePerGas")),
    maxPriorityFeePerGas: quantity(message.integer("maxPriorityFeePerGas")),
    ...paidBy(data),
    signature: "0x"
  }
}

const callIn = (given: GivenMembers): Call => {
  const decoded = given.within("decoded")
  const args = decoded.plain("args")
  return {
    chainId: given.number("chainId"),
    to: given.address("to"),
    data: given.hex("data"),
    value: String(given.integer("value")),
    label: given.text("label"),
    dependsOn: [],
    decoded: {
      contractId: decoded.text("contractId"),
      abiHash: decoded.text("abiHash"),
      function: decoded.text("function"),
      args: Array.isArray(args) ? args : []
    }
  }
}

const actionIn = (given: GivenMembers): ActionRequest => {
  const [domain, message] = ["domain", "message"].map(name => given.within("typedData").within(name))
  if (domain === undefined || message === undefined) throw new Misshapen("no typed data")
  const adapted: AdaptedOperation = {
    chainId: domain.number("chainId"),
    adapter: domain.address("verifyingContract"),
    entryPoint: message.address("entryPoint"),
    validAfter: message.number("validAfter"),
    validUntil: message.number("validUntil"),
    operation: operationIn(message)
  }
  return actionRequest(adapted, given.all("calls").map(callIn))
}

const stateIn = (given: GivenMembers): WalletState => ({
  chainId: given.number("chainId"),
  address: given.address("address"),
  manifestId: given.text("manifestId"),
  manifestRevision: given.hex("manifestRevision"),
  singleton: given.address("singleton"),
  adapter: given.address("adapter"),
  entryPoint: given.address("entryPoint"),
  fallbackHandler: given.address("fallbackHandler"),
  transactionGuard: given.address("transactionGuard"),
  hook: given.address("hook"),
  owners: given.addresses("owners"),
  threshold: given.number("threshold"),
  safeModules: given.addresses("safeModules"),
  validators: given.addresses("validators"),
  executors: given.addresses("executors")
})

/** Throws where it is none. */
const accountIn = (message: GivenMembers): string => {
  const accountId = message.text("accountId")
  partsOfAccount(accountId)
  return accountId
}

const bindingIn = (given: GivenMembers, audience: string): BindingRequest => {
  const message = given.within("typedData").within("message")
  return bindingRequest(audience, stateIn(given.within("state")), {
    accountId: accountIn(message),
    owner: message.address("owner"),
    stateHash: message.hex("stateHash"),
    nonce: message.hex("nonce"),
    expiresAt: message.number("expiresAt")
  })
}

const SEQUENCE_BITS = 64n
const NOT_OWNERS = "its nonce is not of the wallet's owners"
const ENDLESS = "it has no end: one that ends at 0 is valid for ever"

/** Empty where owners may sign it. */
const askedDangers = (request: ActionRequest): ReadonlyArray<string> => [
  ...statedDangers(request),
  ...(BigInt(request.adapted.operation.nonce) >> SEQUENCE_BITS === 0n ? [] : [NOT_OWNERS]),
  ...(request.adapted.validUntil === 0 ? [ENDLESS] : [])
]

/** What was given is something else than it says. */
export class Misstated extends Error {
  override readonly name = "Misstated"
}

/** Throws `Misstated` unless what is computed here from its parts is, to the byte, the typed data that was given, makes the calls that are shown, in the owners' turn, and ends. */
export const readOwnerRequest = (text: string, audience: string): OwnerRequest => {
  const given = new GivenMembers(JSON.parse(text))
  const { primaryType } = Object(given.plain("typedData"))
  const request = primaryType === "SafeOp" ? actionIn(given) : bindingIn(given, audience)
  if (canonicalJson(request.typedData) !== canonicalJson(given.plain("typedData")))
    throw new Misstated("its typed data is not what is computed from it")
  const [danger] = request.kind === "operation" ? askedDangers(request) : []
  if (danger !== undefined) throw new Misstated(danger)
  return request
}
