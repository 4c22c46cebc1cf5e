/** Whether a wallet's operation does exactly what its plan says, for no more than it tells, before anybody signs it. */
import type { Call, Plan } from "../plans/Plan.ts"
import type { SmartAccountCapabilities } from "../smartaccounts/SmartAccount.ts"
import { committedOperationText } from "../useroperations/CommittedOperation.ts"
import type { PublicUserOperation } from "../useroperations/PublicUserOperation.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { operationHash } from "../values/PackedOperation.ts"
import {
  type OperationValidity,
  safeOperationDigest,
  safeOperationTypedData
} from "../values/SafeOperation.ts"
import type { UserOperation } from "../values/UserOperation.ts"
import { executionCalldata } from "../values/WalletExecution.ts"
import { believedSeconds, type ToldClock } from "./BelievedSeconds.ts"
import { checkedPlan, textDigest } from "./Commitment.ts"
import { AlteredPlan } from "./Errors.ts"

/** What a client tells of itself and of the deployments of wallets. */
export interface OperatingClient {
  readonly account: string
  readonly principalId: string
  readonly clock: ToldClock
  readonly smartAccounts: { readonly capabilities: () => Promise<SmartAccountCapabilities> }
}

export interface OperationToCheck {
  readonly client: OperatingClient
  /** Whose calls the operation is to make. */
  readonly plan: Plan
  readonly operation: PublicUserOperation
}

export type WalletManifest = SmartAccountCapabilities["deployments"][number]["manifest"]

/** All that it may use. */
export const gasLimitOf = (operation: UserOperation): bigint =>
  [
    operation.callGasLimit,
    operation.verificationGasLimit,
    operation.preVerificationGas,
    ...("paymaster" in operation
      ? [operation.paymasterVerificationGasLimit, operation.paymasterPostOpGasLimit]
      : [])
  ].reduce((sum, limit) => sum + BigInt(limit), 0n)

/** From the block that an operation rests on, or from now where that is later. */
const LONGEST_SECONDS = 3_600
const SEQUENCE_BITS = 64n

const callsOf = ({ stepIndexes, chainId }: PublicUserOperation, { calls }: Plan) => {
  const found = stepIndexes.flatMap((index): ReadonlyArray<Call> => {
    const call = calls[index]
    return call?.chainId === chainId ? [call] : []
  })
  const rises = stepIndexes.every((index, at) => at === 0 || index > (stepIndexes[at - 1] ?? index))
  return rises && found.length === stepIndexes.length ? found : []
}

const calldataOf = (operation: PublicUserOperation, plan: Plan): string | undefined => {
  const calls = callsOf(operation, plan)
  if (calls.length === 0) return undefined
  return executionCalldata(calls.map(({ to, value, data }) => ({ to, value: BigInt(value), data })))
}

const isOfWallet = (
  { bindingId, stateHash, chainId, operation }: PublicUserOperation,
  plan: Plan
): boolean => {
  const wallet = plan.smartAccount
  return (
    wallet !== undefined &&
    wallet.bindingId === bindingId &&
    wallet.stateHash === stateHash &&
    wallet.chainId === chainId &&
    wallet.address === operation.sender &&
    plan.account.toLowerCase() === operation.sender.toLowerCase()
  )
}

const isPinned = ({ operation, entryPoint }: PublicUserOperation, { pins }: WalletManifest): boolean =>
  entryPoint === pins.entryPoint.address &&
  (!("paymaster" in operation) ||
    pins.paymasters.some(({ address }) => address === operation.paymaster && BigInt(address) > 0n))

const isSigned = (
  { signing, session, operation, chainId, entryPoint }: PublicUserOperation,
  { pins }: WalletManifest
): boolean => {
  if (signing.scheme !== "eip712-safe-operation" || session !== undefined) return false
  const { validAfter, validUntil, typedData, digest } = signing
  const adapted = { operation, chainId, entryPoint, validAfter, validUntil, adapter: pins.adapter.address }
  return (
    digest === safeOperationDigest(adapted) &&
    canonicalJson(typedData) === canonicalJson(safeOperationTypedData(adapted))
  )
}

