/** A browser page with a wallet in it: the page asks, a key in this process answers, and everything asked is kept. */
import { readFile } from "node:fs/promises"
import type { BrowserContext, Page } from "playwright-core"
import { hexToBigInt, isHex } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import { assert } from "vitest"
import { rpc } from "../../support/Rpc.ts"
import type { Browsing } from "./Chromium.ts"
import { asAsked, type Sending } from "./Sendings.ts"

export interface Wallet {
  readonly key: PrivateKeyAccount
  readonly chainUrl: string
  /** Where it is connected; it signs typed data for this chain alone. */
  chainId: number
  /** Whether it has `eth_signTransaction`, which many wallets lack. */
  readonly signsTransactions: boolean
  readonly asked: Array<string>
  /** What it does when it is asked to send. */
  send: Sending
  /** How its node tells of a transaction. */
  tell: (told: unknown) => unknown
  /** The names under which wallets announce themselves, this one by the last; by none it is simply there. */
  readonly announced: ReadonlyArray<string>
  /** Whether they do so only after the page has asked. */
  readonly isLate: boolean
}

export const newWallet = (key: PrivateKeyAccount, chainUrl: string, over: Partial<Wallet> = {}): Wallet => ({
  key,
  chainUrl,
  chainId: 31_337,
  signsTransactions: true,
  asked: [],
  send: asAsked,
  tell: told => told,
  announced: [],
  isLate: false,
  ...over
})

export class Refused extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const number = (value: unknown): bigint => (isHex(value) ? hexToBigInt(value) : assert.fail("no quantity"))

const signTypedData = ({ key, chainId }: Wallet, text: unknown): Promise<string> => {
  const { EIP712Domain: _, ...types } = JSON.parse(String(text)).types
  const { domain, primaryType, message } = JSON.parse(String(text))
  if (domain.chainId !== chainId) throw new Refused(-32_602, "the domain is of another chain")
  return key.signTypedData({ domain, types, primaryType, message })
}

const signTransaction = (wallet: Wallet, transaction: Record<string, unknown>): Promise<string> => {
  if (!wallet.signsTransactions) throw new Refused(4200, "The method is not supported")
  const { to, data } = transaction
  if (!isHex(to) || !isHex(data)) throw new Refused(-32_602, "not a transaction")
  return wallet.key.signTransaction({
    type: "eip1559",
    to,
    data,
    chainId: Number(number(transaction.chainId)),
    value: number(transaction.value),
    nonce: Number(number(transaction.nonce)),
    gas: number(transaction.gas),
    maxFeePerGas: number(transaction.maxFeePerGas),
    maxPriorityFeePerGas: number(transaction.maxPriorityFeePerGas)
  })
}

const answer = async (wallet: Wallet, method: string, params: ReadonlyArray<unknown>): Promise<unknown> => {
  wallet.asked.push(method)
  switch (method) {
    case "eth_requestAccounts":
      return [wallet.key.address]
    case "eth_chainId":
      return `0x${wallet.chainId.toString(16)}`
    case "wallet_switchEthereumChain":
      wallet.chainId = Number(Object(params[0]).chainId)
      return null
    case "eth_signTypedData_v4":
      return signTypedData(wallet, params[1])
    case "eth_signTransaction":
      return signTransaction(wallet, Object(params[0]))
    case "eth_sendTransaction":
      return wallet.send(wallet, Object(params[0]))
    case "eth_getTransactionByHash":
      return wallet.tell(await rpc(wallet.chainUrl, method, params))
    default:
      return rpc(wallet.chainUrl, method, params)
  }
}

const exposed = (wallet: Wallet) => async (method: string, params: ReadonlyArray<unknown>) => {
  try {
    return { result: await answer(wallet, method, params) }
  } catch (failure) {
    const code = failure instanceof Refused ? failure.code : -32_000
    return { error: { code, message: failure instanceof Error ? failure.message : "failed" } }
  }
}

