/** The browser's wallets (EIP-1193, EIP-6963) and what they answer. */
import { createStore, type EIP6963ProviderDetail } from "mipd"
import { surelySentNothing } from "../client/TransactionWallet.ts"

export interface Provider {
  readonly request: (call: { method: string; params?: ReadonlyArray<unknown> }) => Promise<unknown>
  readonly on?: (event: string, listener: (news: unknown) => void) => unknown
}

/** The wallet said no, in its own code. */
export class WalletRefusal extends Error {
  override readonly name = "WalletRefusal"
  readonly code: number | undefined
  readonly method: string

  constructor(method: string, code: number | undefined, message: string) {
    super(message)
    this.method = method
    this.code = code
  }
}

/** By EIP-1193, and as WalletConnect tells it. */
const DECLINED = [4001, 5000]
const UNKNOWN_CHAIN = 4902
/** EIP-1193, JSON-RPC and EIP-1474, each in its own number. */
const UNSUPPORTED = [4200, -32_601, -32_004]

export const isDeclined = (failure: unknown): boolean =>
  failure instanceof WalletRefusal && DECLINED.includes(failure.code ?? 0)

export const isUnknownChain = (failure: unknown): boolean =>
  failure instanceof WalletRefusal && failure.code === UNKNOWN_CHAIN

/** Some wallets say it in words alone, or pass it on to a node, which has no such account. */
const SAYS_UNSUPPORTED =
  /not (?:supported|available|implemented|allowed|whitelisted)|unsupported|does not exist|unknown (?:account|method)/i

/** The wallet has no such method. */
export const isUnsupported = (failure: unknown): boolean =>
  failure instanceof WalletRefusal &&
  !isDeclined(failure) &&
  (UNSUPPORTED.includes(failure.code ?? 0) || SAYS_UNSUPPORTED.test(failure.message))

/** Whether the wallet surely did nothing of what was asked. */
export const didNothing = (failure: unknown): boolean =>
  failure instanceof WalletRefusal && surelySentNothing(failure)

const isProvider = (value: unknown): value is Provider =>
  typeof value === "object" && value !== null && "request" in value && typeof value.request === "function"

/** Some wallets give the code as text. */
const refusing = (method: string, failure: unknown): WalletRefusal => {
  const { code, message = "no reason given" } = Object(failure)
  const number = Number.parseInt(code, 10)
  return new WalletRefusal(method, Number.isNaN(number) ? undefined : number, String(message))
}

const answering = (wallet: Provider): Provider => ({
  request: call =>
    wallet.request(call).catch((failure: unknown) => {
      throw refusing(call.method, failure)
    }),
  on: (event, listener) => wallet.on?.(event, listener)
})

const UNNAMED = "The browser's own wallet"

export interface FoundWallet {
  readonly name: string
  readonly provider: Provider
}

const injected = (): unknown => Reflect.get(window, "ethereum")

/** Those that announce themselves, and the one that is simply there where it is none of them. */
const walletsIn = (announced: ReadonlyArray<EIP6963ProviderDetail>): ReadonlyArray<FoundWallet> => {
  const there = injected()
  const told = announced.map(({ info, provider }): readonly [string, unknown] => [info.name, provider])
  const isTold = told.some(([, provider]) => provider === there)
  return [...told, ...(isTold ? [] : [[UNNAMED, there] as const])].flatMap(([name, wallet]) =>
    isProvider(wallet) ? [{ name, provider: answering(wallet) }] : []
  )
}

/** Calls with the wallets that are here now and whenever another comes, until it is told to stop. */
export const watchWallets = (found: (wallets: ReadonlyArray<FoundWallet>) => void): (() => void) => {
  const store = createStore()
  const tell = () => found(walletsIn(store.getProviders()))
  const unsubscribe = store.subscribe(tell)
  addEventListener("ethereum#initialized", tell, { once: true })
  tell()
  return () => {
    unsubscribe()
    removeEventListener("ethereum#initialized", tell)
  }
}

export const accountsOf = async (provider: Provider): Promise<ReadonlyArray<string>> => {
  const answer = await provider.request({ method: "eth_requestAccounts" })
  const isAddress = (value: unknown): value is string =>
    typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value)
  return Array.isArray(answer) ? answer.filter(isAddress) : []
}

export const chainIdOf = async (provider: Provider): Promise<number> =>
  Number(await provider.request({ method: "eth_chainId" }))

export const switchChain = async (provider: Provider, chainId: number): Promise<void> => {
  const params = [{ chainId: `0x${chainId.toString(16)}` }]
  await provider.request({ method: "wallet_switchEthereumChain", params })
}

/** A JSON-RPC quantity. */
export const askQuantity = async (
  provider: Provider,
  method: string,
  params: ReadonlyArray<unknown> = []
): Promise<bigint> => {
  const answer = await provider.request({ method, params })
  if (typeof answer === "string" && /^0x[0-9a-f]+$/i.test(answer)) return BigInt(answer)
  throw new WalletRefusal(method, undefined, "the wallet answered without a number")
}
