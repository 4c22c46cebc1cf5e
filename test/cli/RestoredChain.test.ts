/** What `doctor --restored` finds on a real chain that went on after the backup: by its forwarder, its entry point and its guard. */
import { afterAll, assert, describe, it } from "vitest"
import { restoredChecks } from "../../src/cli/RestoredChecks.ts"
import { rpcAt } from "../../src/cli/Rpc.ts"
import { executeCalldata } from "../../src/values/ForwardRequest.ts"
import { carriedAt } from "../faults/operating/Events.ts"
import { enableData } from "../sessions/support/Guarded.ts"
import {
  liveSession,
  ownersTell,
  preparedSession,
  sendByKey,
  sessionBot,
  sessionOperationOf
} from "../sessions/support/Operated.ts"
import { send } from "../sponsorship/support/Executing.ts"
import { signAll } from "../sponsorship/support/Signing.ts"
import { authorizationOf, sponsoring, sponsorshipFor } from "../sponsorship/support/Sponsored.ts"
import { planned } from "../support/PlannedCalls.ts"
import { freshDatabase } from "../support/Postgres.ts"
import { newPayer } from "../support/RelayBench.ts"
import type { Party } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import {
  type BoundTestWallet,
  boundWallet,
  envelopeOf,
  preparedOperation,
  type ShownOperation,
  sendOperation,
  startOperatingBench,
  walletPlan
} from "../useroperations/support/Operating.ts"

const bench = await startOperatingBench({ settings: { sponsorship: sponsoring() } })
const { chain, service } = bench

/** A copy of the database as it is now, by which its service is interrupted for a moment. */
const backedUp = async () => {
  const { pathname } = new URL(service.databaseUrl)
  const name = pathname.slice(1)
  const elsewhere = new URL(service.databaseUrl)
  elsewhere.pathname = "/postgres"
  const administer = (text: string) => sqlOn(elsewhere.href, text)
  await administer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await administer(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`)
  const backup = await freshDatabase({ name })
  await administer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
  return backup
}

const sponsorshipOf = async (owner: Party) => sponsorshipFor(service, owner, await planned(bench, owner))

/** Anybody has the forwarder execute it. */
const executed = async (owner: Party, made: Awaited<ReturnType<typeof sponsorshipOf>>) => {
  const { forwarder, message } = authorizationOf(made)
  const [signature = "0x"] = await signAll(owner.key, made)
  await send(bench, {
    to: forwarder,
    data: executeCalldata(message, signature),
    value: BigInt(message.value)
  })
  return `${message.from.toLowerCase()}/${message.nonce}`
}

const operationFor = async (bound: BoundTestWallet) =>
  preparedOperation(service, bound.owner, await walletPlan(bench, bound))

const carriedOut = ({ operationHash }: Pick<ShownOperation, "operationHash">) =>
  until(
    () => carriedAt(chain.url, operationHash),
    found => found !== undefined
  )

const sent = async (bound: BoundTestWallet, operation: ShownOperation) => {
  const answer = await sendOperation(
    service,
    bound.owner,
    operation,
    await envelopeOf(operation, bound.owners)
  )
  assert.isBelow(answer.status, 300)
  await carriedOut(operation)
}

const begunAt = Date.now()
const payer = await newPayer(bench)
const sponsorship = await sponsorshipOf(payer)
const later = await newPayer(bench)
const laterPlan = await planned(bench, later)
const wallet = await boundWallet(bench)
const before = await operationFor(wallet)
await sent(wallet, before)
const operation = await operationFor(wallet)
const live = await liveSession(bench)
const use = await sessionOperationOf(bench, live)
const guarded = await boundWallet(bench)
const bot = await sessionBot(bench, guarded.owner)
const backup = await backedUp()

afterAll(async () => {
  await bench.stop()
  await backup.drop()
})

const look = async (marks = false) =>
  (
    await restoredChecks({
      ...{ database: backup.url, nodes: [rpcAt(chain.url)], since: begunAt },
      ...{ marks, keepsGrants: false }
    })
  ).map(({ name, verdict }) => `${verdict} ${name}`)

const AROUND = ["ok since", "ok chain 31337"]

describe("a restored database", { timeout: 120_000 }, () => {
  it("lacks nothing while its chain stands still", async () => {
    const found = await look()
    assert.sameMembers(
      found.filter(line => !line.includes("found again: plan")),
      ["failed mark", ...AROUND]
    )
  })

  it("is told what forwarder, entry point and guard did since, known to it or not", async () => {
    const known = await executed(payer, sponsorship)
    const unknown = await executed(payer, await sponsorshipOf(payer))
    assert.notStrictEqual(known, unknown)
    const sponsoredSince = await executed(later, await sponsorshipFor(service, later, laterPlan))
    await sent(wallet, operation)
    const next = await operationFor(wallet)
    await sent(wallet, next)
    assert.isBelow((await sendByKey(bench, live, use)).status, 300)
    await carriedOut(use)
    const session = await preparedSession(bench, guarded, bot)
    await ownersTell(bench, guarded, enableData(session.compiled.encodedPolicy))
    const found = await look()
    assert.sameMembers(
      found.filter(line => !line.includes("found again: plan")),
      [
        "failed mark",
        ...AROUND,
        `degraded found again: sponsorship ${sponsorship.id} step 0`,
        `failed lost: request ${unknown}`,
        `failed lost: request ${sponsoredSince}`,
        `degraded found again: user operation ${operation.id}`,
        `degraded found again: user operation ${use.id}`,
        `failed lost: operation ${next.operationHash}`,
        `failed lost: session of ${guarded.wallet.address.toLowerCase()}`
      ]
    )
  })

  it("is marked with all of that told again", async () => {
    const before = await look()
    assert.sameMembers(await look(true), ["ok mark", ...before.filter(line => line !== "failed mark")])
  })
})
