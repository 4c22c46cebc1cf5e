import { LIMITS } from "../../indexer/Limits.ts"
import { MOST_CONTEXTS, MOST_TERMINALS } from "../../projects/TerminalReads.ts"
import { DESCRIPTIONS, type Family } from "../framework/OperationFamily.ts"

export const projectsFamily: Family = {
  title: "Finding and reading projects",
  references: ["/docs#Projects", "/docs#Indexer", DESCRIPTIONS],
  limits: [
    `Pages of indexed rows hold 1 to ${LIMITS.maxRows}, ${LIMITS.defaultRows} unless asked otherwise.`,
    "Every value of one chain is read at one canonical block.",
    `Up to ${MOST_TERMINALS} terminals of a project and ${MOST_CONTEXTS} tokens of each are read.`
  ]
}
