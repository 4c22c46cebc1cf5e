/** A claim whose answer the database's connection lost: what it allows leaves once all the same, from the process that made it. */
import { Redacted } from "effect"
import { afterAll, assert, it } from "vitest"
import { revokeBot } from "../support/Bots.ts"
import { planned } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { newPayer, newRelayBot } from "../support/RelayBench.ts"
import { freshNonce, type Party } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { startTcpProxy } from "../support/TcpProxy.ts"
import { until } from "../support/Until.ts"
import { startScriptedProvider } from "./support/ScriptedProvider.ts"
import { approveBy, approvedFor, askPublication, signAll } from "./support/Signing.ts"
import { sponsorshipFor, startSponsoringBench } from "./support/Sponsored.ts"

const provider = await startScriptedProvider()
const bench = await startSponsoringBench({ providerUrl: Redacted.make(provider.url) })
const { databaseUrl } = bench.service
const link = await startTcpProxy(Number(new URL(databaseUrl).port))
const linked = new URL(databaseUrl)
linked.host = `127.0.0.1:${link.port}`
const replica = await bench.replica({}, { databaseUrl: linked.href })

afterAll(async () => {
  await replica.stop()
  await link.close()
  await bench.stop()
  await provider.stop()
})

const CLAIM = '"lease_millis"'

/** `atLoss` comes before the service knows of it. */
const lostClaim = async (atLoss = () => {}, grant = async (owner: Party): Promise<Party> => owner) => {
  const owner = await newPayer(bench)
  const by = await grant(owner)
  const sponsorship = await sponsorshipFor(bench.service, by, await planned(bench, owner, { by }))
  const signatures = await signAll(owner.key, sponsorship)
  const approval = await approveBy(
    owner.key,
    bench.service.audience,
    approvedFor(by, sponsorship, signatures)
  )
  const body = { signatures, ...(by !== owner && { ownerApproval: approval }) }
  const idempotencyKey = freshNonce()
  const ask = () => askPublication(replica, by, sponsorship, body, { idempotencyKey })
  const lost = link.loseAnswerTo(CLAIM).then(atLoss)
  const answer = ask()
  await lost
  await assertProblem(await answer, "DATABASE_UNAVAILABLE")
  return { owner, by, sponsorship, ask }
}

const isPublished = async (times: number) => {
  await until(
    async () => provider.requests.length,
    requests => requests === times
  )
}

it("a publication is published, once, and the same request is told of it", async () => {
  const before = provider.requests.length
  const { ask } = await lostClaim()
  await isPublished(before + 1)
  const again = await ask()
  assert.strictEqual(again.status, 202)
  assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
  assert.strictEqual(provider.requests.length, before + 1)
})

/** However often it is looked for. */
const isNotPublished = async (times: number) => {
  link.restore()
  await link.loseAnswerTo(CLAIM)
  await link.loseAnswerTo(CLAIM)
  assert.strictEqual(provider.requests.length, times)
}

it("but not once its time is over", async () => {
  const before = provider.requests.length
  const { sponsorship } = await lostClaim(() => link.cut())
  await sqlOn(databaseUrl, "UPDATE sponsorships SET expires_at = unix_millis() WHERE id = $1", [
    sponsorship.id
  ])
  await isNotPublished(before)
})

it("nor once its bot was revoked", async () => {
  const before = provider.requests.length
  const { owner, by } = await lostClaim(
    () => link.cut(),
    owner => newRelayBot(bench, owner)
  )
  await revokeBot(bench.service, owner, by)
  await isNotPublished(before)
})
