/** What a database of years is asked, and how much it may read for it. */
import * as SqlClient from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AccountActors } from "../../../src/accounts/AccountActors.ts"
import { SweepStore } from "../../../src/dispatch/SweepStore.ts"
import { AddressUsage } from "../../../src/http/AddressUsage.ts"
import { DeploymentStore } from "../../../src/intents/DeploymentStore.ts"
import { PlanStore } from "../../../src/plans/PlanStore.ts"
import { SessionStore } from "../../../src/sessions/SessionStore.ts"
import { SessionWatchStore } from "../../../src/sessions/SessionWatchStore.ts"
import { Settings } from "../../../src/settings/Settings.ts"
import { QuoteStore } from "../../../src/sponsorship/QuoteStore.ts"
import { SponsoredCallStore } from "../../../src/sponsorship/SponsoredCallStore.ts"
import { SponsorshipStore } from "../../../src/sponsorship/SponsorshipStore.ts"
import { OperationWatchStore } from "../../../src/useroperations/OperationWatchStore.ts"
import { UserOperationStore } from "../../../src/useroperations/UserOperationStore.ts"
import { RandomIds } from "../../../src/values/RandomIds.ts"
import { rowsRead } from "../../support/RowsRead.ts"
import { testSettings } from "../../support/Settings.ts"
import { grownDatabase } from "./GrownDatabase.ts"

export const grownStores = Layer.mergeAll(
  ...[PlanStore.layer, SponsorshipStore.layer, UserOperationStore.layer, SessionStore.layer],
  ...[SweepStore.layer, SessionWatchStore.layer, OperationWatchStore.layer, SponsoredCallStore.layer],
  ...[QuoteStore.layer, DeploymentStore.layer, AddressUsage.layer]
).pipe(
  Layer.provideMerge(AccountActors.layer),
  Layer.provideMerge(RandomIds.layer),
  Layer.provideMerge(Layer.succeed(Settings, testSettings())),
  Layer.provideMerge(grownDatabase)
)

/** Each of what is found is read where it is due and where it is changed, and some beside it. */
export const EACH = 4
export const BESIDE = 10
const count = (found: number | ReadonlyArray<unknown>): number =>
  typeof found === "number" ? found : found.length

/** The work finds so much, and reads little beside it. */
export const flat = <E, R>(
  found: number,
  work: Effect.Effect<number | ReadonlyArray<unknown>, E, R>,
  each = EACH
) =>
  Effect.gen(function* () {
    const { made, rows } = yield* rowsRead(work)
    assert.strictEqual(count(made), found)
    assert.isAtMost(rows, found * each + BESIDE)
  })

/** Whatever the filling leaves out. */
export const changed = (text: string) => Effect.flatMap(SqlClient.SqlClient, sql => sql.unsafe(text))
