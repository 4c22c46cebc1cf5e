/** What a session's key signed, and nobody carried before the owners revoked the session: the guard would take it under the key's next one. */
import { encodeFunctionData, parseAbi } from "viem"
import { afterAll, afterEach, assert, it } from "vitest"
import { sessionEnvelope } from "../../src/sessions/Envelope.ts"
import type { PublicSession } from "../../src/sessions/Session.ts"
import type { PublicUserOperation } from "../../src/useroperations/PublicUserOperation.ts"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { startOperatingBench, walletPlan } from "../useroperations/support/Operating.ts"
import { enableData, entryPointSays, sessionNonceKey } from "./support/Guarded.ts"
import { askLifecycle, carriedOut } from "./support/LifecycleBench.ts"
import {
  held,
  type LiveSession,
  liveSession,
  ownersTell,
  preparedSession,
  revokedByOwners,
  sendByKey,
  sessionOperationOf,
  shownOperationOf,
  shownSession,
  signedByKey,
  used
} from "./support/Operated.ts"

const bench = await startOperatingBench()
const { service, sandbox, bundling } = bench
afterAll(() => bench.stop())
afterEach(() => bundling.clearFaults())

const TIMEOUT = 120_000
const FINAL = 300

/** Sent, and not executed before its session was revoked in a block that is final. */
const overtaken = async () => {
  const live = await liveSession(bench)
  const operation = await sessionOperationOf(bench, live)
  const { reached, letGo } = held(bundling, "eth_sendUserOperation", "before")
  const sending = sendByKey(bench, live, operation)
  await reached
  await revokedByOwners(bench, live)
  letGo()
  assert.strictEqual((await sending).status, 202)
  const seenFinal = async <A>(look: () => Promise<A>, isFinal: (seen: A) => boolean) =>
    until(async () => {
      await mine(bench, FINAL)
      return look()
    }, isFinal)
  await seenFinal(
    () => shownSession(bench, live.bot, live.session),
    ({ reservationReleased }) => reservationReleased === true
  )
  await seenFinal(
    () => shownOperationOf(bench, live.bot, operation),
    ({ state }) => state === "expired"
  )
  const next = await preparedSession(bench, live, live.bot, { generation: "2" })
  return { live, operation, next }
}

/** Its signature as it is, behind the other session's permission and policy. */
const presentedUnder = async (
  { compiled }: PublicSession,
  operation: PublicUserOperation,
  { bot }: LiveSession
) => {
  const own = await signedByKey(operation, bot)
  const signature = sessionEnvelope(compiled.permissionId, compiled.encodedPolicy, `0x${own.slice(-130)}`)
  return { ...operation.operation, signature }
}

it(
  "is counted though the backup that the service was restored from does not know that it was sent",
  async () => {
    const { live, next } = await overtaken()
    const sql = (text: string) => sqlOn(service.databaseUrl, text)
    await sql("UPDATE user_operations SET claimed = false")
    await sql("SELECT mark_restored(true)")
    await sql("UPDATE restorations SET requests_after = 0")
    await assertProblem(
      await askLifecycle(service, live.owner, "activation-plans", next),
      "SESSION_RETIREMENT_REQUIRED"
    )
  },
  TIMEOUT
)

it(
  "is taken by the guard under the key's next session, so that no plan enables one before its nonce is used up",
  async () => {
    const { live, operation, next } = await overtaken()
    const refused = await assertProblem(
      await askLifecycle(service, live.owner, "activation-plans", next),
      "SESSION_RETIREMENT_REQUIRED"
    )
    const asked = {
      chainId: 31_337,
      contractId: "@account-abstraction/contracts:contracts/core/EntryPoint.sol:EntryPoint",
      function: "incrementNonce(uint192)",
      args: [String(sessionNonceKey())],
      value: "0"
    }
    const data = encodeFunctionData({
      abi: parseAbi(["function incrementNonce(uint192 key)"]),
      args: [sessionNonceKey()]
    })
    assert.deepStrictEqual(refused.context, {
      operationId: operation.id,
      call: { ...asked, to: ENTRY_POINT, data }
    })

    const { encodedPolicy, enableNonce } = next.compiled
    const enabling = enableData(encodedPolicy, BigInt(enableNonce))
    const again = await presentedUnder(next, operation, live)
    const before = await sandbox.client.snapshot()
    await ownersTell(bench, live, enabling)
    assert.strictEqual(await entryPointSays(sandbox, again), "accepted")
    await sandbox.client.revert({ id: before })

    const plan = await walletPlan(bench, live, { calls: [asked] })
    assert.deepInclude(plan.calls[0], { to: ENTRY_POINT, data })
    await carriedOut(bench, live, plan)
    assert.strictEqual((await askLifecycle(service, live.owner, "activation-plans", next)).status, 201)
    await ownersTell(bench, live, enabling)
    assert.strictEqual(await entryPointSays(sandbox, again), "AA25")
    await used(bench, { ...live, session: await shownSession(bench, live.bot, next) })
  },
  TIMEOUT
)
