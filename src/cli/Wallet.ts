/** Who signs transactions and messages on the command line, beside typed data. */
import type { LocalAccount, SignableMessage } from "viem"
import type { UnsignedTransaction } from "../client/PlannedTransaction.ts"
import type { Signer } from "../client/Signer.ts"

export interface Wallet extends Signer {
  /** Resolves to the whole signed transaction in hexadecimal. */
  readonly signTransaction: (transaction: UnsignedTransaction) => Promise<string>
  /** As a personal message (EIP-191), of a text or of bytes. */
  readonly signMessage: (text: { readonly message: SignableMessage }) => Promise<string>
}

export const walletOfKey = (account: LocalAccount): Wallet => ({
  address: account.address,
  signTypedData: payload => account.signTypedData(payload),
  signTransaction: transaction => account.signTransaction({ type: "eip1559", ...transaction }),
  signMessage: text => account.signMessage(text)
})
