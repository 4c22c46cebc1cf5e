/** Operations of a wallet with gas of their own, signed by its owners, without a service. */

import { Either } from "effect"
import { type Hex, parseAbi } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import { stateHash } from "../../../src/smartaccounts/StateHash.ts"
import type { PreflightedOperation } from "../../../src/useroperations/OperationPreflight.ts"
import { ownerEnvelope } from "../../../src/values/OwnerEnvelope.ts"
import { operationHash } from "../../../src/values/PackedOperation.ts"
import { safeOperationDigest } from "../../../src/values/SafeOperation.ts"
import type { UserOperation } from "../../../src/values/UserOperation.ts"
import { executionCalldata } from "../../../src/values/WalletExecution.ts"
import type { Sandbox } from "../../sandbox/support/Sandbox.ts"
import { inspected, manifest } from "../../smartaccounts/support/Inspections.ts"
import { contracts, ENTRY_POINT, type Wallet, walletOwners } from "../../smartaccounts/support/Wallets.ts"

const chainId = 31_337

const entryPointAbi = parseAbi(["function getNonce(address sender, uint192 key) view returns (uint256)"])

const quantity = (value: bigint): Hex => `0x${value.toString(16)}`

export type WalletCalls = Parameters<typeof executionCalldata>[0]

/** The envelope of the first owners, as many as the threshold. */
export const signedBy = async (
  digest: Hex,
  validity: Parameters<typeof ownerEnvelope>[0],
  signers: ReadonlyArray<PrivateKeyAccount>
): Promise<Hex> =>
  ownerEnvelope(
    validity,
    await Promise.all(
      signers.map(async owner => ({ signer: owner.address, signature: await owner.sign({ hash: digest }) }))
    )
  )

export const signedOperationOf = async (
  sandbox: Sandbox,
  wallet: Wallet,
  calls: WalletCalls,
  over: Partial<UserOperation> = {}
): Promise<PreflightedOperation> => {
  const { state } = Either.getOrThrow(await inspected(sandbox, wallet.address))
  const nonce = await sandbox.client.readContract({
    address: ENTRY_POINT,
    abi: entryPointAbi,
    functionName: "getNonce",
    args: [wallet.address, 0n]
  })
  const { baseFeePerGas, timestamp } = await sandbox.client.getBlock()
  const validity = { validAfter: Number(timestamp) - 30, validUntil: Number(timestamp) + 300 }
  const operation: UserOperation = {
    sender: wallet.address,
    nonce: quantity(nonce),
    callData: executionCalldata(calls),
    callGasLimit: quantity(1_000_000n),
    verificationGasLimit: quantity(500_000n),
    preVerificationGas: quantity(100_000n),
    maxFeePerGas: quantity(2n * (baseFeePerGas ?? 0n) + 1_000_000_000n),
    maxPriorityFeePerGas: quantity(1_000_000_000n),
    signature: "0x",
    ...over
  }
  const place = { chainId, entryPoint: ENTRY_POINT }
  const digest = safeOperationDigest({ ...place, adapter: contracts.adapter, operation, ...validity })
  const { owners, threshold } = state
  const signature = await signedBy(digest, validity, walletOwners.slice(0, threshold))
  return {
    ...place,
    operation: { ...operation, signature },
    operationHash: operationHash(operation, place),
    signing: { ...validity, digest, owners, threshold },
    manifestId: manifest.id,
    stateHash: stateHash(state),
    calls: [],
    use: undefined
  }
}
