/** Sessions that a wallet's owners enable and revoke, by operations of the real bundler and by bare transactions of the wallet. */
import { afterAll, assert, describe, it } from "vitest"
import { ownersDo } from "../smartaccounts/support/Inspections.ts"
import { createWallet, GUARD } from "../smartaccounts/support/Wallets.ts"
import { enroll } from "../support/Bots.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { bindWallet, newWallet, partyOf, startOperatingBench } from "../useroperations/support/Operating.ts"
import { enableData } from "./support/Guarded.ts"
import {
  askLifecycle,
  carriedOut,
  type LifecycleRoute,
  lifecyclePlan,
  refusedWith,
  type SessionGiven,
  sessionForWeek,
  sessionNow,
  walletWithBot
} from "./support/LifecycleBench.ts"
import { newSessionBot } from "./support/SessionBench.ts"

const bench = await startOperatingBench()
const { service, sandbox } = bench

afterAll(() => bench.stop())

const SLOW = { timeout: 120_000 }
const FINAL_BLOCKS = 300

type Prepared = Awaited<ReturnType<typeof sessionForWeek>>

const activated = async (given: SessionGiven, session: Prepared) => {
  const { plan } = await lifecyclePlan(service, given.owner, "activation-plans", session)
  return carriedOut(bench, given, plan)
}

const bySafe = (given: SessionGiven, { to, data }: Prepared["revokeTransaction"]) =>
  ownersDo(sandbox, given.wallet, data, given.owners, to)

describe("an owners' operation", SLOW, () => {
  it("enables a session, and another one ends it", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    const told = await lifecyclePlan(service, given.owner, "activation-plans", session)
    assert.deepEqual([told.session.state, told.installationConfirmed], ["installing", false])
    assert.deepEqual(
      told.plan.calls.map(
        ({ to, value, decoded }: { to: string; value: string; decoded: { function: string } }) => [
          to,
          value,
          decoded.function
        ]
      ),
      [[GUARD, "0", "enable(uint64,bytes)"]]
    )
    assert.equal(told.plan.calls[0].data, enableData(session.compiled.encodedPolicy))
    assert.equal(told.session.activation.planId, told.plan.id)
    const enabled = await carriedOut(bench, given, told.plan)
    assert.deepInclude(enabled, { status: "verified", verifier: "sessionEnabled" })
    const { state, observation } = await sessionNow(service, given.owner, session)
    assert.deepEqual([state, observation?.enabled], ["active", true])
    assert.equal(observation?.history, session.compiled.expectedHistory)

    const revocation = await lifecyclePlan(service, given.owner, "revocation-plans", session)
    assert.deepEqual([revocation.session.state, revocation.installationConfirmed], ["revoking", false])
    assert.deepInclude(await carriedOut(bench, given, revocation.plan), {
      status: "verified",
      verifier: "sessionRevoked"
    })
    assert.equal((await sessionNow(service, given.owner, session)).state, "revoked")
    await mine(bench, FINAL_BLOCKS)
    assert.isTrue((await sessionNow(service, given.owner, session)).reservationReleased)
    const again = await lifecyclePlan(service, given.owner, "revocation-plans", session)
    assert.deepEqual([again.plan?.id, again.installationConfirmed], [revocation.plan.id, true])
    const answer = await askLifecycle(service, given.owner, "activation-plans", session)
    assert.deepEqual(await refusedWith(answer), [409, "SESSION_NOT_ACTIVE", { state: "revoked" }])
  })

  it("gives a wallet its guard together with the session, once it is bound with it", async () => {
    const made = await newWallet(bench)
    const { owner, owners } = made
    const wallet = await createWallet(sandbox, {
      owners: owners.map(({ address }) => address),
      saltNonce: BigInt(owner.key.address) + 1n,
      validators: []
    })
    const binding = await bindWallet(service, owner, owners, wallet.address)
    const given = { ...made, wallet, binding, bot: await newSessionBot({ ...bench, owner }) }
    const session = await sessionForWeek(bench, given)
    const { plan } = await lifecyclePlan(service, owner, "activation-plans", session)
    assert.deepInclude(plan.calls[0], { to: wallet.address, value: "0" })
    assert.equal(plan.calls[0].decoded.function, "installModule(uint256,address,bytes)")
    assert.deepInclude(await carriedOut(bench, given, plan), {
      status: "verified",
      verifier: "moduleInstalled"
    })
    const stale = await sessionNow(service, owner, session)
    assert.deepEqual([stale.state, stale.invalidation?.reason], ["stale", "wallet-changed"])
    await bindWallet(service, owner, owners, wallet.address)
    assert.equal((await sessionNow(service, owner, session)).state, "active")
  })
})

