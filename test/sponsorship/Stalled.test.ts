/** A provider that does not answer: the request is answered in time, and an ending process waits for the publication so long and no longer. */
import { Redacted } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { executeCalldata } from "../../src/values/ForwardRequest.ts"
import { toldClock } from "../support/Clocks.ts"
import { planned } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { newPayer } from "../support/RelayBench.ts"
import { freshNonce, signedInit } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { comesTo, confirm, execute, type Publication, show } from "./support/Executing.ts"
import { answering, answerOf, startScriptedProvider } from "./support/ScriptedProvider.ts"
import { askPublication, signAll } from "./support/Signing.ts"
import { authorizationOf, sponsorshipFor, startSponsoringBench } from "./support/Sponsored.ts"

const REQUEST = "20 seconds"
const GRACE = "12 seconds"

const provider = await startScriptedProvider()
const bench = await startSponsoringBench({ providerUrl: Redacted.make(provider.url) })
const { service } = bench

afterAll(async () => {
  await bench.stop()
  await provider.stop()
})

interface Made extends Publication {
  readonly signatures: ReadonlyArray<string>
}

const prepared = async (): Promise<Made> => {
  const owner = await newPayer(bench)
  const plan = await planned(bench, owner)
  const sponsorship = await sponsorshipFor(service, owner, plan)
  const signatures = await signAll(owner.key, sponsorship)
  const { message } = authorizationOf(sponsorship)
  return { owner, plan, sponsorship, signatures, calls: [executeCalldata(message, signatures[0] ?? "0x")] }
}

const timesSent = ({ calls: [data = "0x"] }: Made) => provider.timesSent(data)

/** Keeps the provider's next answer back. */
const heldAnswer = () => {
  const held: Array<() => void> = []
  provider.next((response, request) => {
    held.push(() => answering(answerOf)(response, request))
  })
  return () => {
    for (const answer of held) answer()
  }
}

/** A replica whose waits end when they are told to, with a publication that its provider has and does not answer. */
const stalled = async () => {
  const time = toldClock([REQUEST, GRACE])
  const replica = await bench.replica({}, { clock: time.clock })
  const made = await prepared()
  const { signatures } = made
  const idempotencyKey = freshNonce()
  const letGo = heldAnswer()
  const leaving = new AbortController()
  const path = `/api/v1/sponsorships/${made.sponsorship.id}/submissions`
  const init = await signedInit(replica, made.owner, "POST", path, { body: { signatures }, idempotencyKey })
  const answer = fetch(`${replica.url}${path}`, { ...init, signal: leaving.signal })
  await until(
    async () => timesSent(made),
    times => times === 1
  )
  return { time, replica, made, idempotencyKey, letGo, answer, leaving }
}

const stateOf = async (made: Made): Promise<Sponsorship["state"]> => (await show(bench, made)).state

const storedOf = async ({ sponsorship }: Made) => {
  const select = "SELECT outcome, bundle_id FROM publications WHERE sponsorship = $1"
  const [row] = await sqlOn(service.databaseUrl, select, [sponsorship.id])
  return row ?? assert.fail("it was not claimed")
}

/** The wait of its only request is over, and the process has nothing left but the publication. */
const ending = async ({ time, replica, answer }: Awaited<ReturnType<typeof stalled>>) => {
  const stopping = replica.stop()
  await time.over(REQUEST)
  assert.strictEqual((await answer).status, 202)
  await time.begun(GRACE)
  return { stopping }
}

const endLease = ({ sponsorship }: Made) =>
  sqlOn(service.databaseUrl, "UPDATE publications SET expires_at = unix_millis() WHERE sponsorship = $1", [
    sponsorship.id
  ])

const isNeverSentAgain = async (made: Made, by: Parameters<typeof askPublication>[0] = service) => {
  const { owner, sponsorship, signatures } = made
  const again = await askPublication(by, owner, sponsorship, { signatures })
  assert.strictEqual((await problemIn(again)).code, "SPONSORSHIP_CONFLICT")
  assert.strictEqual(timesSent(made), 1)
}

describe("while a provider does not answer", () => {
  it("the request is answered with the record as it is, and the answer is stored when it comes", async () => {
    const { time, replica, made, idempotencyKey, letGo, answer } = await stalled()
    await time.over(REQUEST)
    const told = await answer
    assert.deepStrictEqual([told.status, (await told.json()).state], [202, "submitting"])
    const { owner, sponsorship, signatures } = made
    const again = await askPublication(replica, owner, sponsorship, { signatures }, { idempotencyKey })
    assert.deepStrictEqual([again.status, again.headers.get("idempotent-replayed")], [202, "true"])
    assert.strictEqual((await again.json()).state, "submitting")
    letGo()
    await until(
      () => stateOf(made),
      state => state === "quote_unverified"
    )
    assert.strictEqual(timesSent(made), 1)
    await replica.stop()
  })

  it("a client that leaves ends nothing, and the end of the process waits for the answer", async () => {
    const { time, replica, made, letGo, answer, leaving } = await stalled()
    leaving.abort()
    await answer.catch(() => {})
    const stopping = replica.stop()
    await time.over(REQUEST)
    letGo()
    await stopping
    assert.isNotNull((await storedOf(made)).bundle_id)
    assert.strictEqual(timesSent(made), 1)
  })
})

describe("a process that ends while a provider does not answer", () => {
  it("stores the answer that comes in its last seconds", async () => {
    const standing = await stalled()
    const { made, letGo } = standing
    const { stopping } = await ending(standing)
    assert.strictEqual(await stateOf(made), "submitting")
    letGo()
    await stopping
    assert.strictEqual(await stateOf(made), "quote_unverified")
    assert.isNotNull((await storedOf(made)).bundle_id)
    await isNeverSentAgain(made)
  })

  it("waits for no later one, which nobody stores, and nobody sends again what its chain then shows", async () => {
    const standing = await stalled()
    const { time, made, letGo } = standing
    const { stopping } = await ending(standing)
    await time.over(GRACE)
    await stopping
    assert.strictEqual(await stateOf(made), "submitting")
    letGo()
    await endLease(made)
    const next = await bench.replica()
    await isNeverSentAgain(made, next)
    assert.strictEqual(await stateOf(made), "submission_unknown")
    assert.deepInclude(await storedOf(made), { outcome: null, bundle_id: null })
    await execute(bench, made)
    await confirm(bench)
    await comesTo({ ...bench, service: next }, made, "completed")
    assert.strictEqual(timesSent(made), 1)
    await next.stop()
  })
})
