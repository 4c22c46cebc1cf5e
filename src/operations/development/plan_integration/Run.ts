/** What a client has to read, build and prove for the features that it wants, without looking at any chain. */
import { Effect, Schema } from "effect"
import { Catalog } from "../../../catalog/Catalog.ts"
import { UnsupportedChain } from "../../../chain/refusals.ts"
import { boundSamples, planFeatures, sdkImports } from "../../../references/Integration.ts"
import { References } from "../../../references/References.ts"
import { Settings } from "../../../settings/Settings.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { Feature, planIntegration } from "./Declaration.ts"

const isFeature = Schema.is(Feature)

const DEPLOYMENT_STATUS = "requires-live-verification" as const

export const runPlanIntegration = defineOperation(
  planIntegration,
  Effect.fn("Operations.planIntegration")(function* (request) {
    const { integration, samples } = yield* References
    const { chains } = yield* Catalog
    const foreign = request.chainIds.find(chainId => !chains.includes(chainId))
    if (foreign !== undefined) return yield* new UnsupportedChain({ context: { chainId: foreign } })
    const features = yield* planFeatures(integration, request)
    const wanted = new Set<string>(request.features)
    return {
      bundleId: integration.bundleId,
      referenceOnly: true as const,
      publicOrigin: new URL((yield* Settings).audience).origin,
      request,
      addedDependencies: features.flatMap(({ id }) => (isFeature(id) && !wanted.has(id) ? [id] : [])),
      chainScope: request.chainIds.map(chainId => ({ chainId, deploymentStatus: DEPLOYMENT_STATUS })),
      architecture: integration.architecture,
      features,
      sdkImports: sdkImports(features),
      references: boundSamples(features, samples, request.framework),
      warnings: integration.warnings
    }
  })
)
