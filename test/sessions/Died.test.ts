/** A process that dies beside a session leaves it for whoever asks or looks again, and one that was taken out of its wallet is over. */
import { Effect, Schema } from "effect"
import { encodeFunctionData } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { prepareSession } from "../../src/sessions/PrepareSession.ts"
import { sessionOf } from "../../src/sessions/ReadSessions.ts"
import { SessionInput } from "../../src/sessions/SessionInput.ts"
import type { Failpoint } from "../../src/values/Failpoint.ts"
import { ownersDo } from "../smartaccounts/support/Inspections.ts"
import { manifestFile } from "../smartaccounts/support/WalletService.ts"
import { GUARD } from "../smartaccounts/support/Wallets.ts"
import { mine } from "../support/RelayBench.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { sweepSessions } from "../support/Sweeps.ts"
import { workerOf } from "../support/Worker.ts"
import { walletAbi } from "./support/Abis.ts"
import { asOwner, diesAt } from "./support/Dying.ts"
import {
  askSession,
  boundWallet,
  enabled,
  preparedSession,
  revoked,
  type SessionBench,
  sessionInput,
  shownSession,
  startSessionBench
} from "./support/SessionBench.ts"

const FINAL_BLOCKS = 300

let bench: SessionBench
let worker: ReturnType<typeof workerOf>
let file: Awaited<ReturnType<typeof manifestFile>>

beforeAll(async () => {
  bench = await startSessionBench()
  file = await manifestFile()
  worker = workerOf(bench, { audience: bench.service.audience, smartManifests: file.smartManifests })
})
afterAll(async () => {
  await worker.dispose()
  await bench.stop()
  await file.remove()
})

const dueNow = () =>
  sqlOn(bench.service.databaseUrl, "UPDATE sessions SET sweep_at = 0 WHERE sweep_at IS NOT NULL")

describe("a process that dies", () => {
  it.each<readonly [Failpoint, string]>([
    ["session.compiled", "null"],
    ["session.stored", "true"]
  ])("at %s prepares one session", async (at, replayed) => {
    const of = await boundWallet(bench)
    const body = await sessionInput(bench, of)
    const idempotencyKey = freshNonce()
    const input = Schema.decodeUnknownSync(SessionInput)(body)
    await diesAt(worker, at, Effect.provide(prepareSession(input), asOwner(bench, body, idempotencyKey)))
    const again = await askSession(bench, body, bench.owner, { idempotencyKey })
    assert.equal(again.status, 201, JSON.stringify(await again.clone().json()))
    assert.equal(String(again.headers.get("idempotent-replayed")), replayed)
  })

  it("at session.observed has it seen again", async () => {
    const of = await boundWallet(bench)
    const session = await preparedSession(bench, of)
    await enabled(bench, of, session)
    await diesAt(
      worker,
      "session.observed",
      Effect.provide(sessionOf(session.id, true), asOwner(bench, {}, ""))
    )
    assert.equal((await shownSession(bench, session)).state, "active")
  })

  it("at session.released releases once", async () => {
    const of = await boundWallet(bench)
    const session = await preparedSession(bench, of)
    await enabled(bench, of, session)
    await shownSession(bench, session)
    await revoked(bench, of, session)
    await shownSession(bench, session)
    await mine(bench, FINAL_BLOCKS)
    await diesAt(
      worker,
      "session.released",
      Effect.provide(sessionOf(session.id, true), asOwner(bench, {}, ""))
    )
    await dueNow()
    await worker.runPromise(sweepSessions)
    assert.isTrue((await shownSession(bench, session, "?refresh=false")).reservationReleased)
  })
})

describe("a guard that is taken out of the wallet", () => {
  it("revokes its session, and gives it back to nobody where it is installed again", async () => {
    const of = await boundWallet(bench)
    const session = await preparedSession(bench, of)
    await enabled(bench, of, session)
    await shownSession(bench, session)
    const told = (functionName: "installModule" | "uninstallModule", data: `0x${string}`) =>
      ownersDo(
        bench.sandbox,
        of.wallet,
        encodeFunctionData({ abi: walletAbi, functionName, args: [1n, GUARD, data] })
      )
    const former = `0x${"00".repeat(31)}01${"00".repeat(31)}40${"00".repeat(32)}` as const
    await told("uninstallModule", former)
    assert.equal((await shownSession(bench, session)).state, "revoked")
    await told("installModule", "0x")
    const shown = await shownSession(bench, session)
    assert.deepInclude(shown, { state: "revoked", reservationReleased: false })
    assert.equal(shown.observation?.enabled, false)
  })
})
