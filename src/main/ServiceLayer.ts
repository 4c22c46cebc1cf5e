/** The service from settings that name a database: what it consists of, its listeners and its workers, with what a team adds. */
import { Effect, Layer } from "effect"
import { nonceCleanup } from "../accounts/NonceCleanup.ts"
import type { Principal } from "../accounts/Principal.ts"
import type { SignedRequest } from "../auth/SignedRequest.ts"
import type { AddedContract } from "../catalog/AddedContracts.ts"
import type { CatalogIntegrity } from "../catalog/refusals.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { recoveryWorker } from "../dispatch/Recovery.ts"
import { serveOps } from "../http/Ops.ts"
import { serve } from "../http/Server.ts"
import type { TeamRoutes } from "../http/TeamRoutes.ts"
import { deploymentWatch } from "../intents/WatchDeployments.ts"
import type { AnyOperation } from "../operations/framework/Installed.ts"
import { ownOperations } from "../operations/framework/OwnOperations.ts"
import { archiveWorker } from "../plans/Archive.ts"
import type { ReferenceIntegrity } from "../references/refusals.ts"
import { sessionArchiveWorker } from "../sessions/ArchiveSessions.ts"
import { sessionWorker } from "../sessions/WatchSessions.ts"
import { Settings } from "../settings/Settings.ts"
import type { StartFailure } from "../settings/StartFailure.ts"
import { manifestWorker } from "../smartaccounts/WatchManifests.ts"
import { quoteWorker } from "../sponsorship/WatchQuotes.ts"
import { sponsorshipWorker } from "../sponsorship/WatchSponsorships.ts"
import { operationWorker } from "../useroperations/WatchOperations.ts"
import { checkExtension } from "./CheckExtension.ts"
import type { Extension, Givable } from "./Extension.ts"
import { headAgeDoubt } from "./HeadAge.ts"
import { type Available, type Services, services } from "./Services.ts"
import { siteOf } from "./Site.ts"

type Unstartable = StartFailure | DatabaseUnavailable | CatalogIntegrity | ReferenceIntegrity

/** By a type that has no more to infer. */
interface Parts {
  readonly operations?: ReadonlyArray<AnyOperation<Available>>
  readonly contracts?: ReadonlyArray<AddedContract>
  readonly routes?: ReadonlyArray<TeamRoutes<Available, Available | Principal | SignedRequest>>
  readonly layers?: Layer.Layer<never, unknown, Settings>
}

/** With all that it consists of, on which a team's own workers can be built. */
export function serviceLayer<Given extends Givable = never, E = never>(
  extension: Extension<Given, E>
): Layer.Layer<Services, E | Unstartable, Settings>
export function serviceLayer({
  operations = [],
  contracts = [],
  routes = [],
  layers = Layer.empty
}: Parts): Layer.Layer<Services, unknown, Settings> {
  return Layer.unwrapEffect(
    Effect.gen(function* () {
      yield* checkExtension(operations, routes)
      const site = siteOf([...ownOperations, ...operations], routes)
      const { sandboxManifest } = yield* Settings
      const overlays = sandboxManifest === undefined ? [] : [sandboxManifest]
      return Layer.mergeAll(
        Layer.scopedDiscard(serve(site)),
        Layer.scopedDiscard(serveOps),
        recoveryWorker,
        sponsorshipWorker,
        operationWorker,
        sessionWorker,
        quoteWorker,
        manifestWorker,
        nonceCleanup,
        archiveWorker,
        sessionArchiveWorker,
        deploymentWatch,
        headAgeDoubt
      ).pipe(Layer.provideMerge(services(overlays, { operations, contracts })), Layer.provideMerge(layers))
    })
  )
}
