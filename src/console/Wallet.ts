/** The browser's wallets (EIP-1193, EIP-6963) and what they answer. */
import { createStore } from "mipd"

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

const DECLINED = 4001
const UNKNOWN_CHAIN = 4902

export const isDeclined = (failure: unknown): boolean =>
  failure instanceof WalletRefusal && failure.code === DECLINED

export const isUnknownChain = (failure: unknown): boolean =>
  failure instanceof WalletRefusal && failure.code === UNKNOWN_CHAIN

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

export interface FoundWallet {
  readonly name: string
  readonly provider: Provider
}

/** Those that announce themselves, or else the one that is simply there. */
export const walletsHere = (): ReadonlyArray<FoundWallet> => {
  const announced = createStore().getProviders()
  const injected = { info: { name: "" }, provider: Reflect.get(window, "ethereum") }
  return (announced.length > 0 ? announced : [injected]).flatMap(({ info, provider }) => {
    const wallet: unknown = provider
    return isProvider(wallet) ? [{ name: info.name, provider: answering(wallet) }] : []
  })
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