/** Runs in the page, before its own script. */
const inject = ({ announced: names, isLate }: Pick<Wallet, "announced" | "isLate">): void => {
  const request = async ({ method, params = [] }: { method: string; params?: ReadonlyArray<unknown> }) => {
    const ask: unknown = Reflect.get(window, "askWallet")
    const { result, error } = typeof ask === "function" ? await ask(method, params) : { error: {} }
    if (error !== undefined) throw Object.assign(new Error(error.message), error)
    return result
  }
  const on = (event: string, listener: (news: unknown) => void) =>
    addEventListener(event, news => listener(news instanceof CustomEvent ? news.detail : undefined))
  const other = { request: () => Promise.reject(new Error("another wallet was asked")) }
  if (names.length === 0) Reflect.set(window, "ethereum", { request, on })
  addEventListener(isLate ? "announceLate" : "eip6963:requestProvider", () => {
    for (const name of names) {
      const provider = name === names.at(-1) ? { request, on } : other
      const info = { uuid: name, name, icon: "data:,", rdns: name }
      dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: { info, provider } }))
    }
  })
}

/** As a wallet tells when its person chose other accounts. */
export const switchAccounts = (page: Page, accounts: ReadonlyArray<string>): Promise<void> =>
  page.evaluate(detail => {
    dispatchEvent(new CustomEvent("accountsChanged", { detail }))
  }, accounts)

export interface WalletPage {
  readonly page: Page
  /** Everything that the page fetched. */
  readonly fetched: ReadonlyArray<string>
  /** Everything that went wrong in the page by itself. */
  readonly faults: ReadonlyArray<string>
}

const openIn = async (context: BrowserContext, wallet: Wallet | undefined): Promise<WalletPage> => {
  const page = await context.newPage()
  const fetched: Array<string> = []
  const faults: Array<string> = []
  page.on("request", request => {
    fetched.push(request.url())
  })
  page.on("pageerror", error => {
    faults.push(String(error))
  })
  if (wallet !== undefined) {
    const { announced, isLate } = wallet
    await page.exposeFunction("askWallet", exposed(wallet))
    await page.addInitScript(inject, { announced, isLate })
  }
  return { page, fetched, faults }
}

export const openPage = async (browser: Browsing, wallet: Wallet | undefined): Promise<WalletPage> =>
  openIn(await browser.newContext({ viewport: { width: 1100, height: 900 } }), wallet)

/** The tab killed, and its address opened again in the same browser. */
export const reopened = async (page: Page, wallet: Wallet): Promise<Page> => {
  const [context, address] = [page.context(), page.url()]
  await page.close()
  const { page: next } = await openIn(context, wallet)
  await next.goto(address)
  return next
}

/** The same address once more, in another tab of the same browser. */
export const besides = async (page: Page, wallet: Wallet): Promise<Page> => {
  const { page: next } = await openIn(page.context(), wallet)
  await next.goto(page.url())
  return next
}

/** The wallets that were late to announce themselves do so. */
export const announceLate = (page: Page): Promise<void> =>
  page.evaluate(() => {
    dispatchEvent(new Event("announceLate"))
  })

/** Agrees to the one question that is open, after checking what it is about; another of the same title may follow at once. */
export const agree = async (page: Page, title: string): Promise<string> => {
  const dialog = page.getByRole("dialog", { name: title })
  await dialog.waitFor()
  const question = (await dialog.elementHandle()) ?? assert.fail(`no question: ${title}`)
  const text = await question.textContent()
  await dialog.getByRole("button", { name: "Continue in the wallet" }).click()
  await question.waitForElementState("hidden")
  return text ?? ""
}

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click()

export const sees = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text).first().waitFor()

/** What the button of that name puts on the clipboard. */
export const copiedBy = async (page: Page, name: string): Promise<string> => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  await page.evaluate(() => navigator.clipboard.writeText(""))
  await press(page, name)
  await sees(page, "Copied.")
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== "")
  return page.evaluate(() => navigator.clipboard.readText())
}

/** The name and the text of the file that the button of that name keeps. */
export const keptBy = async (page: Page, name: string): Promise<readonly [string, string]> => {
  const download = page.waitForEvent("download")
  await press(page, name)
  const file = await download
  return [file.suggestedFilename(), await readFile(await file.path(), "utf8")]
}
