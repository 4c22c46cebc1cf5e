import { Effect } from "effect"
import { References } from "../../../references/References.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { TEXT_WARNINGS } from "../Warnings.ts"
import { getWebclientReference } from "./Declaration.ts"

export const runGetWebclientReference = defineOperation(
  getWebclientReference,
  Effect.fn("Operations.getWebclientReference")(function* (query) {
    const { samplesId, samplePage } = yield* References
    return {
      bundleId: samplesId,
      referenceOnly: true as const,
      ...(yield* samplePage(query)),
      warnings: TEXT_WARNINGS
    }
  })
)
