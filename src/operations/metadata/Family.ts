import { ENVELOPE_BYTES } from "../../intents/Envelope.ts"
import { METADATA_BYTES } from "../../metadata/ReviewedMetadata.ts"
import { DESCRIPTIONS, type Family } from "../framework/OperationFamily.ts"

export const metadataFamily: Family = {
  title: "Project metadata and undeployed projects",
  references: ["/docs#Intents", DESCRIPTIONS],
  limits: [
    `Canonical metadata has at most ${METADATA_BYTES / 1024} KiB.`,
    `An intent's envelope has at most ${ENVELOPE_BYTES / 1_048_576} MiB.`
  ]
}
