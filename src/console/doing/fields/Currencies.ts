/** What amounts are counted in beside tokens: currencies by their numbers. */

const NAMES: Readonly<Record<string, string>> = { "1": "ether", "2": "US dollars", "61166": "ether" }

/** Those that are no token's own. */
export const COMMON_CURRENCIES: ReadonlyArray<string> = ["1", "2"]

const CURRENCY_BITS = 0xffffffffn

/** The last 32 bits of the token's address. */
export const ownCurrency = (token: string): string | undefined =>
  /^0x[0-9a-fA-F]{40}$/.test(token) ? String(BigInt(token) & CURRENCY_BITS) : undefined

export const currencyUnits = (digits: string): string | undefined =>
  Object.hasOwn(NAMES, digits) ? NAMES[digits] : undefined
