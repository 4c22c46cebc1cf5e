import { DESCRIPTIONS, type Family } from "../framework/OperationFamily.ts"

export const metadataFamily: Family = {
  title: "Project metadata and undeployed projects",
  references: ["/docs#Intents", DESCRIPTIONS],
  limits: ["Canonical metadata has at most 64 KiB.", "An intent's envelope has at most 1 MiB."]
}
