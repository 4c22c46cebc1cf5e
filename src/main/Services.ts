/** Composes every service of the process, each built once. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { type Context, Effect, Layer, Option } from "effect"
import { AccountActors } from "../accounts/AccountActors.ts"
import { AccountLock } from "../accounts/AccountLock.ts"
import { AccountStore } from "../accounts/AccountStore.ts"
import { GrantStore } from "../accounts/GrantStore.ts"
import { NonceLedger } from "../accounts/NonceLedger.ts"
import { Idempotency } from "../auth/Idempotency.ts"
import type { AddedContract } from "../catalog/AddedContracts.ts"
import { Catalog } from "../catalog/Catalog.ts"
import { executionContracts } from "../catalog/ExecutionContracts.ts"
import { ChainClient } from "../chain/ChainClient.ts"
import { ChainClientLive } from "../chain/ChainClientLive.ts"
import { SteadyHeads } from "../chain/SteadyHeads.ts"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import { DatabaseHistory } from "../database/DatabaseHistory.ts"
import type { MigrationRefused } from "../database/MigrationFiles.ts"
import { migrateAlone } from "../database/Migrations.ts"
import { databaseUnusable, poolLayer } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { direct } from "../direct/Direct.ts"
import { Broadcast } from "../dispatch/Broadcast.ts"
import { ClaimStore } from "../dispatch/ClaimStore.ts"
import { DispatchLease } from "../dispatch/DispatchLease.ts"
import { NonceHolders } from "../dispatch/NonceHolder.ts"
import { SweepStore } from "../dispatch/SweepStore.ts"
import { Transports } from "../dispatch/Transport.ts"
import { InstalledEffects } from "../effects/InstalledEffects.ts"
import { AddressBudget } from "../http/AddressBudget.ts"
import { InWork } from "../http/InWork.ts"
import { Indexer } from "../indexer/Indexer.ts"
import { networkChains } from "../indexer/Networks.ts"
import { DeploymentStore } from "../intents/DeploymentStore.ts"
import { IntentStore } from "../intents/IntentStore.ts"
import { ReviewTokens } from "../metadata/ReviewToken.ts"
import type { AnyOperation } from "../operations/framework/Installed.ts"
import { OperationFamilies } from "../operations/framework/OperationFamily.ts"
import { ownOperations } from "../operations/framework/OwnOperations.ts"
import { toldFamilies } from "../operations/framework/ToldFamilies.ts"
import { CredentialStore } from "../payments/CredentialStore.ts"
import { checkPilotManifests } from "../payments/Pilot.ts"
import { ReviewStore } from "../payments/ReviewStore.ts"
import { PlanStore } from "../plans/PlanStore.ts"
import { StorePlan } from "../plans/StorePlan.ts"
import { PinnedContracts } from "../protocol/PinnedContracts.ts"
import { ReadContract } from "../protocol/ReadContract.ts"
import { ResolveContract } from "../protocol/ResolveContract.ts"
import { RuntimePins } from "../protocol/RuntimePins.ts"
import { References } from "../references/References.ts"
import { sessionGate } from "../sessions/Gate.ts"
import { LifecycleStore } from "../sessions/LifecycleStore.ts"
import { SessionStore } from "../sessions/SessionStore.ts"
import { SessionWatchStore } from "../sessions/SessionWatchStore.ts"
import { CursorSigner } from "../settings/CursorSigner.ts"
import { packageRoot } from "../settings/PackageRoot.ts"
import { Settings } from "../settings/Settings.ts"
import { StartFailure } from "../settings/StartFailure.ts"
import { Signatures } from "../signatures/Signatures.ts"
import { BindingStore } from "../smartaccounts/BindingStore.ts"
import { Manifests, walletPlacesIn } from "../smartaccounts/Manifests.ts"
import { forwardTracking } from "../sponsorship/ForwardTracking.ts"
import { outsidePayments } from "../sponsorship/PaidElsewhere.ts"
import { PaymentCodes } from "../sponsorship/PaymentCodes.ts"
import { PrepaidProvider } from "../sponsorship/PrepaidProvider.ts"
import { PublicationStore } from "../sponsorship/PublicationStore.ts"
import { Publish } from "../sponsorship/Publish.ts"
import { QuoteStore } from "../sponsorship/QuoteStore.ts"
import { SponsoredCallStore } from "../sponsorship/SponsoredCallStore.ts"
import { SponsorshipStore } from "../sponsorship/SponsorshipStore.ts"
import { LogSink } from "../telemetry/LogSink.ts"
import { telemetry } from "../telemetry/Telemetry.ts"
import { Bundler } from "../useroperations/Bundler.ts"
import { LongPoll } from "../useroperations/LongPoll.ts"
import { OperationSendStore } from "../useroperations/OperationSendStore.ts"
import { operationTracking } from "../useroperations/OperationTracking.ts"
import { OperationWatchStore } from "../useroperations/OperationWatchStore.ts"
import { Paymaster } from "../useroperations/Paymaster.ts"
import { Send } from "../useroperations/Send.ts"
import { UserOperationStore } from "../useroperations/UserOperationStore.ts"
import { RandomIds } from "../values/RandomIds.ts"
import { allPredicates } from "./AllPredicates.ts"
import { checkEffects } from "./CheckEffects.ts"

type Unusable = DatabaseUnavailable | MigrationRefused | StartFailure

const startFailureOf = (failure: Unusable): StartFailure => {
  if (failure._tag === "DATABASE_UNAVAILABLE") return databaseUnusable()
  return failure._tag === "MigrationRefused" ? new StartFailure({ message: failure.message }) : failure
}

/** Brought up to date before the pool opens. */
const database = Layer.unwrapEffect(
  Effect.gen(function* () {
    const { databaseUrl, databaseConnections } = yield* Settings
    if (databaseUrl === undefined)
      return yield* new StartFailure({ message: "No database is configured and none is embedded." })
    yield* migrateAlone(databaseUrl, join(packageRoot, "migrations"))
    return poolLayer({ url: databaseUrl, connections: databaseConnections })
  })
).pipe(Layer.catchAll(failure => Layer.fail(startFailureOf(failure))))