const isPlausible = ({ operation, signing }: PublicUserOperation, seconds: number): boolean =>
  signing.scheme === "eip712-safe-operation" &&
  BigInt(operation.nonce) >> SEQUENCE_BITS === 0n &&
  signing.validAfter < signing.validUntil &&
  signing.validUntil <= seconds + LONGEST_SECONDS

const isBounded = (
  { operation, maximumCost, expiresAt }: PublicUserOperation,
  { validUntil }: OperationValidity
): boolean =>
  operation.signature === "0x" &&
  gasLimitOf(operation) * BigInt(operation.maxFeePerGas) <= BigInt(maximumCost) &&
  expiresAt <= validUntil * 1000

/** Undefined where none is of its own revision. */
export const pinnedManifest = async (
  { smartAccounts }: Pick<OperatingClient, "smartAccounts">,
  isMeant: (manifest: WalletManifest) => boolean
): Promise<WalletManifest | undefined> => {
  const { deployments } = await smartAccounts.capabilities()
  const found = deployments.find(({ manifest }) => isMeant(manifest))
  if (found === undefined) return undefined
  const { revision, ...terms } = found.manifest
  return (await textDigest(canonicalJson(terms))) === found.revision && revision === found.revision
    ? found.manifest
    : undefined
}

/** Of the plan's wallet. */
export const plannedManifest = (
  client: Pick<OperatingClient, "smartAccounts">,
  { smartAccount }: Plan
): Promise<WalletManifest | undefined> =>
  pinnedManifest(
    client,
    ({ id, revision }) => id === smartAccount?.manifestId && revision === smartAccount.manifestRevision
  )

type Checks = Readonly<Record<string, boolean>>

/** What cannot even be encoded is of another form. */
export const checkedForm = (checks: () => Checks): Checks => {
  try {
    return checks()
  } catch {
    return { form: false }
  }
}

/** What holds of every operation, and what is asked of it by who signs it. */
export const checkedOperation = async (
  about: OperationToCheck,
  validity: OperationValidity,
  signed: (manifest: WalletManifest) => Checks
): Promise<void> => {
  const { client, plan, operation } = about
  const own = { accountId: client.account, principalId: client.principalId }
  await checkedPlan(plan, own)
  const manifest = await plannedManifest(client, plan)
  const committed = await textDigest(committedOperationText({ ...operation, signing: validity }, own))
  const checks = checkedForm(() => ({
    plan: operation.planId === plan.id && operation.planCommitment === plan.commitment,
    wallet: isOfWallet(operation, plan),
    calls: operation.operation.callData === calldataOf(operation, plan),
    manifest: manifest !== undefined && isPinned(operation, manifest),
    hash: operation.operationHash === operationHash(operation.operation, operation),
    ...(manifest && signed(manifest)),
    "gas, cost or validity": isBounded(operation, validity),
    commitment: operation.commitment === committed
  }))
  const [wrong] = Object.entries(checks).find(([, isRight]) => !isRight) ?? []
  if (wrong !== undefined) throw new AlteredPlan(plan.id, `it has another ${wrong}`, "operation for the plan")
}

/** Of what owners do not sign. */
const NEVER = { validAfter: 0, validUntil: 0 }

/** Rejects with `AlteredPlan` where anything differs from the plan, its wallet's manifest or what is computed here. */
export const checkUserOperation = (about: OperationToCheck): Promise<void> => {
  const { client, plan, operation } = about
  const { signing, chainId } = operation
  const validity = signing.scheme === "eip712-safe-operation" ? signing : NEVER
  return checkedOperation(about, validity, manifest => ({
    digest: isSigned(operation, manifest),
    "nonce or validity": isPlausible(operation, believedSeconds(client.clock, plan, chainId))
  }))
}
