/** Checks with a verdict each, and what their table and exit code say of them. */
import type { Outcome } from "./Command.ts"
import { ExitCode } from "./Failure.ts"
import { table } from "./Table.ts"

export interface Check {
  readonly name: string
  readonly verdict: "ok" | "degraded" | "failed"
  readonly detail: string
}

export const ok = (name: string, detail: string): Check => ({ name, verdict: "ok", detail })
export const degraded = (name: string, detail: string): Check => ({ name, verdict: "degraded", detail })
export const failed = (name: string, detail: string): Check => ({ name, verdict: "failed", detail })

export const checked = (checks: ReadonlyArray<Check>): Outcome => ({
  json: { checks, ok: checks.every(({ verdict }) => verdict !== "failed") },
  text: table(
    ["CHECK", "VERDICT", "DETAIL"],
    checks.map(({ name, verdict, detail }) => [name, verdict, detail])
  ),
  exitCode: checks.some(({ verdict }) => verdict === "failed") ? ExitCode.failedCheck : ExitCode.ok
})