describe("without the service", SLOW, () => {
  it("the owners end a session by the transaction that its record shows", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    await activated(given, session)
    await bySafe(given, session.revokeTransaction)
    const { state, observation } = await sessionNow(service, given.owner, session)
    assert.deepEqual([state, observation?.enabled], ["revoked", false])
  })

  it("they enable it too, which is seen and planned no more", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    await ownersDo(sandbox, given.wallet, enableData(session.compiled.encodedPolicy), given.owners, GUARD)
    const told = await lifecyclePlan(service, given.owner, "activation-plans", session)
    assert.deepEqual([told.session.state, told.plan, told.installationConfirmed], ["active", null, true])
    const other = await sessionForWeek(bench, given, { generation: "2" }).catch(() => undefined)
    assert.isUndefined(other)
  })
})

describe("the key of a plan that there is no need of", SLOW, () => {
  const ENABLE = "activation-plans"

  it("leads to none for good, though the guard takes back what it did, and names no other request", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    const before = await rpc(bench.chain.url, "evm_snapshot", [])
    await ownersDo(sandbox, given.wallet, enableData(session.compiled.encodedPolicy), given.owners, GUARD)
    const idempotencyKey = freshNonce()
    const ask = (route: LifecycleRoute = ENABLE) =>
      askLifecycle(service, given.owner, route, session, { idempotencyKey })
    const first = await ask()
    assert.deepEqual([first.status, first.headers.has("idempotent-replayed")], [201, false])
    assert.isNull((await first.json()).plan)
    await rpc(bench.chain.url, "evm_revert", [before])
    const again = await ask()
    assert.deepEqual([again.status, again.headers.get("idempotent-replayed")], [201, "true"])
    assert.isNull((await again.json()).plan)
    assert.include(await refusedWith(await ask("revocation-plans")), "IDEMPOTENCY_CONFLICT")
  })

  it("leads to the plan that is admitted, where there is one", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    const { plan } = await lifecyclePlan(service, given.owner, ENABLE, session)
    await ownersDo(sandbox, given.wallet, enableData(session.compiled.encodedPolicy), given.owners, GUARD)
    const idempotencyKey = freshNonce()
    const ask = () => askLifecycle(service, given.owner, ENABLE, session, { idempotencyKey })
    for (const replayed of [null, "true"]) {
      const answer = await ask()
      assert.equal(answer.headers.get("idempotent-replayed"), replayed)
      assert.equal((await answer.json()).plan.id, plan.id)
    }
  })
})

describe("one generation of a wallet", SLOW, () => {
  it("is admitted until it is retired for good", async () => {
    const given = await walletWithBot(bench)
    const [first, second] = [
      await sessionForWeek(bench, given),
      await sessionForWeek(bench, given, { generation: "2" })
    ]
    const answers = await Promise.all(
      [first, second].map(session => askLifecycle(service, given.owner, "activation-plans", session))
    )
    assert.sameMembers(
      answers.map(({ status }) => status),
      [201, 409]
    )
    const [loser = assert.fail()] = answers.filter(({ status }) => status === 409)
    assert.include(await refusedWith(loser), "SESSION_RETIREMENT_REQUIRED")
    const [winner, other] = answers[0]?.status === 201 ? [first, second] : [second, first]
    const [won = assert.fail()] = answers.filter(({ status }) => status === 201)
    const { plan } = await won.json()
    await carriedOut(bench, given, plan)
    await bySafe(given, winner.revokeTransaction)
    assert.equal((await sessionNow(service, given.owner, winner)).state, "revoked")
    const early = await askLifecycle(service, given.owner, "activation-plans", other)
    assert.equal(early.status, 409)
    await mine(bench, FINAL_BLOCKS)
    assert.isTrue((await sessionNow(service, given.owner, winner)).reservationReleased)
    const third = await sessionForWeek(bench, given, { generation: "3" })
    assert.equal((await askLifecycle(service, given.owner, "activation-plans", third)).status, 201)
  })
})

describe("of the accounts that a wallet is bound to", SLOW, () => {
  it("one at a time has a generation of it, however they race", async () => {
    const given = await walletWithBot(bench)
    const [, second = assert.fail()] = given.owners
    const owner = partyOf(second)
    await enroll(service, owner)
    const binding = await bindWallet(service, owner, given.owners, given.wallet.address)
    const other = { ...given, owner, binding, bot: await newSessionBot({ ...bench, owner }) }
    const asked = await Promise.all(
      [given, other].map(async each => ({ ...each, session: await sessionForWeek(bench, each) }))
    )
    const answers = await Promise.all(
      asked.map(each => askLifecycle(service, each.owner, "activation-plans", each.session))
    )
    assert.sameMembers(
      answers.map(({ status }) => status),
      [201, 409]
    )
    const [loser = assert.fail()] = answers.filter(({ status }) => status === 409)
    assert.include(await refusedWith(loser), "SESSION_RETIREMENT_REQUIRED")
  })
})