const readyDatabase = Layer.provideMerge(Layer.merge(DatabaseClock.layer, DatabaseHistory.layer), database)

const accounts = Layer.mergeAll(
  AccountLock.layer,
  AccountStore.layer,
  GrantStore.layer,
  NonceLedger.layer
).pipe(Layer.provideMerge(AccountActors.layer))

interface Added {
  /** Besides ours. */
  readonly operations?: ReadonlyArray<AnyOperation<unknown>>
  readonly contracts?: ReadonlyArray<AddedContract>
}

const SCHEMA = join(packageRoot, "schema")

const catalog = (overlays: ReadonlyArray<string>, contracts: ReadonlyArray<AddedContract>) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const { sponsorship, smartManifests } = yield* Settings
      const places = yield* walletPlacesIn(smartManifests)
      const file = join(SCHEMA, "execution", "contracts.json")
      const own = yield* executionContracts(file, { ...places, payments: sponsorship.payments })
      return Catalog.layer({
        directory: join(SCHEMA, "protocol"),
        overlays,
        contracts: [...own, ...contracts]
      })
    })
  )

const PINNED_CHAINS = networkChains([])

/** Chains that only an overlay brings are of this machine. */
const indexer = Layer.unwrapEffect(
  Effect.map(Catalog, ({ provenance }) =>
    Indexer.layer({
      directory: join(packageRoot, "schema", "indexer"),
      localChains: provenance.overlays
        .map(({ chainId }) => chainId)
        .filter(id => !PINNED_CHAINS.mainnet.has(id) && !PINNED_CHAINS.testnet.has(id))
    })
  )
)

const pins = Layer.unwrapEffect(
  Effect.map(Settings, ({ dataDirectory }) => {
    const file = join(dataDirectory, "runtimes.json")
    return existsSync(file) ? RuntimePins.layer(file) : RuntimePins.none
  })
)

const protocol = Layer.mergeAll(ResolveContract.layer, ReadContract.layer, PinnedContracts.layer).pipe(
  Layer.provide(pins)
)

