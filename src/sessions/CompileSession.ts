/** A session's policy and the hashes by which its guard will know it. */
import { createHash } from "node:crypto"
import { Either } from "effect"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { checksummed } from "../values/Checksum.ts"
import { type Bytes32, ZERO_ADDRESS } from "../values/Scalars.ts"
import type { AskedSession } from "./AskedSession.ts"
import {
  allocationId,
  compiledHashFrom,
  historyAfter,
  permissionIdOf,
  policyHash,
  ZERO_HASH
} from "./Compile.ts"
import { sessionEnvelope } from "./Envelope.ts"
import { encodePolicy } from "./Policy.ts"
import type { SessionPolicy } from "./PolicyShape.ts"
import { policyFault } from "./ReviewPolicy.ts"
import { InvalidSession } from "./refusals.ts"
import type { CompiledSession } from "./Session.ts"
import type { SessionGround } from "./SessionGround.ts"
import type { AllocationGroup, GasBudget } from "./SessionInput.ts"

const MAXIMUM_ENVELOPE_BYTES = 16_384
const ANY_SIGNATURE = `0x${"00".repeat(65)}` as const

export const allocationManifestHash = (groups: ReadonlyArray<AllocationGroup>): Bytes32 =>
  `0x${createHash("sha256").update(canonicalJson(groups)).digest("hex")}`

const gasOf = (budget: GasBudget, paymasterCodeHash: Bytes32): SessionPolicy["gas"] => ({
  paymaster: budget.paymaster ?? ZERO_ADDRESS,
  paymasterCodeHash,
  paymasterDataLength: budget.paymasterDataLength,
  maxGasPerOperation: budget.maxGasPerOperation,
  maxFeePerGas: budget.maxFeePerGas,
  maxPriorityFeePerGas: budget.maxPriorityFeePerGas,
  totalGas: budget.totalGasLimit,
  totalCost: budget.totalCostLimit
})

/** Without what it may spend on gas. */
export const policyTerms = ({
  input,
  grant,
  validUntil,
  allocations,
  actions
}: AskedSession): Omit<SessionPolicy, "gas"> => ({
  sessionKey: checksummed(grant.botAddress.toLowerCase()),
  generation: input.generation,
  nonce: input.nonce,
  validAfter: input.validAfter,
  validUntil,
  maximumCalls: input.maximumCalls,
  allocations: allocations.map(({ id, asset, limit }) => ({ id: allocationId(id), asset, limit })),
  actions
})

const invalid = (path: string, expected: string) =>
  Either.left(new InvalidSession({ context: { path, expected } }))

/** What a guard would refuse is refused before anybody signs for it. */
const checkPolicy = (
  { guard, manifest, paymasterCodeHash, actions }: AskedSession,
  { wallet, evidence }: SessionGround,
  policy: SessionPolicy
) => {
  const { entryPoint, adapter } = manifest.pins
  const codes = new Map(actions.map(({ target, codeHash }) => [target, codeHash]))
  const ground = {
    chainId: wallet.chainId,
    guard: guard.address,
    account: wallet.address,
    entryPoint: entryPoint.address,
    adapter: adapter.address,
    codeHashOf: (address: SessionPolicy["sessionKey"]) =>
      address === policy.gas.paymaster ? paymasterCodeHash : (codes.get(address) ?? ZERO_HASH)
  }
  const rule = policyFault(ground, policy, Number(evidence.timestamp))
  return rule === undefined
    ? Either.void
    : invalid("actions", `a policy that the guard takes: it refuses this one by its rule ${rule}`)
}

/** What an operation presents beside the policy. */
const BESIDE_POLICY = sessionEnvelope(ZERO_HASH, "0x", ANY_SIGNATURE).length - 2

const checkSize = (encoded: CompiledSession["encodedPolicy"]) => {
  const bytes = (BESIDE_POLICY + encoded.length - 2) / 2
  return bytes <= MAXIMUM_ENVELOPE_BYTES
    ? Either.void
    : invalid(
        "actions",
        `fewer actions or allocations: each operation presents the policy, and its signature would be of ${bytes} bytes where ${MAXIMUM_ENVELOPE_BYTES} are the most`
      )
}

export const compileSession = (
  asked: AskedSession,
  ground: SessionGround,
  budget: GasBudget
): Either.Either<CompiledSession, InvalidSession> =>
  Either.gen(function* () {
    const { guard, paymasterCodeHash } = asked
    const { wallet, administration } = ground
    const guarded = { chainId: wallet.chainId, guard: guard.address, account: wallet.address }
    const policy = { ...policyTerms(asked), gas: gasOf(budget, paymasterCodeHash) }
    yield* checkPolicy(asked, ground, policy)
    const encodedPolicy = encodePolicy(policy)
    const permissionId = permissionIdOf(guarded, policy)
    yield* checkSize(encodedPolicy)
    const hash = policyHash(encodedPolicy)
    const compiledHash = compiledHashFrom(guarded, hash)
    const { enableNonce, epoch, history } = administration
    const entry = {
      action: "enable",
      permissionId,
      compiledHash,
      enableNonce: BigInt(enableNonce),
      epoch: BigInt(epoch) + 1n
    } as const
    return {
      guard: guard.address,
      policy,
      encodedPolicy,
      policyHash: hash,
      permissionId,
      compiledHash,
      enableNonce,
      baseline: { epoch, history },
      expectedHistory: historyAfter(history, entry)
    }
  })
