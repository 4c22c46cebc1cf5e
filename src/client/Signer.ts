/** Who signs: any EIP-712 wallet behind one small interface, and the one form its signatures leave the client in. */
import { type Domain, type MessageOf, type MessageType, walletPayload } from "../values/TypedData.ts"
import { fromHex, toHex } from "../values/TypedDataHash.ts"
import { WalletChainMismatch } from "./Errors.ts"

/** EIP-712 typed data as `eth_signTypedData_v4` takes it; integers are JSON numbers within 2^53-1. */
export interface TypedDataPayload {
  readonly types: Readonly<Record<string, ReadonlyArray<{ readonly name: string; readonly type: string }>>>
  readonly primaryType: string
  readonly domain: {
    readonly name?: string
    readonly version?: string
    readonly chainId: number
    /** In the service's own messages. */
    readonly salt?: `0x${string}`
    /** In what a contract reads: a forwarder's requests, what binds a wallet, and a wallet's operations. */
    readonly verifyingContract?: `0x${string}`
  }
  readonly message: Readonly<Record<string, unknown>>
}

export interface Signer {
  readonly address: string
  /** Hex with 0x. */
  readonly signTypedData: (payload: TypedDataPayload) => Promise<string>
  /** Where it is connected, if to one chain. */
  readonly chainId?: () => Promise<number>
  /** A contract's, by EIP-1271. */
  readonly contractWallet?: boolean
}

/** Signs what a session's key does: a viem account or `ethersSigner`. No page asks its wallet for that: a key of a session is a bot's. */
export interface SessionSigner {
  readonly address: string
  /** As `personal_sign` of the bytes; resolves to the signature in hexadecimal with 0x. */
  readonly signMessage: (text: { readonly message: { readonly raw: `0x${string}` } }) => Promise<string>
}

interface EthersWallet {
  readonly address: string
  readonly signMessage: (message: Uint8Array) => Promise<string>
  readonly signTypedData: (
    domain: TypedDataPayload["domain"],
    types: Record<string, Array<{ name: string; type: string }>>,
    message: Record<string, unknown>
  ) => Promise<string>
}

/** An ethers v6 wallet as a signer; ethers derives `EIP712Domain` from the domain and refuses to be given it. */
export const ethersSigner = (wallet: EthersWallet): Signer & SessionSigner => ({
  address: wallet.address,
  signMessage: ({ message: { raw } }) => wallet.signMessage(fromHex(raw)),
  signTypedData: ({ domain, types, primaryType, message }) => {
    const members = (types[primaryType] ?? []).map(member => ({ ...member }))
    return wallet.signTypedData(domain, { [primaryType]: members }, message)
  }
})

/** A browser wallet, or a node, as pages and libraries know it. */
export interface Eip1193Provider {
  readonly request: (call: { method: string; params?: ReadonlyArray<unknown> }) => Promise<unknown>
}

/** A browser wallet (EIP-1193) as a signer for `address`, asked through `eth_signTypedData_v4`. */
export const eip1193Signer = (provider: Eip1193Provider, address: string): Signer => ({
  address,
  chainId: async () => Number(await provider.request({ method: "eth_chainId" })),
  signTypedData: async payload =>
    String(
      await provider.request({
        method: "eth_signTypedData_v4",
        params: [address, JSON.stringify(payload)]
      })
    )
})

const ETHEREUM_V = 27

/** EIP-2098 packs the recovery id into the top bit of s. */
const unpacked = (compact: Uint8Array): Uint8Array => {
  const full = new Uint8Array(65)
  full.set(compact)
  const top = compact[32] ?? 0
  full[32] = top & 0x7f
  full[64] = ETHEREUM_V + (top >> 7)
  return full
}

/** 65 bytes with v 27 or 28 from what wallets return: v 0 or 1 (hardware wallets) and 64 bytes (EIP-2098); other forms unchanged. */
export const normalisedSignature = (signature: string): string => {
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(signature)) return signature
  const bytes = fromHex(signature)
  if (bytes.length === 64) return toHex(unpacked(bytes))
  const v = bytes[64] ?? ETHEREUM_V
  if (bytes.length !== 65 || v > 1) return signature
  bytes[64] = v + ETHEREUM_V
  return toHex(bytes)
}

/** Throws `WalletChainMismatch` before a wallet is asked in vain. */
export const signPayload = async (signer: Signer, payload: TypedDataPayload): Promise<string> => {
  const { chainId } = payload.domain
  const connected = await signer.chainId?.()
  if (connected !== undefined && connected !== chainId) throw new WalletChainMismatch(chainId, connected)
  const signature = await signer.signTypedData(payload)
  return signer.contractWallet === true ? signature : normalisedSignature(signature)
}

/** One of the service's messages, signed. */
export const signMessage = <Type extends MessageType>(
  signer: Signer,
  domain: Domain,
  type: Type,
  message: MessageOf<Type>
): Promise<string> => signPayload(signer, walletPayload(type, domain, message))
