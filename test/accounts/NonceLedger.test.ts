import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { AccountActors } from "../../src/accounts/AccountActors.ts"
import type { LedgerRequest } from "../../src/accounts/LedgerVerdict.ts"
import { NonceLedger } from "../../src/accounts/NonceLedger.ts"
import { DatabaseClock } from "../../src/database/DatabaseClock.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { accountId, LedgerSession, nonce } from "../support/Ledger.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"
import { testSettings } from "../support/Settings.ts"

/** So often the held accounts have been asked about again before they are released. */
const ASKED_AGAIN = 6

const ownerOf = (index: number) => `0x${index.toString(16).padStart(40, "0")}`

const requestOf = (index: number, seconds: number): LedgerRequest => ({
  accountId: accountId(ownerOf(index)),
  signer: ownerOf(index),
  grantId: undefined,
  ownerOnly: false,
  scope: "read",
  nonce: `0x${nonce().toString("hex")}`,
  issuedAt: seconds,
  expiresAt: seconds + 60,
  wantsAccount: false
})

const poolOn = (url: string, connections: number) => poolLayer({ url: Redacted.make(url), connections })

const ledgerOn = (url: string, connections: number, pool = poolOn(url, connections)) =>
  NonceLedger.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(AccountActors.layer, DatabaseClock.layer)),
    Layer.provideMerge(pool),
    Layer.provide(
      Layer.succeed(Settings, testSettings({ quotas: { owner: 1e9, bots: 1e9, address: 1e9, rpc: 1e9 } }))
    )
  )

const database = Effect.acquireRelease(Effect.promise(migratedDatabase), made => Effect.promise(made.drop))

const session = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(() => LedgerSession.open(url)),
    ({ client }) => Effect.promise(() => client.end())
  )

const now = Effect.map(Clock.currentTimeMillis, millis => Math.floor(millis / 1000))

const verdict = (index: number) =>
  Effect.gen(function* () {
    const ledger = yield* NonceLedger
    const judgement = yield* ledger.judge(requestOf(index, yield* now))
    return yield* Effect.match(judgement.verdict, { onFailure: ({ _tag }) => _tag, onSuccess: () => "OK" })
  })

it.live(
  "serves every other account while some are held, with a single connection",
  () =>
    Effect.gen(function* () {
      const { url } = yield* database
      const [holder, watcher] = yield* Effect.all([session(url), session(url)])
      for (let index = 0; index < 40; index++) yield* Effect.promise(() => holder.enroll(ownerOf(index)))
      const others = (rounds: number) =>
        Effect.forEach(
          Array.from({ length: rounds }, (_, round) => 10 + (round % 30)),
          verdict
        )
      yield* Effect.gen(function* () {
        yield* others(30)
        yield* Effect.promise(() => holder.client.query("BEGIN"))
        yield* Effect.promise(() =>
          holder.client.query("SELECT 1 FROM accounts ORDER BY number LIMIT 10 FOR UPDATE")
        )
        const held = yield* Effect.fork(
          Effect.forEach(
            Array.from({ length: 40 }, (_, at) => at % 10),
            verdict,
            { concurrency: "unbounded" }
          )
        )
        const seen = yield* others(60)
        assert.isTrue(seen.every(answer => answer === "OK"))
        yield* Effect.promise(() => watcher.asked(ASKED_AGAIN))
        assert.isTrue(Option.isNone(yield* Fiber.poll(held)), "the held accounts were not held")
        yield* Effect.promise(() => holder.client.query("ROLLBACK"))
        assert.deepStrictEqual(
          yield* held,
          Array.from({ length: 40 }, () => "OK")
        )
      }).pipe(Effect.provide(ledgerOn(url, 1)))
    }).pipe(Effect.scoped),
  30_000
)

it.live(
  "gives up on a held account after five seconds, and on nothing else",
  () =>
    Effect.gen(function* () {
      const { url } = yield* database
      const holder = yield* session(url)
      for (let index = 0; index < 2; index++) yield* Effect.promise(() => holder.enroll(ownerOf(index)))
      yield* Effect.promise(() => holder.client.query("BEGIN"))
      yield* Effect.promise(() =>
        holder.client.query("SELECT 1 FROM accounts ORDER BY number LIMIT 1 FOR UPDATE")
      )
      yield* Effect.gen(function* () {
        const both = yield* Effect.all([Effect.either(verdict(0)), verdict(1)], { concurrency: "unbounded" })
        assert.strictEqual(both[0]._tag === "Left" ? both[0].left._tag : "admitted", "DATABASE_UNAVAILABLE")
        assert.strictEqual(both[1], "OK")
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM request_nonces`
        assert.strictEqual(row?.n, 1)
      }).pipe(Effect.provide(ledgerOn(url, 2)))
    }).pipe(Effect.scoped),
  30_000
)

/** The first thing that the ledger asks is done, and nobody hears of it. */
const losingAnAnswer = Layer.effect(
  SqlClient.SqlClient,
  Effect.map(SqlClient.SqlClient, sql => {
    let isLost = false
    const unsafe = (text: string, values: ReadonlyArray<unknown>) => {
      if (isLost) return sql.unsafe(text, values)
      isLost = true
      return Effect.zipRight(sql.unsafe(text, values), new SqlError({ cause: new Error("lost") }))
    }
    return new Proxy(sql, { get: (of, name) => (name === "unsafe" ? unsafe : Reflect.get(of, name)) })
  })
)

it.live("tells a request whose own answer was lost of the database, and of no earlier request", () =>
  Effect.gen(function* () {
    const { url } = yield* database
    const watcher = yield* session(url)
    const account = yield* Effect.promise(() => watcher.enroll(ownerOf(0)))
    const pool = Layer.provide(losingAnAnswer, poolOn(url, 2))
    yield* Effect.gen(function* () {
      const lost = yield* Effect.either(verdict(0))
      assert.strictEqual(lost._tag === "Left" ? lost.left._tag : lost.right, "DATABASE_UNAVAILABLE")
      assert.strictEqual(yield* Effect.promise(() => watcher.nonces(account)), 1)
      assert.strictEqual(yield* verdict(0), "OK")
    }).pipe(Effect.provide(ledgerOn(url, 2, pool)))
  }).pipe(Effect.scoped)
)

it.live("judges a crowd at the bound one by one", () =>
  Effect.gen(function* () {
    const { url } = yield* database
    const filler = yield* session(url)
    const account = yield* Effect.promise(() => filler.enroll(ownerOf(0)))
    const seconds = yield* now
    yield* Effect.promise(() => filler.fill(account, 960, seconds + 300))
    const answers = yield* Effect.forEach(
      Array.from({ length: 60 }, () => 0),
      verdict,
      { concurrency: "unbounded" }
    ).pipe(Effect.provide(ledgerOn(url, 4)))
    assert.strictEqual(answers.filter(answer => answer === "OK").length, 40)
    assert.strictEqual(answers.filter(answer => answer === "STORAGE_LIMIT").length, 20)
    assert.strictEqual(yield* Effect.promise(() => filler.nonces(account)), 1000)
  }).pipe(Effect.scoped)
)
