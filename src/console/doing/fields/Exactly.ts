/** Numbers as people type them, turned into whole units digit by digit; undefined for what is no such number. */

const NUMBER = /^([0-9]{1,78})(?:\.([0-9]{1,78}))?$/

const plain = (digits: string): string => digits.replace(/^0+(?=[0-9])/, "")

/** `1.5` with 3 decimals as `1500`; no digit is rounded away. */
export const unitsOf = (text: string, decimals: number): string | undefined => {
  const [, whole, fraction = ""] = NUMBER.exec(text) ?? []
  if (whole === undefined) return undefined
  const kept = fraction.replace(/0+$/, "")
  return kept.length > decimals ? undefined : plain(whole + kept.padEnd(decimals, "0"))
}

const PERCENT_DIGITS = 12

/** `12.5%` of a whole, or the parts themselves. */
export const partsOf = (text: string, whole: number): string | undefined => {
  const percent = /^(.*?)\s*%$/.exec(text)?.[1]
  if (percent === undefined) return unitsOf(text, 0)
  const scaled = unitsOf(percent, PERCENT_DIGITS)
  if (scaled === undefined) return undefined
  const parts = BigInt(scaled) * BigInt(whole)
  const one = 100n * 10n ** BigInt(PERCENT_DIGITS)
  return parts % one === 0n ? String(parts / one) : undefined
}

/** The percent that parts are of a whole, with every digit that it has. */
export const shareText = (parts: bigint, whole: number): string => {
  const scaled = (parts * 100n * 10n ** BigInt(PERCENT_DIGITS)) / BigInt(whole)
  const digits = String(scaled).padStart(PERCENT_DIGITS + 1, "0")
  const fraction = digits.slice(-PERCENT_DIGITS).replace(/0+$/, "")
  return `${digits.slice(0, -PERCENT_DIGITS)}${fraction === "" ? "" : `.${fraction}`} %`
}

const SPANS: ReadonlyArray<readonly [seconds: number, name: string]> = [
  [604_800, "week"],
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
  [1, "second"]
]

/** `7 days` in seconds, or the seconds themselves. */
export const spanOf = (text: string): string | undefined => {
  const [, digits = "", name] = /^([0-9]{1,15})(?:\s*(week|day|hour|minute|second)s?)?$/i.exec(text) ?? []
  if (digits === "") return undefined
  const [seconds] = SPANS.find(([, each]) => each === name?.toLowerCase()) ?? [1]
  return String(BigInt(digits) * BigInt(seconds))
}

const spanPart = (count: bigint, name: string): string => `${count} ${name}${count === 1n ? "" : "s"}`

/** 90061 as "1 day 1 hour 1 minute 1 second". */
export const spanText = (seconds: bigint): string => {
  const parts: Array<string> = []
  let rest = seconds
  for (const [size, name] of SPANS.slice(1)) {
    const count = rest / BigInt(size)
    if (count > 0n) parts.push(spanPart(count, name))
    rest %= BigInt(size)
  }
  return parts.join(" ") || "0 seconds"
}

const LOCAL = /^[0-9]{4,6}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?$/

/** A local date and time in Unix seconds, or the seconds themselves. */
export const secondsOf = (text: string): string | undefined => {
  if (!LOCAL.test(text)) return unitsOf(text, 0)
  const seconds = Math.floor(new Date(text).getTime() / 1000)
  return seconds >= 0 ? String(seconds) : undefined
}

const two = (number: number): string => String(number).padStart(2, "0")

/** The same as a date field takes it; the seconds themselves where it has no such date, or that date comes twice. */
export const localText = (seconds: string): string => {
  const date = new Date(Number(seconds) * 1000)
  if (Number.isNaN(date.getTime()) || date.getFullYear() > 9999) return seconds
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  const text = `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  return secondsOf(text) === seconds ? text : seconds
}
