/** Says what a run came to, keeps it, and ends the process with 1 when anything is broken. */
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import type { Verdict } from "./crash/Audit.ts"

export interface RunResult {
  readonly record: Readonly<Record<string, unknown>>
  readonly verdicts: ReadonlyArray<Verdict>
  readonly violations: number
}

export const reportAndExit = ({ record, verdicts, violations }: RunResult): never => {
  for (const { invariant, violations: found } of verdicts)
    console.log(
      `${found.length === 0 ? "holds " : "BROKEN"} ${invariant}${found.map(line => `\n         ${line}`).join("")}`
    )
  console.log(JSON.stringify(record, null, 2))
  appendFileSync(join(packageRoot, "RELIABILITY.json"), `${JSON.stringify(record)}\n`)
  return process.exit(violations === 0 ? 0 : 1)
}
