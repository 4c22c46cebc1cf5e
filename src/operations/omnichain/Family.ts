import { MOST_BLOCKS, MOST_BRIDGES } from "../../projects/BridgesView.ts"
import { DESCRIPTIONS, type Family } from "../framework/OperationFamily.ts"

export const omnichainFamily: Family = {
  title: "Bridges and projects on several chains",
  references: ["/docs#Projects", DESCRIPTIONS],
  limits: [
    `Up to ${MOST_BRIDGES} bridges of a project are read.`,
    `Events are read over at most ${MOST_BLOCKS} blocks.`
  ]
}
