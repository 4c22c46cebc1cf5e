/** When a database was backed up and marked, as far as it knows: once the service ran on it, what is stored last tells nothing of its backup. */
import { type Check, degradedCheck, failed, ok } from "../Checks.ts"
import type { Moments } from "./Stored.ts"

export const timeText = (millis: number): string => new Date(millis).toISOString()

const isBehind = ({ behindSince, restoredAt }: Moments): boolean =>
  behindSince !== null && behindSince > (restoredAt ?? 0)

export interface Since {
  /** Milliseconds, where it is known. */
  readonly from: number | undefined
  readonly check: Check
}

const since = (check: Check, from?: number): Since => ({ from, check })

/** From when on a chain is compared. */
export const sinceOf = (given: number | undefined, moments: Moments): Since => {
  const { newest, restoredAt, comparedFrom } = moments
  if (given !== undefined) return since(ok("since", timeText(given)), given)
  if (comparedFrom !== null)
    return since(ok("since", `${timeText(comparedFrom)}, which the last mark keeps`), comparedFrom)
  if (newest === null || restoredAt !== null || isBehind(moments))
    return since(
      failed(
        "since",
        "no blocks are looked at: give --since, when the backup was begun, which this database does not tell"
      )
    )
  const guess = `${timeText(newest)}, the time of what is stored last: if the service ran on this database since it was brought back, give --since, when the backup was begun`
  return since(degradedCheck("since", guess), newest)
}

const UNMARKED = "no service may be started on it before --mark"

export const markOf = (moments: Moments): Check => {
  const { newest, restoredAt, behindSince } = moments
  if (behindSince !== null && isBehind(moments))
    return failed(
      "mark",
      `a process of the service noticed at ${timeText(behindSince)} that this database lost what it had committed, and no mark says so since: stop every process; ${UNMARKED}`
    )
  if (restoredAt === null) return failed("mark", `this database is not marked as restored: ${UNMARKED}`)
  const mark = `restored at ${timeText(restoredAt)}`
  return newest === null || newest <= restoredAt
    ? ok("mark", mark)
    : degradedCheck(
        "mark",
        `${mark}, and served since, until ${timeText(newest)}; if it was restored again, mark it: --mark`
      )
}
