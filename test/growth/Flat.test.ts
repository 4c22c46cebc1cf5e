/** What workers and lists read does not grow with what is done, or not due yet: in rows, which neither machine nor load changes. */
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { AccountActors } from "../../src/accounts/AccountActors.ts"
import { makeEnrolmentCount } from "../../src/accounts/EnrolmentsOfDay.ts"
import { removeExpired } from "../../src/accounts/NonceCleanup.ts"
import type { Actor } from "../../src/accounts/Principal.ts"
import { SweepStore } from "../../src/dispatch/SweepStore.ts"
import { AddressUsage } from "../../src/http/AddressUsage.ts"
import { readStock } from "../../src/http/ops/StockRead.ts"
import { DeploymentStore } from "../../src/intents/DeploymentStore.ts"
import { archivePage } from "../../src/plans/Archive.ts"
import { PlanStore } from "../../src/plans/PlanStore.ts"
import { archiveSessions } from "../../src/sessions/ArchiveSessions.ts"
import { SessionStore } from "../../src/sessions/SessionStore.ts"
import { SessionWatchStore } from "../../src/sessions/SessionWatchStore.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { QuoteStore } from "../../src/sponsorship/QuoteStore.ts"
import { SponsoredCallStore } from "../../src/sponsorship/SponsoredCallStore.ts"
import { SponsorshipStore } from "../../src/sponsorship/SponsorshipStore.ts"
import { OperationWatchStore } from "../../src/useroperations/OperationWatchStore.ts"
import { UserOperationStore } from "../../src/useroperations/UserOperationStore.ts"
import { RandomIds } from "../../src/values/RandomIds.ts"
import { rowsRead } from "../support/RowsRead.ts"
import { testSettings } from "../support/Settings.ts"
import { DUE, grownDatabase, HEAVY } from "./support/GrownDatabase.ts"