const plans = Layer.mergeAll(Idempotency.layer, PlanStore.layer, StorePlan.layer)

const transports = Layer.effect(
  Transports,
  Effect.map(Effect.all([forwardTracking, operationTracking]), ([forwarded, operations]) => ({
    "signed-eoa-transaction": direct,
    "forwarder-prepaid-erc2771": forwarded,
    "eip4337-user-operation": operations
  }))
).pipe(Layer.provideMerge(Layer.mergeAll(SponsoredCallStore.layer, OperationWatchStore.layer)))

const dispatch = (
  operations: ReadonlyArray<AnyOperation<unknown>>,
  ofTeam: ReadonlyArray<AnyOperation<unknown>>
) =>
  Layer.mergeAll(
    ClaimStore.layer,
    NonceHolders.layer,
    SweepStore.layer,
    Broadcast.layer,
    Layer.tap(InstalledEffects.layer(allPredicates(operations)), () => checkEffects(ofTeam)),
    transports
  ).pipe(Layer.provideMerge(DispatchLease.layer))

const sponsorship = Layer.merge(Publish.layer, outsidePayments).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      PaymentCodes.layer,
      PrepaidProvider.layer,
      PublicationStore.layer,
      QuoteStore.layer,
      SponsorshipStore.layer
    )
  ),
  Layer.provide(protocol)
)

const manifests = Layer.unwrapEffect(
  Effect.map(Settings, ({ smartManifests }) => Manifests.fromFile(smartManifests))
).pipe(Layer.tap(there => Effect.provide(checkPilotManifests, there)))

const smartAccounts = Layer.merge(manifests, BindingStore.layer)

const userOperations = Layer.mergeAll(
  Layer.provideMerge(Send.layer, Layer.mergeAll(Bundler.layer, OperationSendStore.layer)),
  Paymaster.layer,
  UserOperationStore.layer,
  LongPoll.layer.pipe(Layer.provide(OperationWatchStore.layer))
)

const sessions = sessionGate.pipe(
  Layer.provideMerge(Layer.mergeAll(SessionStore.layer, SessionWatchStore.layer, LifecycleStore.layer))
)

const walletPayments = Layer.merge(ReviewStore.layer, CredentialStore.layer)

/** Ours, unless what this is built upon has one already. */
const unlessGiven = <Self, Shape, E, R>(
  tag: Context.Tag<Self, Shape>,
  ours: Layer.Layer<Self, E, R>
): Layer.Layer<Self, E, R> =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.serviceOption(tag),
      Option.match({ onNone: () => ours, onSome: given => Layer.succeed(tag, given) })
    )
  )

const outside = Layer.mergeAll(
  readyDatabase,
  unlessGiven(ChainClient, ChainClientLive),
  unlessGiven(CursorSigner, CursorSigner.layer),
  SteadyHeads.layer,
  RandomIds.layer
)

/** Everything that handlers and workers need, from settings that name a database. */
export const services = (
  overlays: ReadonlyArray<string>,
  { operations = [], contracts = [] }: Added = {}
) => {
  const installed = [...ownOperations, ...operations]
  return Layer.mergeAll(
    Signatures.layer,
    AddressBudget.layer,
    InWork.layer,
    IntentStore.layer,
    Layer.succeed(OperationFamilies, toldFamilies(installed.map(({ declaration }) => declaration))),
    DeploymentStore.layer,
    sponsorship,
    smartAccounts,
    userOperations,
    sessions,
    walletPayments,
    ReviewTokens.layer,
    References.layer(join(packageRoot, "schema", "references")),
    protocol,
    dispatch(installed, operations),
    plans
  ).pipe(
    Layer.provideMerge(indexer),
    Layer.provideMerge(Layer.mergeAll(accounts, catalog(overlays, contracts))),
    Layer.provideMerge(outside),
    Layer.provideMerge(telemetry),
    Layer.provideMerge(unlessGiven(LogSink, LogSink.layer))
  )
}

export type Services = Layer.Layer.Success<ReturnType<typeof services>>

/** What operations and routes may need. */
export type Available = Services | Settings
