/** Connects a browser's wallet (EIP-1193) to the service as the owner of an account. */
import { type Client, createClient, eip1193Signer } from "../../src/client/main.ts"

export interface WalletProvider {
  readonly request: (call: { method: string; params?: ReadonlyArray<unknown> }) => Promise<unknown>
}

const firstAddress = (accounts: unknown): string => {
  const [address] = Array.isArray(accounts) ? accounts : []
  if (typeof address !== "string") throw new Error("the wallet shows no account")
  return address
}

/** The account is named by one chain, its authority chain, and the owner; enrolling it again changes nothing. */
export const connectOwner = async (
  baseUrl: string,
  provider: WalletProvider,
  authorityChainId: number
): Promise<Client> => {
  const owner = firstAddress(await provider.request({ method: "eth_requestAccounts" }))
  const client = createClient({
    baseUrl,
    account: `eip155:${authorityChainId}:${owner.toLowerCase()}`,
    signer: eip1193Signer(provider, owner)
  })
  await client.accounts.enroll()
  return client
}
