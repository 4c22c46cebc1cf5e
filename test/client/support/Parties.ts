/** Keys and clients for tests. */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { type Client, createClient } from "../../../src/client/Client.ts"
import type { ClientOptions } from "../../../src/client/Options.ts"

export const newKey = () => privateKeyToAccount(generatePrivateKey())

export const accountOf = (address: string, chainId = 31_337) => `eip155:${chainId}:${address.toLowerCase()}`

/** A client for a new owner. */
export const ownerClient = (baseUrl: string, over: Partial<ClientOptions> = {}): Client => {
  const signer = over.signer ?? newKey()
  return createClient({ baseUrl, account: accountOf(signer.address), signer, ...over })
}
