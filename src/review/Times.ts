/** Times as people compare them: the instant in UTC, and how far it is from now. */
const PARTS = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"]
] as const

const spanText = (seconds: number): string => {
  const [size, name] = PARTS.find(([least]) => seconds >= least) ?? PARTS[3]
  const count = Math.floor(seconds / size)
  return `${count} ${name}${count === 1 ? "" : "s"}`
}

/** `2026-01-02T03:04:05Z`; text for what is no time. */
export const instantText = (millis: number): string =>
  Math.abs(millis) <= 8.64e15 ? new Date(millis).toISOString().replace(/\.\d+Z$/, "Z") : String(millis)

export const distanceText = (millis: number, now: number): string => {
  const span = spanText(Math.abs(millis - now) / 1000)
  return millis >= now ? `in ${span}` : `${span} ago`
}
