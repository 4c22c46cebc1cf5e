import { Schema } from "effect"
import { int, offset, text, withDefault } from "../shared/inputs/Parts.ts"

export const ReferenceCategory = Schema.Literal("contracts", "sdk", "indexer", "service", "skills")

/** Judged by the operation, which refuses others with a code of its own. */
export const NamedContract = text(100, 1)

export const LONGEST_PAGE = 24_000

export const ReferencePage = { offset: offset(750_000), limit: withDefault(int(1, LONGEST_PAGE), 8_000) }
