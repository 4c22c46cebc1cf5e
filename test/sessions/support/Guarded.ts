/** Wallets whose guard lets a key act within a policy, on the real entry point, wallet and adapter. */
import {
  type Address,
  decodeErrorResult,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  isHex,
  keccak256,
  parseEther,
  parseEventLogs
} from "viem"
import { entryPoint07Abi } from "viem/account-abstraction"
import type { PrivateKeyAccount } from "viem/accounts"
import { assert } from "vitest"
import usd from "../../../sandbox/artifacts/SandboxUSD.json" with { type: "json" }
import { compiledHashOf, type GuardedWallet, permissionIdOf } from "../../../src/sessions/Compile.ts"
import { sessionEnvelope } from "../../../src/sessions/Envelope.ts"
import { encodePolicy } from "../../../src/sessions/Policy.ts"
import type { SessionPolicy } from "../../../src/sessions/PolicyShape.ts"
import { checksummed } from "../../../src/values/Checksum.ts"
import { operationHash, packedOperation } from "../../../src/values/PackedOperation.ts"
import type { UserOperation } from "../../../src/values/UserOperation.ts"
import { executionCalldata, type WalletCall } from "../../../src/values/WalletExecution.ts"
import { type Acting, owner, stranger } from "../../sandbox/support/Sandbox.ts"
import { ownersDo } from "../../smartaccounts/support/Inspections.ts"
import { createWallet, ENTRY_POINT, GUARD, type Wallet } from "../../smartaccounts/support/Wallets.ts"
import { guardAbi, tokenAbi } from "./Abis.ts"
import { PAYEE, policyFor, sessionKey, transfer } from "./Policies.ts"

export const CHAIN_ID = 31_337
const PLACE = { chainId: CHAIN_ID, entryPoint: ENTRY_POINT }
export interface GuardedSession extends GuardedWallet {
  readonly wallet: Wallet
  readonly token: Address
  readonly policy: SessionPolicy
  readonly encoded: Hex
  readonly permissionId: Hex
  readonly compiledHash: Hex
}

export const sessionOf = (wallet: Wallet, token: Address, policy: SessionPolicy): GuardedSession => {
  const guarded = { chainId: CHAIN_ID, guard: GUARD, account: wallet.address }
  const encoded = encodePolicy(policy)
  const compiledHash = compiledHashOf(guarded, encoded)
  return {
    ...guarded,
    wallet,
    token,
    policy,
    encoded,
    permissionId: permissionIdOf(guarded, policy),
    compiledHash
  }
}

export const enableData = (encoded: Hex, nonce = 0n): Hex =>
  encodeFunctionData({ abi: guardAbi, functionName: "enable", args: [nonce, encoded] })

export const revokeData = (permissionId: Hex): Hex =>
  encodeFunctionData({ abi: guardAbi, functionName: "revoke", args: [permissionId] })

/** By the wallet's owners. */
export const toldGuard = (sandbox: Acting, wallet: Wallet, data: Hex) =>
  ownersDo(sandbox, wallet, data, undefined, GUARD)

let salts = 50_000n

export const guardedWallet = (sandbox: Acting): Promise<Wallet> =>
  createWallet({ ...sandbox, stop: () => Promise.resolve() }, { saltNonce: salts++, funds: parseEther("10") })

export const codeHashAt = async ({ client }: Acting, address: Address): Promise<Hex> =>
  keccak256((await client.getCode({ address })) ?? "0x")

export const nowOf = async ({ client }: Acting): Promise<number> =>
  Number((await client.getBlock()).timestamp)

/** A new wallet that has enabled a policy over the token. */
export const newSession = async (
  sandbox: Acting,
  token: Address,
  changes: Partial<SessionPolicy> = {}
): Promise<GuardedSession> => {
  const wallet = await guardedWallet(sandbox)
  const policy = policyFor(token, await codeHashAt(sandbox, token), await nowOf(sandbox), changes)
  const session = sessionOf(wallet, token, policy)
  await toldGuard(sandbox, wallet, enableData(session.encoded))
  return session
}

const quantity = (value: bigint): Hex => `0x${value.toString(16)}`

export const sessionNonceKey = (guard: Address = GUARD, lane = 0n): bigint => (BigInt(guard) << 32n) | lane

export const nonceOf = ({ client }: Acting, wallet: Wallet, key = sessionNonceKey()): Promise<bigint> =>
  client.readContract({
    address: ENTRY_POINT,
    abi: entryPoint07Abi,
    functionName: "getNonce",
    args: [wallet.address, key]
  })

export const payCall = ({ token }: Pick<GuardedSession, "token">, amount = 10n, to = PAYEE): WalletCall => ({
  to: token,
  value: 0n,
  data: transfer(to, amount)
})

export const withoutSignature = async (
  sandbox: Acting,
  { wallet }: Pick<GuardedSession, "wallet">,
  callData: Hex,
  changes: Partial<UserOperation> = {}
): Promise<UserOperation> => ({
  sender: wallet.address,
  nonce: quantity(await nonceOf(sandbox, wallet)),
  callData,
  callGasLimit: quantity(200_000n),
  verificationGasLimit: quantity(500_000n),
  preVerificationGas: quantity(60_000n),
  maxFeePerGas: quantity(3_000_000_000n),
  maxPriorityFeePerGas: quantity(1_000_000_000n),
  signature: "0x",
  ...changes
})

export const signedBySession = async (
  { permissionId, encoded }: Pick<GuardedSession, "permissionId" | "encoded">,
  operation: UserOperation,
  key: PrivateKeyAccount = sessionKey
): Promise<UserOperation> => {
  const signature = await key.signMessage({ message: { raw: operationHash(operation, PLACE) } })
  return { ...operation, signature: sessionEnvelope(permissionId, encoded, signature) }
}