const stores = Layer.mergeAll(
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
const EACH = 4
const BESIDE = 10
const PAGE = 5

const owner: Actor = {
  ...{ kind: "owner", id: `owner:${HEAVY}`, accountId: HEAVY, authorityChainId: 1 },
  ...{
    ownerAddress: `0x${"a1".repeat(20)}`,
    signer: `0x${"a1".repeat(20)}`,
    issuedAt: 1,
    expiresAt: 60,
    nonce: "0x00"
  }
}

const FIRST_PAGE = { limit: PAGE, after: undefined }

const count = (found: number | ReadonlyArray<unknown>): number =>
  typeof found === "number" ? found : found.length

/** The work finds so much, and reads little beside it. */
const flat = <E, R>(found: number, work: Effect.Effect<number | ReadonlyArray<unknown>, E, R>, each = EACH) =>
  Effect.gen(function* () {
    const { made, rows } = yield* rowsRead(work)
    assert.strictEqual(count(made), found)
    assert.isAtMost(rows, found * each + BESIDE)
  })

/** Some that were done are due. */
const dueAgain = (text: string) => Effect.flatMap(SqlClient.SqlClient, sql => sql.unsafe(text))

const SOON = "unix_millis() - 1000"
const LONG_AGO = "unix_millis() - 40 * 86400000::bigint"
const some = (filling: string) =>
  `IN (SELECT md5('${filling} ' || i)::uuid FROM generate_series(1, ${DUE}) AS t (i))`

it.layer(stores)("with the years", it => {
  describe("workers", () => {
    it.effect("the cleanup reads what it removes", () =>
      Effect.gen(function* () {
        yield* dueAgain(`INSERT INTO request_nonces SELECT 1, sha256(i::text::bytea), unix_seconds() - 3600
          FROM generate_series(1, ${DUE}) AS t (i)`)
        yield* dueAgain(`INSERT INTO request_usage SELECT 1, unix_seconds() / 60 - 20 - i, 1, 0
          FROM generate_series(1, ${DUE}) AS t (i)`)
        yield* flat(
          2 * DUE,
          Effect.map(removeExpired, ({ nonces, usage }) => nonces + usage)
        )
        yield* flat(
          0,
          Effect.map(removeExpired, ({ nonces, usage }) => nonces + usage)
        )
      })
    )

    it.effect("the archive reads the plans that it archives, and their keys", () =>
      Effect.gen(function* () {
        yield* dueAgain(
          `UPDATE plans SET archived_at = NULL, changed_at = ${LONG_AGO}, expires_at = ${LONG_AGO} WHERE id ${some("plan")}`
        )
        yield* flat(DUE, archivePage)
        yield* flat(0, archivePage)
      })
    )

    it.effect("the archive of sessions reads those that it archives", () =>
      Effect.gen(function* () {
        yield* dueAgain(`UPDATE sessions SET valid_until = 1, updated_at = 1 WHERE id ${some("session")}`)
        yield* flat(DUE, archiveSessions)
        yield* flat(0, archiveSessions)
      })
    )

    it.effect("recovery reads the plans that are due", () =>
      Effect.gen(function* () {
        const { claimPage, oldestPendingSeconds } = yield* SweepStore
        yield* dueAgain(`UPDATE plans SET sweep_at = ${SOON} WHERE id ${some("plan")}`)
        yield* flat(DUE, claimPage)
        yield* flat(0, claimPage)
        yield* flat(0, Effect.as(oldestPendingSeconds, []))
      })
    )

    it.effect("the watch of sessions reads those that are due", () =>
      Effect.gen(function* () {
        const { claimPage } = yield* SessionWatchStore
        yield* dueAgain(`UPDATE sessions SET sweep_at = ${SOON} WHERE id ${some("session")}`)
        yield* dueAgain(`UPDATE sessions SET sweep_at = unix_millis() + 3600000 WHERE sweep_at IS NULL`)
        yield* flat(DUE, claimPage)
        yield* flat(0, claimPage)
      })
    )

    it.effect("the watches of proofs read those that are due", () =>
      Effect.gen(function* () {
        const requests = (yield* SponsoredCallStore).claimDead
        const operations = (yield* OperationWatchStore).claimDead
        yield* dueAgain(`UPDATE sponsored_calls SET sweep_at = ${SOON} WHERE plan ${some("plan")}`)
        yield* dueAgain(`UPDATE user_operations SET sweep_at = ${SOON} WHERE id ${some("operation")}`)
        yield* flat(DUE, requests)
        yield* flat(0, requests)
        yield* flat(DUE, operations)
        yield* flat(0, operations)
      })
    )

    it.effect("the watch of quotes passes over none that it has given up, and nor does its lag", () =>
      Effect.gen(function* () {
        const { claimPage, unverified } = yield* QuoteStore
        assert.isNull((yield* readStock).due.quotes)
        yield* flat(0, claimPage)
        yield* dueAgain(
          `UPDATE publications SET settled_at = unix_millis() - 60000 WHERE sponsorship ${some("sponsorship")}`
        )
        yield* flat(DUE, claimPage)
        yield* flat(DUE, unverified)
        assert.isAbove(Number((yield* readStock).due.quotes), Date.now() - 3_600_000)
      })
    )

    it.effect(
      "shared figures read what is under way: pending and unexpired plans, and of those the steps",
      () =>
        Effect.gen(function* () {
          const { made, rows } = yield* rowsRead(readStock)
          const { open, pending } = made.plans
          assert.isAbove(open + pending, 5_000)
          const looks = 3 * pending + open
          const plannedSteps = pending
          assert.isAtMost(rows, looks + plannedSteps + 100)
        })
    )

    it.effect("unknown submissions are counted without those of former months", () =>
      Effect.gen(function* () {
        yield* dueAgain(`INSERT INTO operation_sends (operation, signature, commitment, token, reserved_at, expires_at, outcome, answered_at)
          SELECT id, '0x', '0x', gen_random_uuid(), 1, 2, 'unknown', 2 FROM user_operations`)
        yield* dueAgain(
          "UPDATE publications SET outcome = 'unknown', quote = NULL, bundle_id = NULL WHERE settled_at < unix_millis() - 86400000"
        )
        yield* dueAgain("ANALYZE operation_sends, publications")
        const operations = (yield* OperationWatchStore).unknown
        const requests = (yield* SponsoredCallStore).unknown
        yield* flat(0, Effect.as(operations, []))
        yield* flat(0, Effect.as(requests, []))
      })
    )

    it.effect("the watch of deployments reads those that are due", () =>
      Effect.gen(function* () {
        const { claimDue } = yield* DeploymentStore
        yield* dueAgain(`INSERT INTO intents (id, account, publisher, content_hash, signature, envelope, format, deployment_version,
            chain_ids, name, tags, words, created_at)
          VALUES (gen_random_uuid(), 1, '0x', '0x', '0x', '{}', '', '', '{1}', '', '{}', '', 1)`)
        yield* dueAgain(
          `UPDATE intent_deployments SET look_at = unix_seconds() - 1, block_hash = '0x' || repeat('0', 64) WHERE number <= ${DUE}`
        )
        yield* flat(DUE, claimDue, EACH + 1)
        yield* flat(0, claimDue)
      })
    )

    it.effect("the budgets of addresses are counted without reading other addresses", () =>
      Effect.gen(function* () {
        const { add } = yield* AddressUsage
        yield* flat(1, add([{ kind: "wallet", address: "10.0.0.1", count: 1 }]))
        const enrolled = yield* makeEnrolmentCount
        yield* flat(0, Effect.as(enrolled("10.0.0.1"), []))
      })
    )
  })

  describe("an account of many records", () => {
    it.effect("lists the newest of its plans without reading the others", () =>
      Effect.gen(function* () {
        const { page } = yield* PlanStore
        yield* flat(
          PAGE,
          Effect.map(page(owner, { ...FIRST_PAGE, wallet: undefined }), ({ plans }) => plans),
          8
        )
      })
    )

    /** What is stored here is no record: it is read as one, and cannot be shown. */
    const readingFew = <A, E, R>(page: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const { made, rows } = yield* rowsRead(Effect.exit(page))
        assert.isTrue(Exit.isFailure(made))
        assert.isAtMost(rows, PAGE * 12 + BESIDE)
      })

    it.effect(
      "lists the newest of its sponsorships, operations and sessions without reading the others",
      () =>
        Effect.gen(function* () {
          yield* readingFew((yield* SponsorshipStore).page(owner, { ...FIRST_PAGE, planId: undefined }))
          yield* readingFew((yield* UserOperationStore).page(owner, { ...FIRST_PAGE, planId: undefined }))
          yield* readingFew((yield* SessionStore).page(owner, { ...FIRST_PAGE, bindingId: undefined }))
        })
    )

    it.effect("gets a plan more without its archived ones being counted", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const stored =
          sql.unsafe(`SELECT * FROM store_plans(ARRAY['${HEAVY}'], ARRAY['owner'], ARRAY[NULL]::uuid[], ARRAY['key'],
          ARRAY['same'], ARRAY[gen_random_uuid()], ARRAY['contract_calls'], ARRAY['0x'], ARRAY['{}']::json[], ARRAY[1],
          ARRAY['0x'], ARRAY[1]::bigint[], ARRAY[1]::bigint[], ARRAY[10000], ARRAY[10000], true) WHERE verdict = 'STORED'`)
        yield* flat(1, stored)
      })
    )
  })
})
