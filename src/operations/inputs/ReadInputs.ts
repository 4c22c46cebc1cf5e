/** What each operation that is answered at once takes. */
import type { Schema } from "effect"
import type { ReadId } from "../framework/OperationTable.ts"
import { projectInputs } from "./Projects.ts"
import { quoteInputs } from "./Quotes.ts"
import { referenceInputs } from "./References.ts"

export const readInputs = {
  ...projectInputs,
  ...quoteInputs,
  ...referenceInputs
} as const satisfies Record<ReadId, Schema.Schema.AnyNoContext>
