/** What workers and lists read does not grow with what is done, or not due yet: in rows, which neither machine nor load changes. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeEnrolmentCount } from "../../src/accounts/EnrolmentsOfDay.ts"
import { removeExpired } from "../../src/accounts/NonceCleanup.ts"
import { SweepStore } from "../../src/dispatch/SweepStore.ts"
import { AddressUsage } from "../../src/http/AddressUsage.ts"
import { readStock } from "../../src/http/ops/StockRead.ts"
import { DeploymentStore } from "../../src/intents/DeploymentStore.ts"
import { archivePage } from "../../src/plans/Archive.ts"
import { archiveSessions } from "../../src/sessions/ArchiveSessions.ts"
import { SessionWatchStore } from "../../src/sessions/SessionWatchStore.ts"
import { QuoteStore } from "../../src/sponsorship/QuoteStore.ts"
import { SponsoredCallStore } from "../../src/sponsorship/SponsoredCallStore.ts"
import { OperationWatchStore } from "../../src/useroperations/OperationWatchStore.ts"
import { rowsRead } from "../support/RowsRead.ts"
import { DUE } from "./support/GrownDatabase.ts"
import { changed, EACH, flat, grownStores } from "./support/Reading.ts"

const SOON = "unix_millis() - 1000"
const LONG_AGO = "unix_millis() - 40 * 86400000::bigint"
const some = (filling: string) =>
  `IN (SELECT md5('${filling} ' || i)::uuid FROM generate_series(1, ${DUE}) AS t (i))`

it.layer(grownStores)("with the years", it => {
  describe("workers", () => {
    it.effect("the cleanup reads what it removes", () =>
      Effect.gen(function* () {
        yield* changed(`INSERT INTO request_nonces SELECT 1, sha256(i::text::bytea), unix_seconds() - 3600
          FROM generate_series(1, ${DUE}) AS t (i)`)
        yield* changed(`INSERT INTO request_usage SELECT 1, unix_seconds() / 60 - 20 - i, 1, 0
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
        yield* changed(
          `UPDATE plans SET archived_at = NULL, changed_at = ${LONG_AGO}, expires_at = ${LONG_AGO} WHERE id ${some("plan")}`
        )
        yield* flat(DUE, archivePage)
        yield* flat(0, archivePage)
      })
    )

    it.effect("the archive of sessions reads those that it archives", () =>
      Effect.gen(function* () {
        yield* changed(`UPDATE sessions SET valid_until = 1, updated_at = 1 WHERE id ${some("session")}`)
        yield* flat(DUE, archiveSessions)
        yield* flat(0, archiveSessions)
      })
    )

    it.effect("recovery reads the plans that are due", () =>
      Effect.gen(function* () {
        const { claimPage, oldestPendingSeconds } = yield* SweepStore
        yield* changed(`UPDATE plans SET sweep_at = ${SOON} WHERE id ${some("plan")}`)
        yield* flat(DUE, claimPage)
        yield* flat(0, claimPage)
        yield* flat(0, Effect.as(oldestPendingSeconds, []))
      })
    )

    it.effect("the watch of sessions reads those that are due", () =>
      Effect.gen(function* () {
        const { claimPage } = yield* SessionWatchStore
        yield* changed(`UPDATE sessions SET sweep_at = ${SOON} WHERE id ${some("session")}`)
        yield* changed(`UPDATE sessions SET sweep_at = unix_millis() + 3600000 WHERE sweep_at IS NULL`)
        yield* flat(DUE, claimPage)
        yield* flat(0, claimPage)
      })
    )

    it.effect("the watches of proofs read those that are due", () =>
      Effect.gen(function* () {
        const requests = (yield* SponsoredCallStore).claimDead
        const operations = (yield* OperationWatchStore).claimDead
        yield* changed(`UPDATE sponsored_calls SET sweep_at = ${SOON} WHERE plan ${some("plan")}`)
        yield* changed(`UPDATE user_operations SET sweep_at = ${SOON} WHERE id ${some("operation")}`)
        yield* flat(DUE, requests)
        yield* flat(0, requests)
        yield* flat(DUE, operations)
        yield* flat(0, operations)
      })
    )

    it.effect("the watch of quotes passes over none that it has given up, and nor does its lag", () =>
      Effect.gen(function* () {
        const { claimPage, unverified } = yield* QuoteStore
        assert.isNull((yield* readStock()).due.quotes)
        yield* flat(0, claimPage)
        yield* changed(
          `UPDATE publications SET settled_at = unix_millis() - 60000 WHERE sponsorship ${some("sponsorship")}`
        )
        yield* flat(DUE, claimPage)
        yield* flat(DUE, unverified)
        assert.isAbove(Number((yield* readStock()).due.quotes), Date.now() - 3_600_000)
      })
    )

    it.effect(
      "shared figures read what is under way: pending and unexpired plans, and of those the steps",
      () =>
        Effect.gen(function* () {
          const { made, rows } = yield* rowsRead(readStock())
          const { open, pending } = made.plans
          assert.isAbove(open + pending, 5_000)
          const looks = 3 * pending + open
          const plannedSteps = pending
          assert.isAtMost(rows, looks + plannedSteps + 100)
        })
    )

    it.effect("shared figures read no more than their bounds, however much is under way", () =>
      Effect.gen(function* () {
        const { made, rows } = yield* rowsRead(readStock({ counted: 50, toldApart: 20 }))
        assert.deepInclude(made.plans, { open: 50, pending: 50 })
        assert.strictEqual(
          made.steps.reduce((sum, { count }) => sum + count, 0),
          20
        )
        assert.isAtMost(rows, 2 * 50 + 3 * 20 + 10)
      })
    )

    it.effect("unknown submissions are counted without those of former months", () =>
      Effect.gen(function* () {
        yield* changed(`INSERT INTO operation_sends (operation, signature, commitment, token, reserved_at, expires_at, outcome, answered_at)
          SELECT id, '0x', '0x', gen_random_uuid(), 1, 2, 'unknown', 2 FROM user_operations`)
        yield* changed(
          "UPDATE publications SET outcome = 'unknown', quote = NULL, bundle_id = NULL WHERE settled_at < unix_millis() - 86400000"
        )
        yield* changed("ANALYZE operation_sends, publications")
        const operations = (yield* OperationWatchStore).unknown
        const requests = (yield* SponsoredCallStore).unknown
        yield* flat(0, Effect.as(operations, []))
        yield* flat(0, Effect.as(requests, []))
      })
    )

    it.effect("the watch of deployments reads those that are due", () =>
      Effect.gen(function* () {
        const { claimDue } = yield* DeploymentStore
        yield* changed(`INSERT INTO intents (id, account, publisher, content_hash, signature, envelope, format, deployment_version,
            chain_ids, name, tags, words, created_at)
          VALUES (gen_random_uuid(), 1, '0x', '0x', '0x', '{}', '', '', '{1}', '', '{}', '', 1)`)
        yield* changed(
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
})
