/** A funded wallet of the local chain, and what it can see of the chain by itself. */
import { createPublicClient, type Hex, http, keccak256 } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import { developmentAccount } from "../../../sandbox/DevelopmentAccounts.ts"
import type { Call } from "../../../src/plans/Plan.ts"
import { plannedTransaction } from "../../support/PlannedTransaction.ts"

export const walletOf = (account: PrivateKeyAccount, chainUrl: string) => {
  const client = createPublicClient({ transport: http(chainUrl), cacheTime: 0 })
  const sign = async (call: Call, nonce: number, tip: bigint) => {
    const raw = await account.signTransaction(plannedTransaction(call, nonce, tip))
    return { raw, hash: keccak256(raw) }
  }
  return {
    account,
    sign,
    pendingNonce: () => client.getTransactionCount({ address: account.address, blockTag: "pending" }),
    knows: (hash: Hex) =>
      client.getTransaction({ hash }).then(
        () => true,
        () => false
      ),
    sendDirectly: (raw: Hex) => client.sendRawTransaction({ serializedTransaction: raw })
  }
}

export const makeWallet = (index: number, chainUrl: string) => walletOf(developmentAccount(index), chainUrl)

export type Wallet = ReturnType<typeof walletOf>
export type Signed = Awaited<ReturnType<Wallet["sign"]>>
