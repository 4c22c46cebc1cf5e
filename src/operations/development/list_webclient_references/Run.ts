import { Effect } from "effect"
import { References } from "../../../references/References.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { listWebclientReferences } from "./Declaration.ts"

export const runListWebclientReferences = defineOperation(listWebclientReferences, window =>
  Effect.map(References, ({ samplesId, listSamples }) => {
    const { items, ...rest } = listSamples(window)
    return { bundleId: samplesId, referenceOnly: true as const, references: items, ...rest }
  })
)
