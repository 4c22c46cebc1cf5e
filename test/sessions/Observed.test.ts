/** What sessions come to as their chain shows it, over HTTP and the real contracts. */
import { encodeFunctionData, type Hex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { PublicSession } from "../../src/sessions/Session.ts"
import { bound, unlink } from "../smartaccounts/support/Bindings.ts"
import { controlAbi, ownersDo, withCode } from "../smartaccounts/support/Inspections.ts"
import { manifestFile } from "../smartaccounts/support/WalletService.ts"
import { GUARD } from "../smartaccounts/support/Wallets.ts"
import { inSeconds, newBot, revokeBot } from "../support/Bots.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { sweepSessions } from "../support/Sweeps.ts"
import { workerOf } from "../support/Worker.ts"
import { carried, sessionOf, sessionOperation } from "./support/Guarded.ts"
import { sessionKey } from "./support/Policies.ts"
import {
  type Bound,
  boundWallet,
  DAY,
  enabled,
  newSessionBot,
  preparedSession,
  readSession,
  revoked,
  type SessionBench,
  shownSession,
  startSessionBench,
  TOKEN
} from "./support/SessionBench.ts"

/** After these, what is below them is final on the local chain. */
const FINAL_BLOCKS = 300

let bench: SessionBench

beforeAll(async () => {
  bench = await startSessionBench()
})
afterAll(() => bench.stop())

const sandboxOf = () => ({ ...bench.sandbox, stop: bench.chain.stop })

const activated = async (over: Readonly<Record<string, unknown>> = {}) => {
  const of = await boundWallet(bench)
  const session = await preparedSession(bench, of, over)
  await enabled(bench, of, session)
  return { of, session }
}

const quotaOf = async ({ id }: { readonly id: string }) => {
  const answer = await readSession(bench, `/${id}/quota`)
  const quota = await answer.json()
  assert.equal(answer.status, 200, JSON.stringify(quota))
  return quota
}

const trips = async (work: () => Promise<unknown>): Promise<number> => {
  const before = bench.proxy.roundTrips()
  await work()
  return bench.proxy.roundTrips() - before
}

const admittedOn = async ({ wallet }: Bound): Promise<ReadonlyArray<unknown>> => {
  const rows = await sqlOn(
    bench.service.databaseUrl,
    "SELECT session FROM wallet_generations WHERE wallet = $1",
    [wallet.address.toLowerCase()]
  )
  return rows.map(({ session }) => session)
}

/** What the sweep of a replica does once with all that there is to sweep. */
const swept = async () => {
  const { smartManifests, remove } = await manifestFile()
  await sqlOn(bench.service.databaseUrl, "UPDATE sessions SET sweep_at = 0 WHERE sweep_at IS NOT NULL")
  const worker = workerOf(bench, { audience: bench.service.audience, smartManifests })
  try {
    await worker.runPromise(sweepSessions)
  } finally {
    await worker.dispose()
    await remove()
  }
}

describe("a session that is read", () => {
  it("is active once exactly it was enabled, whoever had it enabled, and reserves its wallet", async () => {
    const { of, session } = await activated()
    assert.deepEqual(await admittedOn(of), [])
    const stored = await shownSession(bench, session, "?refresh=false")
    assert.equal(stored.state, "prepared")
    const shown = await shownSession(bench, session)
    assert.equal(shown.state, "active")
    assert.deepInclude(shown.observation, {
      enabled: true,
      enableNonce: "0",
      epoch: "1",
      history: session.compiled.expectedHistory
    })
    assert.equal(shown.revision, 1)
    assert.deepEqual(await admittedOn(of), [session.id])
    assert.deepEqual(await shownSession(bench, session, "?refresh=false"), shown)
  })

  it("is looked at in two round trips, and so is its quota", async () => {
    const { session } = await activated()
    await shownSession(bench, session)
    assert.isAtMost(await trips(() => shownSession(bench, session)), 2)
    assert.isAtMost(await trips(() => quotaOf(session)), 2)
    assert.equal(await trips(() => shownSession(bench, session, "?refresh=false")), 0)
  })

  it("tells what was used of it, by the chain alone", async () => {
    const of = await boundWallet(bench)
    const { grantId } = await newBot(bench.service, bench.owner, {
      key: sessionKey,
      scopes: ["read", "plan", "relay"],
      expiresAt: inSeconds(40 * DAY)
    })
    const session = await preparedSession(bench, of, { grantId })
    assert.isNull((await quotaOf(session)).counters)
    await enabled(bench, of, session)
    const guarded = sessionOf(of.wallet, TOKEN, session.compiled.policy)
    const operation = await sessionOperation(bench.sandbox, guarded)
    await carried(bench.sandbox, [operation])
    const quota = await quotaOf(session)
    const { observation, counters, ...told } = quota
    assert.deepEqual(observation.counters, counters)
    assert.deepEqual(told, {
      sessionId: session.id,
      state: "active",
      approvedGroups: session.allocations,
      reservationReleased: false,
      executionAuthority: false,
      balanceSource: "onchain-only",
      atomicAcrossChains: false
    })
    const of_ = (name: string) => counters.find((each: { readonly name: string }) => each.name === name)
    assert.deepEqual(of_("calls"), { name: "calls", used: "1", limit: "100", remaining: "99" })
    assert.deepEqual(of_("action:0"), { name: "action:0", used: "10", limit: "100", remaining: "90" })
    assert.deepEqual(of_("allocation:tips"), {
      name: "allocation:tips",
      used: "10",
      limit: "100",
      remaining: "90"
    })
  })

  it("is stale while its grant, its binding or its wallet is not what it was", async () => {
    const bot = await newSessionBot(bench)
    const { of, session } = await activated({ grantId: bot.grantId })
    const reasonOf = async () => {
      const { state, invalidation } = await shownSession(bench, session)
      assert.equal(state, invalidation === undefined ? "active" : "stale")
      return invalidation?.reason
    }
    assert.isUndefined(await reasonOf())
    const data = encodeFunctionData({
      abi: controlAbi,
      functionName: "addOwnerWithThreshold",
      args: [bench.sandbox.manifest.accounts.beneficiary, 2n]
    })
    await ownersDo(bench.sandbox, of.wallet, data)
    assert.equal(await reasonOf(), "wallet-changed")
    await bound(bench, of.wallet)
    assert.isUndefined(await reasonOf())
    await unlink(bench, of.bindingId)
    assert.equal(await reasonOf(), "binding-unlinked")
    await bound(bench, of.wallet)
    assert.isUndefined(await reasonOf())
    await revokeBot(bench.service, bench.owner, bot)
    assert.equal(await reasonOf(), "grant-inactive")
  })

  it("is stale while its guard has other code, and believes nothing that it says then", async () => {
    const { session } = await activated()
    const before = await shownSession(bench, session)
    await withCode(sandboxOf(), GUARD, "0x600160005260206000f3", async () => {
      const shown = await shownSession(bench, session)
      assert.equal(shown.state, "stale")
      assert.equal(shown.invalidation?.reason, "wallet-changed")
      assert.deepEqual(shown.observation, before.observation)
      assert.deepInclude(await quotaOf(session), { counters: null, observation: before.observation })
    })
    assert.isNotNull((await quotaOf(session)).counters)
    assert.equal((await shownSession(bench, session)).state, "active")
  })

  it("is stale for good once another generation came first", async () => {
    const of = await boundWallet(bench)
    const first = await preparedSession(bench, of)
    const second = await preparedSession(bench, of, { generation: "2" })
    await enabled(bench, of, second)
    const shown = await shownSession(bench, first)
    assert.equal(shown.state, "stale")
    assert.deepInclude(shown.invalidation, { reason: "configuration-changed", permanent: true })
    assert.equal((await shownSession(bench, second)).state, "active")
  })

  it("is stale after a reorganisation, until what is seen then is final", async () => {
    const { session } = await activated()
    await mine(bench, 3)
    assert.equal((await shownSession(bench, session)).state, "active")
    await rpc(bench.chain.url, "anvil_reorg", [2, []])
    const shown = await shownSession(bench, session)
    assert.equal(shown.state, "stale")
    assert.deepInclude(shown.invalidation, { reason: "reorg", permanent: false })
    await mine(bench, FINAL_BLOCKS)
    assert.equal((await shownSession(bench, session)).state, "active")
  })
})

describe("a session that was revoked", () => {
  it("is released once that is final, by whoever looks, and its wallet can have another", async () => {
    const { of, session } = await activated()
    await shownSession(bench, session)
    const { to, data, value } = session.revokeTransaction
    assert.equal(value, "0")
    await ownersDo(bench.sandbox, of.wallet, data as Hex, undefined, to)
    const shown = await shownSession(bench, session)
    assert.deepInclude(shown, { state: "revoked", reservationReleased: false })
    assert.deepEqual(await admittedOn(of), [session.id])
    await mine(bench, FINAL_BLOCKS)
    assert.isTrue((await shownSession(bench, session)).reservationReleased)
    assert.deepEqual(await admittedOn(of), [])
    const next = await preparedSession(bench, of, { generation: "2" })
    assert.deepEqual(next.compiled.baseline.epoch, "2")
    await enabled(bench, of, next)
    assert.equal((await shownSession(bench, next)).state, "active")
    assert.deepInclude(await shownSession(bench, session), { state: "revoked", reservationReleased: true })
  })

  it("is released by the sweep", async () => {
    const { of, session } = await activated()
    await shownSession(bench, session)
    await revoked(bench, of, session)
    await swept()
    assert.equal((await shownSession(bench, session, "?refresh=false")).state, "revoked")
    await mine(bench, FINAL_BLOCKS)
    await swept()
    const shown: PublicSession = await shownSession(bench, session, "?refresh=false")
    assert.deepInclude(shown, { state: "revoked", reservationReleased: true })
    assert.deepEqual(await admittedOn(of), [])
    const [row] = await sqlOn(bench.service.databaseUrl, "SELECT sweep_at FROM sessions WHERE id = $1", [
      session.id
    ])
    assert.isNull(row?.sweep_at)
  })

  it("stays what it is through unlinking and the end of its grant, and releases nothing by them", async () => {
    const bot = await newSessionBot(bench)
    const { of, session } = await activated({ grantId: bot.grantId })
    await shownSession(bench, session)
    await unlink(bench, of.bindingId)
    await revokeBot(bench.service, bench.owner, bot)
    await mine(bench, FINAL_BLOCKS)
    await swept()
    assert.deepEqual(await admittedOn(of), [session.id])
    await revoked(bench, of, session)
    assert.equal((await shownSession(bench, session)).state, "revoked")
  })
})

describe("sessions", () => {
  it("are listed to the owner, and to a bot those of its own grant", async () => {
    const bot = await newSessionBot(bench)
    const of = await boundWallet(bench)
    const mineIds = [
      await preparedSession(bench, of, { grantId: bot.grantId }),
      await preparedSession(bench, of, { grantId: bot.grantId, generation: "2" })
    ].map(({ id }) => id)
    const other = await preparedSession(bench, of)
    const ids = async (party: typeof bench.owner, query: string) => {
      const answer = await signedFetch(bench.service, party, "GET", `/api/v1/smart-accounts/sessions${query}`)
      const { items, nextCursor } = await answer.json()
      return { ids: items.map(({ id }: PublicSession) => id), nextCursor }
    }
    const all = await ids(bench.owner, `?bindingId=${of.bindingId}`)
    assert.deepEqual(all.ids, [other.id, ...mineIds.toReversed()])
    assert.deepEqual((await ids(bot, "")).ids, mineIds.toReversed())
    const first = await ids(bench.owner, `?bindingId=${of.bindingId}&limit=2`)
    assert.deepEqual(first.ids, all.ids.slice(0, 2))
    const query = `?bindingId=${of.bindingId}&limit=2&cursor=${encodeURIComponent(first.nextCursor)}`
    assert.deepEqual((await ids(bench.owner, query)).ids, all.ids.slice(2))
  })
})
