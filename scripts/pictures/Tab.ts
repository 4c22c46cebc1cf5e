/** A browser's tab with a wallet in it that sends by itself, as most do. */
import { existsSync } from "node:fs"
import { type Browser, chromium, type Page } from "playwright-core"
import { type Hex, hexToBigInt, isHex } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"

/** On a busy machine all of it takes its time. */
const PATIENCE_MILLIS = 180_000

const PATHS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]

export const startChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? PATHS.find(existsSync) ?? "chromium" })

interface Holder {
  readonly key: PrivateKeyAccount
  readonly rpcUrl: string
}

export const askChain = async (
  rpcUrl: string,
  method: string,
  params: ReadonlyArray<unknown>
): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const headers = { "content-type": "application/json" }
  const { result, error } = await (await fetch(rpcUrl, { method: "POST", headers, body })).json()
  if (error !== undefined) throw new Error(String(error.message))
  return result
}

const hex = (value: unknown): Hex => {
  if (isHex(value)) return value
  throw new Error(`no hexadecimal: ${String(value)}`)
}

const sent = async ({ key, rpcUrl }: Holder, asked: Readonly<Record<string, unknown>>): Promise<unknown> => {
  const nonce = Number(await askChain(rpcUrl, "eth_getTransactionCount", [key.address, "pending"]))
  const raw = await key.signTransaction({
    type: "eip1559",
    chainId: 31_337,
    nonce,
    to: hex(asked.to),
    data: hex(asked.data),
    value: hexToBigInt(hex(asked.value)),
    gas: hexToBigInt(hex(asked.gas)),
    maxFeePerGas: hexToBigInt(hex(asked.maxFeePerGas)),
    maxPriorityFeePerGas: hexToBigInt(hex(asked.maxPriorityFeePerGas))
  })
  return askChain(rpcUrl, "eth_sendRawTransaction", [raw])
}

const signed = ({ key }: Holder, text: unknown): Promise<Hex> => {
  const { types, domain, primaryType, message } = JSON.parse(String(text))
  const { EIP712Domain: _, ...own } = types
  return key.signTypedData({ domain, types: own, primaryType, message })
}

const answered = (holder: Holder, method: string, params: ReadonlyArray<unknown>): unknown => {
  if (method === "eth_requestAccounts") return [holder.key.address]
  if (method === "eth_signTypedData_v4") return signed(holder, params[1])
  if (method === "eth_sendTransaction") return sent(holder, Object(params[0]))
  if (method === "eth_signTransaction") throw new Error("The method is not supported")
  return askChain(holder.rpcUrl, method, params)
}

/** Runs in the page, before its own script. */
const inject = (): void => {
  const request = async ({ method, params = [] }: { method: string; params?: ReadonlyArray<unknown> }) => {
    const askWallet: unknown = Reflect.get(window, "askWallet")
    const { result, refused } =
      typeof askWallet === "function" ? await askWallet(method, params) : { refused: "no wallet" }
    if (refused !== undefined) throw Object.assign(new Error(refused), { code: 4200 })
    return result
  }
  Reflect.set(window, "ethereum", { request, on: () => {} })
}

export const openTab = async (browser: Browser, holder: Holder): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1180, height: 900 } })
  page.setDefaultTimeout(PATIENCE_MILLIS)
  await page.exposeFunction("askWallet", async (method: string, params: ReadonlyArray<unknown>) => {
    try {
      return { result: await answered(holder, method, params) }
    } catch (failure) {
      return { refused: failure instanceof Error ? failure.message : "failed" }
    }
  })
  await page.addInitScript(inject)
  return page
}
