/** Looks that are kept at once: at a quote, and at the requests that it is for. */
import { Effect, Either } from "effect"
import { afterAll, assert, it } from "vitest"
import { QuoteStore } from "../../src/sponsorship/QuoteStore.ts"
import { connected, sqlOn, waitedFor } from "../support/Sql.ts"
import { oncePublished, publishedAnew, startQuotedBench } from "./support/Quoted.ts"

const bench = await startQuotedBench()
const { databaseUrl } = bench.service

afterAll(() => bench.stop())

it("a look at a quote waits for whoever finds its requests dead, and that not for the look", async () => {
  const { owner, sponsorship } = await publishedAnew(bench)
  const { id } = await oncePublished(bench, owner, sponsorship, undefined)
  const finding = await connected(databaseUrl)
  await finding.query("BEGIN")
  await finding.query("SELECT 1 FROM sponsored_calls WHERE sponsorship = $1 FOR UPDATE", [id])
  const looked = { doubt: "bundle-id", contradicts: true, bound: undefined } as const
  const hints = [{ step: 0, providerState: "Unheard", hash: null }]
  const keeping = bench.worker.runPromise(
    Effect.flatMap(QuoteStore, store => Effect.either(store.record(id, looked, hints)))
  )
  await waitedFor(finding, databaseUrl)
  await finding.query("UPDATE sponsorships SET revision = revision + 1 WHERE id = $1", [id])
  await finding.query("COMMIT")
  await finding.end()
  assert.isTrue(Either.isRight(await keeping))
  const kept = await sqlOn(
    databaseUrl,
    "SELECT u.doubt, c.provider_state FROM publications u JOIN sponsored_calls c USING (sponsorship) WHERE u.sponsorship = $1",
    [id]
  )
  assert.deepStrictEqual(kept, [{ doubt: "bundle-id", provider_state: "Unheard" }])
})
