/** Which wallets are being created in this browser, so that binding each is offered once it is there. */
import { inStore } from "../owners/BrowserStore.ts"

export interface CreatedWallet {
  readonly manifestId: string
  readonly chainId: number
  readonly address: string
}

const nameOf = (account: string): string => `created:${account}`

const isCreated = (value: unknown): value is CreatedWallet => {
  const { manifestId, chainId, address } = Object(value)
  return typeof manifestId === "string" && typeof chainId === "number" && /^0x[0-9a-fA-F]{40}$/.test(address)
}

export const recallCreated = (account: string): ReadonlyArray<CreatedWallet> =>
  inStore(storage => {
    const all: unknown = JSON.parse(storage.getItem(nameOf(account)) ?? "[]")
    return Array.isArray(all) ? all.filter(isCreated) : []
  }) ?? []

const without = (account: string, address: string): ReadonlyArray<CreatedWallet> =>
  recallCreated(account).filter(each => each.address.toLowerCase() !== address.toLowerCase())

const keep = (account: string, all: ReadonlyArray<CreatedWallet>): void => {
  inStore(storage => storage.setItem(nameOf(account), JSON.stringify(all)))
}

const MOST = 8

export const keepCreated = (account: string, wallet: CreatedWallet): void =>
  keep(account, [wallet, ...without(account, wallet.address)].slice(0, MOST))

export const forgetCreated = (account: string, address: string): void =>
  keep(account, without(account, address))
