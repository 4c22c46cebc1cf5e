import { Effect } from "effect"
import { References } from "../../../references/References.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { TEXT_WARNINGS } from "../Warnings.ts"
import { getReference } from "./Declaration.ts"

export const runGetReference = defineOperation(
  getReference,
  Effect.fn("Operations.getReference")(function* (query) {
    const { bundleId, page } = yield* References
    return { bundleId, referenceOnly: true as const, ...(yield* page(query)), warnings: TEXT_WARNINGS }
  })
)
