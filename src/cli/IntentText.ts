/** Published intents as text; names and texts are their publishers'. */
import type { Intent, IntentItem } from "../intents/Intent.ts"
import { foreign } from "./ForeignText.ts"
import { facts, isoSeconds, textTable } from "./Table.ts"

const LONGEST_NAME = 44

export const intentText = (intent: typeof Intent.Encoded): string =>
  facts([
    ["intent", intent.id],
    ["status", intent.status],
    ["name", foreign(intent.name)],
    ["tagline", foreign(intent.tagline ?? "-")],
    ["publisher", intent.publisher],
    ["owner", intent.owner ?? "-"],
    ["chains", intent.envelope.chainIds.join(", ")],
    ["calls", String(intent.envelope.deploymentCalls.length)],
    ["content hash", intent.contentHash],
    ["published", isoSeconds(intent.createdAt)],
    ...intent.deployments.map(
      ({ chainId, projectId, transactionHash, forwarded }) =>
        [
          "deployed",
          `project ${projectId} on chain ${chainId} by ${transactionHash}${forwarded ? ", forwarded" : ""}`
        ] as const
    )
  ])

export const intentsText = (items: ReadonlyArray<IntentItem>): string =>
  items.length === 0
    ? "No intents."
    : textTable(
        ["INTENT", "NAME", "CHAINS", "PUBLISHER", "PUBLISHED"],
        items.map(({ intentId, metadata, chainIds, publisher, createdAt }) => [
          intentId,
          foreign(metadata.name, LONGEST_NAME),
          chainIds.join(", "),
          publisher,
          isoSeconds(createdAt)
        ])
      )
