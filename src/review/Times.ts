/** Times as people compare them: the instant in UTC, and how far it is from now. */
const PARTS = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"]
] as const

/** Two of the parts say enough of a span, and one of a long one. */
const LONG_COUNT = 10
const SOON_SECONDS = 5

const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? "" : "s"}`

const spanText = (seconds: number): string => {
  const first = PARTS.findIndex(([least]) => seconds >= least)
  const [[size, name], next] = [PARTS[first] ?? PARTS[3], PARTS[first + 1]]
  const count = Math.floor(seconds / size)
  const rest = next === undefined ? 0 : Math.floor((seconds % size) / next[0])
  const isWhole = count >= LONG_COUNT || size <= 60 || rest === 0 || next === undefined
  return isWhole ? counted(count, name) : `${counted(count, name)} and ${counted(rest, next[1])}`
}

/** `2026-01-02T03:04:05Z`; text for what is no time. */
export const instantText = (millis: number): string =>
  Math.abs(millis) <= 8.64e15 ? new Date(millis).toISOString().replace(/\.\d+Z$/, "Z") : String(millis)

export const distanceText = (millis: number, now: number): string => {
  const seconds = Math.abs(millis - now) / 1000
  if (seconds < SOON_SECONDS) return millis >= now ? "now" : "just now"
  const span = spanText(seconds)
  return millis >= now ? `in ${span}` : `${span} ago`
}
