/** Amounts between people and the service, which carries them as decimal strings of atomic units. */
export const parseAmount = (text: string, decimals: number): string => {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text.trim())
  const [, whole = "", fraction = ""] = match ?? []
  if (match === null || fraction.length > decimals)
    throw new Error(`an amount with ${decimals} decimal places at most is needed`)
  return BigInt(whole + fraction.padEnd(decimals, "0")).toString()
}

export const formatAmount = (atomic: string, decimals: number): string => {
  const digits = BigInt(atomic)
    .toString()
    .padStart(decimals + 1, "0")
  const split = digits.length - decimals
  const fraction = digits.slice(split).replace(/0+$/, "")
  return fraction === "" ? digits.slice(0, split) : `${digits.slice(0, split)}.${fraction}`
}
