/** Publications that are settled by one statement: each as its own answer says, and none waits for another's rows. */
import { Redacted } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { planned } from "../support/PlannedCalls.ts"
import { newPayer } from "../support/RelayBench.ts"
import { signedFetch } from "../support/SignedFetch.ts"
import { connected } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { answering, answerOf, startScriptedProvider } from "./support/ScriptedProvider.ts"
import { published } from "./support/Signing.ts"
import { sponsorshipFor, startSponsoringBench } from "./support/Sponsored.ts"

const provider = await startScriptedProvider()
const bench = await startSponsoringBench({ providerUrl: Redacted.make(provider.url) })
const { service } = bench

afterAll(async () => {
  await bench.stop()
  await provider.stop()
})

const prepared = async () => {
  const owner = await newPayer(bench)
  return { owner, sponsorship: await sponsorshipFor(service, owner, await planned(bench, owner)) }
}

type Prepared = Awaited<ReturnType<typeof prepared>>

const several = async (count: number): Promise<ReadonlyArray<Prepared>> => {
  const all: Array<Prepared> = []
  while (all.length < count) all.push(await prepared())
  return all
}

const publish = ({ owner, sponsorship }: Prepared) => published(service, owner, sponsorship)

const show = async ({ owner, sponsorship: { id } }: Prepared) =>
  (await signedFetch(service, owner, "GET", `/api/v1/sponsorships/${id}`)).json()

/** Answers nobody before all of so many have come. */
const together = (count: number, value = answerOf): void => {
  const held: Array<() => void> = []
  for (let position = 0; position < count; position++)
    provider.next((response, request) => {
      held.push(() => answering(given => value(given))(response, request))
      if (held.length === count) for (const answer of held) answer()
    })
}

describe("publications that end at the same moment", () => {
  it("have each its own bundle, and keep it", async () => {
    const all = await several(12)
    together(all.length)
    const told = await Promise.all(all.map(publish))
    const bundles = told.map(({ quote }) => quote?.bundleId ?? assert.fail("no quote"))
    assert.strictEqual(new Set(bundles).size, all.length)
    const shown = await Promise.all(all.map(show))
    assert.deepStrictEqual(
      shown.map(({ quote }) => quote.bundleId),
      bundles
    )
  })

  it("and are answered with one bundle have it once, whoever else it was told to", async () => {
    const all = await several(4)
    const { bundle_uuid } = answerOf({ method: "POST", path: "", headers: {}, body: NOTHING })
    together(all.length, request => answerOf(request, { bundle_uuid }))
    const told = await Promise.all(all.map(publish))
    const states = told.map(({ state }) => state).sort()
    assert.deepStrictEqual(states, ["quote_unverified", ...Array(3).fill("submission_unknown")])
  })

  it("do not wait for one whose row somebody holds", async () => {
    const [slow = assert.fail(), ...others] = await several(4)
    const holder = await connected(service.databaseUrl)
    together(others.length + 1, answerOf)
    await holder.query("BEGIN")
    const held = publish(slow)
    await until(
      async () => (await show(slow)).state,
      state => state === "submitting"
    )
    await holder.query("SELECT 1 FROM sponsorships WHERE id = $1 FOR UPDATE", [slow.sponsorship.id])
    const told = await Promise.all(others.map(publish))
    for (const { state } of told) assert.strictEqual(state, "quote_unverified")
    assert.strictEqual((await show(slow)).state, "submitting")
    await holder.query("COMMIT")
    await holder.end()
    assert.strictEqual((await held).state, "quote_unverified")
  })
})

const NOTHING = { transactions: [], virtual_nonce_mode: "" }
