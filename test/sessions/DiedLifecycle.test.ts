/** A process that dies while it plans what enables or revokes a session leaves one plan, or none, for whoever asks again. */
import { Effect } from "effect"
import { afterAll, assert, beforeAll, it } from "vitest"
import { activateSession, revokeSession } from "../../src/sessions/Lifecycle.ts"
import type { PublicSession } from "../../src/sessions/Session.ts"
import type { Failpoint } from "../../src/values/Failpoint.ts"
import { manifestFile } from "../smartaccounts/support/WalletService.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { workerOf } from "../support/Worker.ts"
import { asOwner, diesAt } from "./support/Dying.ts"
import { askLifecycle, type LifecycleRoute } from "./support/LifecycleBench.ts"
import {
  boundWallet,
  enabled,
  preparedSession,
  SESSIONS,
  type SessionBench,
  startSessionBench
} from "./support/SessionBench.ts"

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

const admittedOf = ({ id }: PublicSession) =>
  sqlOn(bench.service.databaseUrl, "SELECT kind, plan FROM session_plans WHERE session = $1", [id])

const dies = (at: Failpoint, route: LifecycleRoute, session: PublicSession, idempotencyKey: string) => {
  const { compiledHash } = session.compiled
  const asked = { sessionId: session.id, compiledHash }
  const work = route === "activation-plans" ? activateSession(asked) : revokeSession(asked)
  const request = asOwner(bench, { compiledHash }, idempotencyKey, `${SESSIONS}/${session.id}/${route}`)
  return diesAt(worker, at, Effect.provide(work, request))
}

it.each<readonly [Failpoint, LifecycleRoute, number]>([
  ["session.planned", "activation-plans", 0],
  ["session.admitted", "activation-plans", 1],
  ["session.planned", "revocation-plans", 0],
  ["session.admitted", "revocation-plans", 1]
])("at %s of %s", async (at, route, stored) => {
  const of = await boundWallet(bench)
  const session = await preparedSession(bench, of)
  if (route === "revocation-plans") await enabled(bench, of, session)
  const idempotencyKey = freshNonce()
  await dies(at, route, session, idempotencyKey)
  const left = await admittedOf(session)
  assert.lengthOf(left, stored)
  const again = await askLifecycle(bench.service, bench.owner, route, session, { idempotencyKey })
  const told = await again.json()
  assert.equal(again.status, 201, JSON.stringify(told))
  assert.equal(String(again.headers.get("idempotent-replayed")), stored === 0 ? "null" : "true")
  assert.deepEqual(await admittedOf(session), [{ kind: route.split("-")[0], plan: told.plan.id }])
  if (stored > 0) assert.equal(left[0]?.plan, told.plan.id)
})
