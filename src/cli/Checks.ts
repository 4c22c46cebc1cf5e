/** Checks with a verdict each, and what their table and exit code say of them. */
import type { CommandOutcome } from "./Command.ts"
import { ExitCode } from "./Failure.ts"
import { textTable } from "./Table.ts"

export interface Check {
  readonly name: string
  readonly verdict: "ok" | "degraded" | "failed"
  readonly detail: string
}

export const ok = (name: string, detail: string): Check => ({ name, verdict: "ok", detail })
export const degradedCheck = (name: string, detail: string): Check => ({ name, verdict: "degraded", detail })
export const failed = (name: string, detail: string): Check => ({ name, verdict: "failed", detail })

export const checked = (checks: ReadonlyArray<Check>): CommandOutcome => ({
  json: { checks, ok: checks.every(({ verdict }) => verdict !== "failed") },
  text: textTable(
    ["CHECK", "VERDICT", "DETAIL"],
    checks.map(({ name, verdict, detail }) => [name, verdict, detail])
  ),
  exitCode: checks.some(({ verdict }) => verdict === "failed") ? ExitCode.failedCheck : ExitCode.ok
})
