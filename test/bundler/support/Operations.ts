/** Operations of a wallet as its owners send them. */
import { type Hex, parseAbi } from "viem"
import { assert } from "vitest"
import { ownerEnvelope } from "../../../src/values/OwnerEnvelope.ts"
import { safeOperationDigest } from "../../../src/values/SafeOperation.ts"
import type { UserOperation } from "../../../src/values/UserOperation.ts"
import { executionCalldata, type WalletCall } from "../../../src/values/WalletExecution.ts"
import { contracts, ENTRY_POINT, type Wallet, walletOwners } from "../../smartaccounts/support/Wallets.ts"
import { asked, type Bundling, quantity } from "./Bundler.ts"

const entryPointAbi = parseAbi(["function getNonce(address sender, uint192 key) view returns (uint256)"])

export const chainId = 31_337

const signers = ({ threshold }: Wallet) => walletOwners.slice(0, threshold)

/** As long as the real one, and nobody's. */
const dummySignature = (wallet: Wallet): Hex =>
  ownerEnvelope(
    { validAfter: 0, validUntil: 0 },
    signers(wallet).map(({ address }) => ({ signer: address, signature: `0x${"11".repeat(64)}1b` }))
  )

/** Members of its own alone. */
export const unsponsored = async (
  { sandbox }: Pick<Bundling, "sandbox">,
  wallet: Wallet,
  calls: ReadonlyArray<WalletCall>
): Promise<UserOperation> => {
  const nonce = await sandbox.client.readContract({
    address: ENTRY_POINT,
    abi: entryPointAbi,
    functionName: "getNonce",
    args: [wallet.address, 0n]
  })
  const { baseFeePerGas } = await sandbox.client.getBlock()
  const maxPriorityFeePerGas = 1_000_000_000n
  return {
    sender: wallet.address,
    nonce: quantity(nonce),
    callData: executionCalldata(calls),
    callGasLimit: "0x0",
    verificationGasLimit: "0x0",
    preVerificationGas: "0x0",
    maxFeePerGas: quantity(2n * (baseFeePerGas ?? 0n) + maxPriorityFeePerGas),
    maxPriorityFeePerGas: quantity(maxPriorityFeePerGas),
    signature: dummySignature(wallet)
  }
}

const resultOf = async (url: string, method: string, params: ReadonlyArray<unknown>) => {
  const answer = await asked(url, method, params)
  assert.isUndefined(answer.error, JSON.stringify(answer.error))
  return answer.result
}

export const estimated = async ({ bundler }: Bundling, operation: UserOperation): Promise<UserOperation> => {
  const estimate = await resultOf(bundler.url, "eth_estimateUserOperationGas", [operation, ENTRY_POINT])
  const { callGasLimit, verificationGasLimit, preVerificationGas } = estimate
  return { ...operation, callGasLimit, verificationGasLimit, preVerificationGas }
}

/** Twice estimated, once paid: the stub for the estimate, the paymaster's word for what is sent. */
export const sponsored = async (bundling: Bundling, operation: UserOperation): Promise<UserOperation> => {
  const place = [ENTRY_POINT, quantity(BigInt(chainId)), {}]
  const { paymasterUrl } = bundling.bundler
  const {
    sponsor: _,
    isFinal: __,
    ...stub
  } = await resultOf(paymasterUrl, "pm_getPaymasterStubData", [operation, ...place])
  const whole = await estimated(bundling, { ...operation, ...stub })
  return { ...whole, ...(await resultOf(paymasterUrl, "pm_getPaymasterData", [whole, ...place])) }
}

export const signed = async (
  { sandbox }: Pick<Bundling, "sandbox">,
  wallet: Wallet,
  operation: UserOperation
): Promise<UserOperation> => {
  const { timestamp } = await sandbox.client.getBlock()
  const validity = { validAfter: Number(timestamp) - 30, validUntil: Number(timestamp) + 300 }
  const hash = safeOperationDigest({
    chainId,
    entryPoint: ENTRY_POINT,
    adapter: contracts.adapter,
    operation,
    ...validity
  })
  const parts = await Promise.all(
    signers(wallet).map(async owner => ({ signer: owner.address, signature: await owner.sign({ hash }) }))
  )
  return { ...operation, signature: ownerEnvelope(validity, parts) }
}

export const sentBy = ({ bundler }: Bundling, operation: UserOperation): Promise<Hex> =>
  resultOf(bundler.url, "eth_sendUserOperation", [operation, ENTRY_POINT])
