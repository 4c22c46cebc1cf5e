/** Times of the chain in words; they are Unix seconds. */
import { distanceText, instantText } from "../../../review/Times.ts"

/** The instant in UTC and how far it is from now. */
export const instantAnd = (seconds: string | number, nowMillis: number): string => {
  const millis = Number(seconds) * 1000
  return `${instantText(millis)}, ${distanceText(millis, nowMillis)}`
}

const [DAY, HOUR, MINUTE] = [86_400, 3_600, 60]
const PARTS = [
  [DAY, "day"],
  [HOUR, "hour"],
  [MINUTE, "minute"],
  [1, "second"]
] as const

/** In the largest unit that it is a whole number of. */
export const lengthText = (seconds: string): string => {
  const length = BigInt(seconds)
  const [size, name] = PARTS.find(([each]) => length % BigInt(each) === 0n) ?? PARTS[3]
  const count = length / BigInt(size)
  return `${count} ${name}${count === 1n ? "" : "s"}`
}

/** As the person's own clock shows it; the exact instant stands beside. */
export const localInstant = (seconds: number): string => {
  const millis = seconds * 1000
  if (!(Math.abs(millis) <= 8.64e15)) return String(seconds)
  return new Date(millis).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })
}
