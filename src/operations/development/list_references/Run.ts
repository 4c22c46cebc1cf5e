import { Effect } from "effect"
import { References } from "../../../references/References.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { listReferences } from "./Declaration.ts"

export const runListReferences = defineOperation(listReferences, ({ category, ...window }) =>
  Effect.map(References, ({ bundleId, list }) => {
    const { items, ...rest } = list(category, window)
    return { bundleId, referenceOnly: true as const, documents: items, ...rest }
  })
)