/** Of one call under the session, signed by its key. */
export const sessionOperation = async (
  sandbox: Acting,
  session: GuardedSession,
  call: WalletCall = payCall(session),
  changes: Partial<UserOperation> = {}
): Promise<UserOperation> =>
  signedBySession(session, await withoutSignature(sandbox, session, executionCalldata([call]), changes))

/** `accepted`, or by what it was refused. */
type GuardOutcome = string

const revertData = (failure: unknown): Hex => {
  for (let at = failure; at !== undefined && at !== null; at = Object(at).cause) {
    const { data } = Object(at)
    if (isHex(data)) return data
    if (isHex(Object(data).data)) return Object(data).data
  }
  return assert.fail(String(failure))
}

const ruleIn = (data: Hex): string | undefined => {
  try {
    return `rule ${decodeErrorResult({ abi: guardAbi, data }).args[0]}`
  } catch {
    return undefined
  }
}

const called = async (
  { client }: Acting,
  from: Address,
  to: Address,
  data: Hex
): Promise<Hex | undefined> => {
  const params = [{ from, to, data, gas: "0x1c9c380" }, "latest"] as const
  try {
    await client.transport.request({ method: "eth_call", params })
    return undefined
  } catch (failure) {
    return revertData(failure)
  }
}

/** What the guard says to this caller. */
export const guardSays = async (
  sandbox: Acting,
  from: Address,
  data: Hex,
  guard = GUARD
): Promise<GuardOutcome> => {
  const reverted = await called(sandbox, from, guard, data)
  return reverted === undefined ? "accepted" : (ruleIn(reverted) ?? reverted)
}

export const bundleData = (operations: ReadonlyArray<UserOperation>): Hex =>
  encodeFunctionData({
    abi: entryPoint07Abi,
    functionName: "handleOps",
    args: [operations.map(packedOperation), stranger.address]
  })

export const validateData = (operation: UserOperation): Hex =>
  encodeFunctionData({
    abi: guardAbi,
    functionName: "validateUserOp",
    args: [packedOperation(operation), operationHash(operation, PLACE)]
  })

/** The entry point's code for a bundle that it refuses. */
export const bundleSays = async (sandbox: Acting, bundle: Hex): Promise<GuardOutcome> => {
  const data = await called(sandbox, stranger.address, ENTRY_POINT, bundle)
  if (data === undefined) return "accepted"
  return String(decodeErrorResult({ abi: entryPoint07Abi, data }).args?.[1]).slice(0, 4)
}

/** What the entry point says of a bundle of this operation: its code and, where the guard refuses it, the guard's rule. */
export const entryPointSays = async (sandbox: Acting, operation: UserOperation): Promise<GuardOutcome> => {
  const code = await bundleSays(sandbox, bundleData([operation]))
  return code === "AA23"
    ? `AA23 ${await guardSays(sandbox, operation.sender, validateData(operation))}`
    : code
}

/** In one bundle, by anybody. */
export const carried = (sandbox: Acting, operations: ReadonlyArray<UserOperation>) =>
  sandbox.mined(
    sandbox.client.sendTransaction({
      account: stranger,
      to: ENTRY_POINT,
      data: bundleData(operations),
      gas: 10_000_000n
    })
  )

export const stateAt = (
  { client }: Acting,
  { permissionId, account }: Pick<GuardedSession, "permissionId" | "account">
) =>
  client.readContract({
    address: GUARD,
    abi: guardAbi,
    functionName: "stateOf",
    args: [permissionId, account]
  })

export const administrationAt = ({ client }: Acting, account: Address, guard = GUARD) =>
  client.readContract({ address: guard, abi: guardAbi, functionName: "administrationOf", args: [account] })

/** By the development account that owns all of these. */
export const deployed = async (sandbox: Acting, bytecode: string, args: Hex = "0x"): Promise<Address> => {
  const data: Hex = `0x${bytecode.slice(2)}${args.slice(2)}`
  const { contractAddress } = await sandbox.mined(sandbox.client.sendTransaction({ account: owner, data }))
  return contractAddress ? checksummed(contractAddress.toLowerCase()) : assert.fail("not created")
}

/** A token that anybody may mint. */
export const newToken = (sandbox: Acting): Promise<Address> =>
  deployed(
    sandbox,
    usd.bytecode,
    encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [owner.address, 0n])
  )

export const balanceOf = ({ client }: Acting, token: Address, of: Address): Promise<bigint> =>
  client.readContract({ address: token, abi: tokenAbi, functionName: "balanceOf", args: [of] })

/** Of a wallet that has 1,000 of the token. */
export const fundedSession = async (
  sandbox: Acting,
  token: Address,
  changes: Partial<SessionPolicy> = {}
): Promise<GuardedSession> => {
  const session = await newSession(sandbox, token, changes)
  const mint = { abi: tokenAbi, functionName: "mint", args: [session.account, 1_000n] } as const
  await sandbox.mined(sandbox.client.writeContract({ account: owner, address: token, ...mint }))
  return session
}

/** Whether the calls of an operation that was carried did what they are for. */
export const succeeded = async (sandbox: Acting, operation: UserOperation): Promise<boolean> => {
  const { logs } = await carried(sandbox, [operation])
  const [event = assert.fail("no operation")] = parseEventLogs({
    abi: entryPoint07Abi,
    eventName: "UserOperationEvent",
    logs
  })
  return event.args.success
}
