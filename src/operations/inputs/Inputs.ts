import { planInputs } from "./Plans.ts"
import { readInputs } from "./ReadInputs.ts"

/** What each operation takes. */
export const operationInputs = { ...readInputs, ...planInputs } as const
