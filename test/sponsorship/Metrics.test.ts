/** What operators see of sponsorships, as it comes about. */
import { afterAll, afterEach, assert, describe, it } from "vitest"
import { sweepQuotes } from "../../src/sponsorship/WatchQuotes.ts"
import { sweepSponsorships } from "../../src/sponsorship/WatchSponsorships.ts"
import { executeCalldata } from "../../src/values/ForwardRequest.ts"
import { arm, disarm } from "../provider/support/Provider.ts"
import { metricValue } from "../support/MetricValue.ts"
import { PROMTOOL_MILLIS, promtool } from "../support/Promtool.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { execute } from "./support/Executing.ts"
import { lookAnew, oncePublished, publishedAnew, startQuotedBench } from "./support/Quoted.ts"
import { signAll } from "./support/Signing.ts"
import { authorizationOf } from "./support/Sponsored.ts"

const bench = await startQuotedBench()
const { provider, service, worker } = bench

afterAll(() => bench.stop())
afterEach(() => disarm(provider))

const value = (series: string) => metricValue(service, series)

const growth = async (series: string, work: () => Promise<unknown>): Promise<number> => {
  const before = await value(series)
  await work()
  return (await value(series)) - before
}

describe("publications", () => {
  it("that were answered are counted, and the provider's time for them", async () => {
    const publish = () => publishedAnew(bench)
    assert.strictEqual(
      await growth('service_submissions_total{transport="sponsorship",outcome="answered"}', publish),
      1
    )
    const timed = 'service_provider_seconds_count{call="publish",outcome="answered"}'
    assert.strictEqual(await growth(timed, publish), 1)
  })

  it("of which nobody knows what became are counted, and stand out until their chain tells", async () => {
    const kind = '{transport="sponsorship"}'
    await arm(provider, { lie: "wire-reset", path: "publication" })
    await arm(provider, { lie: "executes-never", path: "publication" })
    const before = await value('service_submissions_total{transport="sponsorship",outcome="unknown"}')
    const made = await publishedAnew(bench)
    assert.strictEqual(
      await value('service_submissions_total{transport="sponsorship",outcome="unknown"}'),
      before + 1
    )
    assert.strictEqual(made.sponsorship.state, "submission_unknown")
    await sqlOn(
      service.databaseUrl,
      "UPDATE publications SET reserved_at = reserved_at - 90000, expires_at = expires_at - 90000 WHERE sponsorship = $1",
      [made.sponsorship.id]
    )
    await worker.runPromise(sweepSponsorships)
    assert.strictEqual(await value(`service_unknown_submissions${kind}`), 1)
    assert.isAtLeast(await value(`service_oldest_unknown_submission_seconds${kind}`), 90)
    const [signature = "0x"] = await signAll(made.owner.key, made.prepared)
    await execute(bench, {
      ...made,
      calls: [executeCalldata(authorizationOf(made.prepared).message, signature)]
    })
    assert.strictEqual((await lookAnew(bench, made.owner, made.sponsorship)).state, "executing")
    await worker.runPromise(sweepSponsorships)
    assert.strictEqual(await value(`service_unknown_submissions${kind}`), 0)
    assert.strictEqual(await value(`service_oldest_unknown_submission_seconds${kind}`), 0)
  })
})

describe("quotes", () => {
  it("that are not proved stand out until they are, and so does what the provider answers", async () => {
    await arm(provider, { lie: "wire-html", path: "bundle", times: 1_000 })
    const unreadable = 'service_provider_seconds_count{call="bundle",outcome="unreadable"}'
    const before = await value(unreadable)
    const { owner, sponsorship } = await publishedAnew(bench)
    await oncePublished(bench, owner, sponsorship, "provider-answer")
    assert.isAbove(await value(unreadable), before)
    await worker.runPromise(sweepQuotes)
    assert.strictEqual(await value("service_quotes_unverified"), 1)
    await disarm(provider)
    await lookAnew(bench, owner, sponsorship)
    await worker.runPromise(sweepQuotes)
    assert.strictEqual(await value("service_quotes_unverified"), 0)
  })
})

describe("all metrics of a service under load", () => {
  it(
    "are such that Prometheus has nothing to say against them",
    async () => {
      await publishedAnew(bench)
      const text = await until(
        async () => (await fetch(`${service.opsUrl}/metrics`)).text(),
        told => /^service_steps\{state="(?:submitted|unknown)"\} [1-9]/m.test(told)
      )
      for (const family of [
        "plans",
        "steps",
        "submissions_total",
        "rpc_calls_total",
        "table_bytes",
        "part_state"
      ])
        assert.include(text, `# TYPE service_${family} `)
      assert.match(text, /^service_plans\{state="pending"\} [1-9]/m)
      assert.match(text, /^service_table_rows\{table="plans"\} \d/m)
      assert.deepStrictEqual(await promtool(["check", "metrics"], text), { code: 0, output: "" })
    },
    PROMTOOL_MILLIS
  )
})
