/** The pages of `docs/operating`, and which tests and campaigns run the steps of each. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { packageRoot } from "../../../src/settings/PackageRoot.ts"

const DIRECTORY = join(packageRoot, "docs", "operating")

export const INDEX = "README.md"

export const pageNames = (): ReadonlyArray<string> => readdirSync(DIRECTORY).sort()

export const pageText = (name: string): string => readFileSync(join(DIRECTORY, name), "utf8")

/** The statements of a page, in its order. */
export const sqlIn = (name: string): ReadonlyArray<string> =>
  [...pageText(name).matchAll(/^ *```sql\n(.*?)\n *```$/gms)].map(([, text = ""]) =>
    text.trim().replace(/;$/, "")
  )

/** Files of `test`, and commands of `npm run`, that do what the page says. */
export const STEPS: Readonly<Record<string, ReadonlyArray<string>>> = {
  "archive-and-retention.md": [
    "operating/Procedures.test.ts",
    "plans/Archive.test.ts",
    "sessions/Archive.test.ts"
  ],
  "backup-and-restore.md": [
    "faults/restore.test.ts",
    "cli/Restored.test.ts",
    "cli/RestoredChain.test.ts",
    "database/Restored.test.ts",
    "database/DatabaseHistory.test.ts",
    "direct/Restored.test.ts",
    "npm run faults"
  ],
  "capacity.md": ["npm run bench"],
  "database-down.md": ["faults/postgres.test.ts", "database/Unavailable.test.ts", "http/Ops.test.ts"],
  "drifted-manifest.md": ["smartaccounts/WatchManifests.test.ts", "main/Sponsored.test.ts"],
  "failing-requests.md": ["cli/Checks.test.ts", "telemetry/Logs.test.ts", "http/Window.test.ts"],
  "failover.md": ["faults/failover.test.ts", "database/Pooler.test.ts", "npm run faults"],
  "metrics.md": ["operating/Observed.test.ts", "telemetry/Names.test.ts"],
  "node-hung-or-lying.md": [
    "http/HungNode.test.ts",
    "operating/Observed.test.ts",
    "faults/matrix.test.ts",
    "chain/Rotation.test.ts",
    "cli/Checks.test.ts"
  ],
  "processes.md": ["main/Processes.test.ts"],
  "readiness.md": ["http/HungNode.test.ts", "http/Readiness.test.ts", "http/Ops.test.ts"],
  "replica-down.md": ["faults/crash.test.ts", "faults/deploys.test.ts", "main/Start.test.ts"],
  "rollback.md": ["operating/Rollback.test.ts"],
  "rolling-upgrade.md": [
    "database/Upgrades.test.ts",
    "database/UpgradeUnderWork.test.ts",
    "faults/deploys.test.ts",
    "npm run deploys"
  ],
  "secret-rotation.md": ["operating/SecretRotation.test.ts", "indexer/RotatedSecret.test.ts"],
  "smart-accounts.md": ["smartaccounts/WatchManifests.test.ts", "smartaccounts/Binding.test.ts"],
  "sources.md": ["http/Readiness.test.ts", "http/Ops.test.ts", "indexer/Degraded.test.ts"],
  "sponsorships.md": [
    "sponsorship/Metrics.test.ts",
    "sponsorship/Dead.test.ts",
    "faults/providerLies.test.ts"
  ],
  "stuck-nonce.md": [
    "operating/Procedures.test.ts",
    "dispatch/Replaced.test.ts",
    "direct/ResentAfterExpiry.test.ts"
  ],
  "traces.md": ["telemetry/Spans.test.ts", "telemetry/PlanTraces.test.ts"],
  "unknown-plan.md": [
    "operating/Procedures.test.ts",
    "cli/Outcomes.test.ts",
    "cli/Record.test.ts",
    "dispatch/Recovery.test.ts"
  ],
  "user-operations.md": [
    "useroperations/Expired.test.ts",
    "useroperations/PreparedAgain.test.ts",
    "useroperations/DroppedBeside.test.ts",
    "useroperations/Located.test.ts",
    "sessions/OperateRaces.test.ts",
    "faults/bundlerLies.test.ts"
  ],
  "wallet-payments.md": ["payments/Page.test.ts", "npm run pictures"],
  "workers.md": ["dispatch/SweepForever.test.ts", "dispatch/Recovery.test.ts"]
}
