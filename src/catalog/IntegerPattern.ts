/** Regular expressions that match exactly the canonical decimal strings of an integer type. */
const digits = (count: number): string => (count === 0 ? "" : count === 1 ? "[0-9]" : `[0-9]{${count}}`)

const range = (low: number, high: number): string => (low === high ? `${low}` : `[${low}-${high}]`)

/** Numbers with as many digits as the limit and not above it, digit by digit from the left. */
const upTo = (limit: string, lowest: number): string => {
  const head = Number(limit.charAt(0))
  const rest = limit.slice(1)
  if (rest === "") return range(lowest, head)
  const smaller = head > lowest ? `${range(lowest, head - 1)}${digits(rest.length)}|` : ""
  return `(?:${smaller}${head}${upTo(rest, 0)})`
}

const positiveUpTo = (limit: bigint): string => {
  const text = limit.toString()
  const shorter = text.length === 1 ? "" : `[1-9]${text.length === 2 ? "" : `[0-9]{0,${text.length - 2}}`}|`
  return `${shorter}${upTo(text, 1)}`
}

const patterns = new Map<string, string>()

const build = (signed: boolean, bits: bigint): string =>
  signed
    ? `^(?:0|${positiveUpTo(2n ** (bits - 1n) - 1n)}|-(?:${positiveUpTo(2n ** (bits - 1n))}))$`
    : `^(?:0|${positiveUpTo(2n ** bits - 1n)})$`

export const integerPattern = (signed: boolean, bits: number): string => {
  const key = `${signed ? "int" : "uint"}${bits}`
  const known = patterns.get(key)
  if (known !== undefined) return known
  const pattern = build(signed, BigInt(bits))
  patterns.set(key, pattern)
  return pattern
}
