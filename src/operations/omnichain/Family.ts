import { DESCRIPTIONS, type Family } from "../framework/OperationFamily.ts"

export const omnichainFamily: Family = {
  title: "Bridges and projects on several chains",
  references: ["/docs#Projects", DESCRIPTIONS],
  limits: ["Up to 32 bridges of a project are read.", "Events are read over at most 2000 blocks."]
}
