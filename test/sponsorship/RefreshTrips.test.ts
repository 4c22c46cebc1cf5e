/** What a look at a sponsorship costs: one question to its provider, and a few round trips of each chain, whatever came of its requests. */
import { afterAll, assert, describe, it } from "vitest"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { executeCalldata } from "../../src/values/ForwardRequest.ts"
import { arm, armed } from "../provider/support/Provider.ts"
import { callOf, payment } from "../support/PlannedCalls.ts"
import { mine } from "../support/RelayBench.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce, signedFetch } from "../support/SignedFetch.ts"
import { submitted } from "../support/Submissions.ts"
import { ANYBODY, execute, leave } from "./support/Executing.ts"
import { look, lookAnew, oncePublished, publishedAnew, startQuotedBench } from "./support/Quoted.ts"
import { signAll } from "./support/Signing.ts"

const REQUESTS = 32
const MOST_TRIPS = 4

const bench = await startQuotedBench()
const { provider, service, proxy } = bench

afterAll(() => bench.stop())

/** Its calls lie in many blocks, and nobody executes them but the test. */
const many = async () => {
  await arm(provider, { lie: "executes-never", path: "publication" })
  const calls = Array.from({ length: REQUESTS }, () => payment(bench, ANYBODY))
  const { owner, plan, prepared } = await publishedAnew(bench, calls)
  const sponsorship = await oncePublished(bench, owner, prepared, undefined)
  const signatures = await signAll(owner.key, prepared)
  const executes = prepared.authorizations.map(({ message }, position) =>
    executeCalldata(message, signatures[position] ?? "0x")
  )
  return { owner, plan, sponsorship, calls: executes }
}

/** A lie that changes nothing counts the questions. */
const questions = async (): Promise<number> => (await armed(provider))[0].told

const made = await many()
await arm(provider, { lie: "state-long", path: "bundle", times: 1_000 })

const cost = async (): Promise<Sponsorship> => {
  const [trips, asked] = [proxy.roundTrips(), await questions()]
  const shown = await lookAnew(bench, made.owner, made.sponsorship)
  assert.isAtMost(proxy.roundTrips() - trips, MOST_TRIPS)
  assert.isAtMost((await questions()) - asked, 1)
  return shown
}

const statesIn = ({ observations }: Sponsorship) => [...new Set(observations.map(({ state }) => state))]

describe("a refresh of 32 requests of one chain takes four round trips", () => {
  it("while nothing is paid", async () => {
    const shown = await cost()
    assert.strictEqual(shown.state, "funding_quote_available")
  })

  it("once the owner's payment left, and once it is confirmed", async () => {
    const { owner, sponsorship } = made
    const answer = await signedFetch(
      service,
      owner,
      "POST",
      `/api/v1/sponsorships/${sponsorship.id}/funding-plans`,
      {
        body: { chainId: 31337, payer: owner.key.address },
        idempotencyKey: freshNonce()
      }
    )
    const funding = await answer.json()
    assert.strictEqual((await cost()).nextAction.kind, "submit")
    const rawSignedTransaction = await signCall(bench, owner, callOf(funding))
    await submitted(service, owner, funding, { rawSignedTransaction })
    await cost()
    await mine(bench)
    const paid = await cost()
    assert.deepStrictEqual([paid.state, paid.funding?.state], ["executing", "confirmed"])
  })

  it("when half of them are seen to be executed, when all are, and ever after", async () => {
    const half = REQUESTS / 2
    for (let position = 0; position < half; position++) await execute(bench, made, position)
    assert.sameMembers(statesIn(await cost()), ["confirming", "confirmed", "pending"])
    assert.sameMembers(statesIn(await cost()), ["confirming", "confirmed", "pending"])
    for (let position = half; position < REQUESTS; position++) await execute(bench, made, position)
    await mine(bench)
    assert.strictEqual((await cost()).state, "completed")
    const before = await questions()
    assert.strictEqual((await cost()).state, "completed")
    assert.strictEqual(await questions(), before)
  })

  it("when the last of them left the chain again", async () => {
    const { observations } = await look(bench, made.owner, made.sponsorship)
    await leave(bench, observations.at(-1)?.hash ?? assert.fail("no hash"))
    assert.sameMembers(statesIn(await cost()), ["confirmed", "reorged"])
    await cost()
    await execute(bench, made, REQUESTS - 1)
    await mine(bench)
    assert.strictEqual((await cost()).state, "completed")
  })
})
