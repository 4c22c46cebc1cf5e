/** Lists and pages of the reference documents and of the samples of a web client. */
import { Effect } from "effect"
import { References } from "../../references/References.ts"
import { defineOperation } from "../framework/Operation.ts"
import {
  getReference,
  getWebclientReference,
  listReferences,
  listWebclientReferences
} from "./Declarations.ts"
import { TEXT_WARNINGS } from "./Warnings.ts"

const referenceOnly = true as const

export const runGetReference = defineOperation(
  getReference,
  Effect.fn("Operations.getReference")(function* (query) {
    const { bundleId, page } = yield* References
    return { bundleId, referenceOnly, ...(yield* page(query)), warnings: TEXT_WARNINGS }
  })
)

export const runListReferences = defineOperation(listReferences, ({ category, ...window }) =>
  Effect.map(References, ({ bundleId, list }) => {
    const { items, ...rest } = list(category, window)
    return { bundleId, referenceOnly, documents: items, ...rest }
  })
)

export const runListWebclientReferences = defineOperation(listWebclientReferences, window =>
  Effect.map(References, ({ samplesId, listSamples }) => {
    const { items, ...rest } = listSamples(window)
    return { bundleId: samplesId, referenceOnly, references: items, ...rest }
  })
)

export const runGetWebclientReference = defineOperation(
  getWebclientReference,
  Effect.fn("Operations.getWebclientReference")(function* (query) {
    const { samplesId, samplePage } = yield* References
    return { bundleId: samplesId, referenceOnly, ...(yield* samplePage(query)), warnings: TEXT_WARNINGS }
  })
)
