/** Who signs a plan's transactions, or sends them where a wallet signs none without sending it. */
import type { Call } from "../plans/Plan.ts"
import { WalletChainMismatch } from "./Errors.ts"
import type { TransactionTerms, UnsignedTransaction } from "./PlannedTransaction.ts"
import type { Eip1193Provider } from "./Signer.ts"

export interface TransactionToSign extends UnsignedTransaction {
  readonly type: "eip1559"
}

/** A viem account is one as it is. */
export interface SigningWallet {
  readonly address: string
  /** Resolves to the whole signed transaction in hexadecimal. */
  readonly signTransaction: (transaction: TransactionToSign) => Promise<string>
}

/** What the wallet is asked to send; it chooses the nonce, and what is not given here. */
export interface TransactionToSend
  extends TransactionTerms,
    Pick<UnsignedTransaction, "chainId" | "to" | "data" | "value"> {}

export interface SendingWallet {
  readonly address: string
  /** Resolves to the transaction's hash. */
  readonly sendTransaction: (transaction: TransactionToSend) => Promise<string>
}

export type TransactionWallet = SigningWallet | SendingWallet

export const toSendOf = ({ chainId, to, data, value }: Call, terms: TransactionTerms): TransactionToSend => ({
  chainId,
  to,
  data,
  value: BigInt(value),
  ...terms
})

const quantity = (value: bigint | number): string => `0x${value.toString(16)}`

/** A browser wallet (EIP-1193) that sends for `address`, asked through `eth_sendTransaction`. */
export const eip1193Wallet = (provider: Eip1193Provider, address: string): SendingWallet => ({
  address,
  sendTransaction: async ({ chainId, to, data, value, gas, maxFeePerGas, maxPriorityFeePerGas }) => {
    const connected = Number(await provider.request({ method: "eth_chainId" }))
    if (connected !== chainId) throw new WalletChainMismatch(chainId, connected)
    const call = { from: address, to, data, value: quantity(value), chainId: quantity(chainId) }
    const terms = {
      ...(gas !== undefined && { gas: quantity(gas) }),
      ...(maxFeePerGas !== undefined && { maxFeePerGas: quantity(maxFeePerGas) }),
      ...(maxPriorityFeePerGas !== undefined && { maxPriorityFeePerGas: quantity(maxPriorityFeePerGas) })
    }
    return String(await provider.request({ method: "eth_sendTransaction", params: [{ ...call, ...terms }] }))
  }
})

/** By EIP-1193, and as WalletConnect and ethers tell it. */
const DECLINED = /^(4001|500[0-2]|ACTION_REJECTED)$/
/** No such chain, not authorised, no such method, unusable parameters; a wallet may disconnect after it sent. */
const HARMLESS = /^(4902|4[12]00|510[01]|-3260[12]|-32004)$/

const says = (failure: unknown, codes: RegExp): boolean => codes.test(String(Object(failure).code))

const isDeclined = (failure: unknown): boolean =>
  says(failure, DECLINED) || (Object(failure).cause !== undefined && isDeclined(Object(failure).cause))

/** Whether the wallet surely did nothing of what it was asked: viem wraps what its user said. */
export const surelySentNothing = (failure: unknown): boolean =>
  failure instanceof WalletChainMismatch || says(failure, HARMLESS) || isDeclined(failure)
