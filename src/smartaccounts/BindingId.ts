/** Which binding a wallet's is. */
import { createSHA256 } from "hash-wasm"
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import type { WalletState } from "./StateHash.ts"

const hasher = await createSHA256()

/** The same for as long as the account and the wallet are. */
export const bindingId = (
  accountId: string,
  { chainId, address }: Pick<WalletState, "chainId" | "address">
): Bytes32 => {
  const identity = canonicalJson({ accountId, chainId, address: address.toLowerCase() })
  return `0x${hasher.init().update(identity).digest("hex")}`
}
