/** What the provider asks for is shown only while it is proved to be for this bundle, whatever it says. */
import { createHash } from "node:crypto"
import { keccak256 } from "viem"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import type { Lie } from "../../sandbox/provider/Faults.ts"
import type { QuoteDoubt, Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { sweepQuotes } from "../../src/sponsorship/WatchQuotes.ts"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { executeCalldata } from "../../src/values/ForwardRequest.ts"
import { arm, armed, disarm } from "../provider/support/Provider.ts"
import { payment } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { newPayer } from "../support/RelayBench.ts"
import { freshNonce, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed } from "../support/Submissions.ts"
import { look, lookAnew, oncePublished, publishedAnew, startQuotedBench } from "./support/Quoted.ts"
import { signAll } from "./support/Signing.ts"
import { authorizationOf } from "./support/Sponsored.ts"

const bench = await startQuotedBench()
const { provider } = bench

afterAll(() => bench.stop())
afterEach(() => disarm(provider))

const always = (lie: Lie, path: "publication" | "bundle") => arm(provider, { lie, path, times: 1_000 })

const proved = async () => {
  const { owner, sponsorship } = await publishedAnew(bench)
  return { owner, sponsorship: await oncePublished(bench, owner, sponsorship, undefined) }
}

const assertHidden = ({ state, quote, nextAction }: Sponsorship, doubt: QuoteDoubt) => {
  assert.strictEqual(state, "quote_unverified")
  assert.deepInclude(quote, { runtimeVerified: false, payments: [], reason: doubt })
  assert.deepInclude(nextAction, { kind: "wait", reason: doubt })
}

const assertShown = ({ state, quote, nextAction }: Sponsorship) => {
  assert.strictEqual(state, "funding_quote_available")
  assert.strictEqual(quote?.payments.length, 1)
  assert.notProperty(quote, "reason")
  assert.deepStrictEqual(nextAction, { kind: "fund" })
}

describe("a quote", () => {
  it("is proved after the publication by itself, and names each request by its bytes", async () => {
    const { owner, prepared, sponsorship } = await publishedAnew(bench)
    const shown = await oncePublished(bench, owner, sponsorship, undefined)
    assertShown(shown)
    const { quote = assert.fail("no quote"), submission = assert.fail("no submission") } = shown
    const [signature = "0x"] = await signAll(owner.key, prepared)
    const [told = assert.fail("no transaction")] = quote.transactions
    assert.deepStrictEqual(quote.transactions, [
      {
        transactionId: told.transactionId,
        stepIndex: 0,
        chainId: 31337,
        outerCallHash: keccak256(executeCalldata(authorizationOf(prepared).message, signature))
      }
    ])
    const [{ to, data, deadline } = assert.fail("no payment")] = quote.payments
    const words = [
      quote.bundleId.replaceAll("-", "").padEnd(64, "0"),
      deadline.toString(16).padStart(64, "0")
    ]
    assert.strictEqual(data, `0x103903a7${words.join("")}`)
    assert.strictEqual(to, bench.payments)
    const { bundleId, payments, transactions, commitment } = quote
    const committed = {
      sponsorshipId: shown.id,
      submissionHash: submission.hash,
      bundleId,
      payments,
      transactions
    }
    assert.strictEqual(commitment, `0x${createHash("sha256").update(canonicalJson(committed)).digest("hex")}`)
  })

  it("binds ids that come in another order", async () => {
    const wallet = await newPayer(bench)
    const pay = payment(bench, wallet.key.address)
    await always("ids-reordered", "bundle")
    const { owner, sponsorship } = await publishedAnew(bench, [pay, pay])
    const { quote } = await oncePublished(bench, owner, sponsorship, undefined)
    await disarm(provider)
    const again = await lookAnew(bench, owner, sponsorship)
    assert.deepStrictEqual(again.quote, quote)
    assert.strictEqual(new Set(quote?.transactions.map(({ transactionId }) => transactionId)).size, 2)
  })
})

const CONTRADICTIONS: ReadonlyArray<readonly [Lie, QuoteDoubt]> = [
  ["bundle-id", "bundle-id"],
  ["ids-fewer", "transaction-ids"],
  ["ids-more", "transaction-ids"],
  ["ids-doubled", "transaction-ids"],
  ["request-byte", "request"],
  ["request-value", "request"],
  ["request-chain", "request"],
  ["code-replaced", "payment-code"]
]

const SILENCES: ReadonlyArray<readonly [Lie, QuoteDoubt]> = [
  ["wire-html", "provider-answer"],
  ["wire-truncated", "provider-unreachable"],
  ["wire-large", "provider-answer"],
  ["wire-redirect", "provider-unreachable"],
  ["wire-429", "provider-unreachable"],
  ["wire-500", "provider-unreachable"],
  ["wire-reset", "provider-unreachable"]
]

const HARMLESS: ReadonlyArray<Lie> = [
  "other-forms",
  "quote-changes",
  "success-without-hash",
  "hash-foreign",
  "hash-reverted",
  "hash-unmined",
  "hash-other-chain",
  "hash-shared",
  "state-long"
]

describe("a bundle that is told with", () => {
  it.each(CONTRADICTIONS)("%s hides the payments, until it is told rightly", async (lie, doubt) => {
    await always(lie, "bundle")
    const { owner, sponsorship } = await publishedAnew(bench)
    assertHidden(await oncePublished(bench, owner, sponsorship, doubt), doubt)
    await disarm(provider)
    const right = await lookAnew(bench, owner, sponsorship)
    assertShown(right)
    await always(lie, "bundle")
    assertHidden(await lookAnew(bench, owner, sponsorship), doubt)
    assertHidden(await look(bench, owner, sponsorship), doubt)
    await disarm(provider)
    assert.deepStrictEqual((await lookAnew(bench, owner, sponsorship)).quote, right.quote)
  })

  it.each(SILENCES)("%s says nothing: neither for the payments nor against them", async (lie, doubt) => {
    await always(lie, "bundle")
    const { owner, sponsorship } = await publishedAnew(bench)
    assertHidden(await oncePublished(bench, owner, sponsorship, doubt), doubt)
    await disarm(provider)
    assertShown(await lookAnew(bench, owner, sponsorship))
    await always(lie, "bundle")
    assertShown(await lookAnew(bench, owner, sponsorship))
  })

  it("what drips or comes late is not waited for, and says nothing", async () => {
    const quotes = [await proved(), await proved()]
    await arm(provider, { lie: "wire-drip", path: "bundle" })
    await arm(provider, { lie: "wire-late", path: "bundle", call: 2 })
    const looks = quotes.map(({ owner, sponsorship }) => lookAnew(bench, owner, sponsorship))
    assert.deepStrictEqual(
      (await Promise.all(looks)).map(({ quote }) => quote),
      quotes.map(({ sponsorship }) => sponsorship.quote)
    )
    assert.deepStrictEqual(
      (await armed(provider)).map(({ lie, told }: { lie: Lie; told: number }) => [lie, told]),
      [
        ["wire-drip", 1],
        ["wire-late", 1]
      ]
    )
  })
})

describe("a proved bundle that is told with", () => {
  let told: Awaited<ReturnType<typeof proved>>

  beforeAll(async () => {
    told = await proved()
  })

  it.each(HARMLESS)("%s changes nothing of the quote", async lie => {
    const { owner, sponsorship } = told
    await always(lie, "bundle")
    const after = await lookAnew(bench, owner, sponsorship)
    assertShown(after)
    assert.deepStrictEqual(after.quote, sponsorship.quote)
    const [{ told: times }] = await armed(provider)
    assert.isAbove(times, 0)
  })
})

describe("a publication that is answered with", () => {
  it.each<readonly [Lie, QuoteDoubt]>([
    ["bundle-id", "bundle-unknown"],
    ["payment-target", "payment-target"],
    ["payment-token", "payment-token"],
    ["payment-calldata", "payment-calldata"],
    ["payment-bundle", "payment-calldata"],
    ["payment-deadline", "payment-calldata"],
    ["payment-zero", "payment-amount"],
    ["payment-largest", "payment-bound"],
    ["payment-chain-twice", "payment-chain"],
    ["payment-chain-unknown", "payment-chain"]
  ])("%s never shows a payment, whatever is told later", async (lie, doubt) => {
    await arm(provider, { lie, path: "publication" })
    const { owner, sponsorship } = await publishedAnew(bench)
    assertHidden(await oncePublished(bench, owner, sponsorship, doubt), doubt)
    assertHidden(await lookAnew(bench, owner, sponsorship), doubt)
  })

  it.each<Lie>([
    "payment-negative",
    "payments-five",
    "ids-disagreeing",
    "ids-fewer",
    "ids-more",
    "ids-doubled"
  ])("%s is no quote", async lie => {
    await arm(provider, { lie, path: "publication" })
    const { owner, sponsorship } = await publishedAnew(bench)
    const shown = await lookAnew(bench, owner, sponsorship)
    assert.strictEqual(shown.state, "submission_unknown")
    assert.notProperty(shown, "quote")
  })

  it("ids in another order is understood, for its requests tell which is which", async () => {
    const wallet = await newPayer(bench)
    const pay = payment(bench, wallet.key.address)
    await arm(provider, { lie: "ids-reordered", path: "publication" })
    const { owner, sponsorship } = await publishedAnew(bench, [pay, pay])
    assertShown(await oncePublished(bench, owner, sponsorship, undefined))
  })

  it("a replaced payment contract shows the payments once the pinned code is back", async () => {
    await arm(provider, { lie: "code-replaced", path: "publication" })
    const { owner, sponsorship } = await publishedAnew(bench)
    assertHidden(await oncePublished(bench, owner, sponsorship, "payment-code"), "payment-code")
    await disarm(provider)
    assertShown(await lookAnew(bench, owner, sponsorship))
  })
})

it("is proved with a refresh in two more round trips of its chain than the plan takes", async () => {
  const { owner, plan, sponsorship } = await publishedAnew(bench)
  await oncePublished(bench, owner, sponsorship, undefined)
  const taken = async (look: () => Promise<unknown>): Promise<number> => {
    const before = bench.proxy.roundTrips()
    await look()
    return bench.proxy.roundTrips() - before
  }
  /** The service's own sweeps may come between. */
  const least = async (look: () => Promise<unknown>): Promise<number> =>
    Math.min(await taken(look), await taken(look), await taken(look))
  const ofPlan = await least(() => refreshed(bench.service, owner, plan))
  assert.isAtMost(await least(() => lookAnew(bench, owner, sponsorship)), ofPlan + 2)
})

it("that was in doubt is looked at again by itself", async () => {
  await always("request-byte", "bundle")
  const { owner, sponsorship } = await publishedAnew(bench)
  await oncePublished(bench, owner, sponsorship, "request")
  await disarm(provider)
  await sqlOn(bench.service.databaseUrl, "UPDATE publications SET sweep_at = 0 WHERE sponsorship = $1", [
    sponsorship.id
  ])
  assert.isAbove(await bench.worker.runPromise(sweepQuotes), 0)
  assertShown(await look(bench, owner, sponsorship))
})

it("without the provider, what is known is shown", async () => {
  const { owner, sponsorship } = await publishedAnew(bench)
  const before = await oncePublished(bench, owner, sponsorship, undefined)
  const deaf = await bench.sponsoringReplica({ providerUrl: undefined })
  try {
    const shown = await lookAnew({ service: deaf }, owner, sponsorship)
    assertShown(shown)
    assert.deepStrictEqual(shown.quote, before.quote)
  } finally {
    await deaf.stop()
  }
})

it("is not paid for while its chain does not tell the payment contract's code, which is no doubt of the provider", async () => {
  const { owner, sponsorship } = await proved()
  const fund = () =>
    signedFetch(bench.service, owner, "POST", `/api/v1/sponsorships/${sponsorship.id}/funding-plans`, {
      body: { chainId: 31337, payer: owner.key.address },
      idempotencyKey: freshNonce()
    })
  const silence = { method: "eth_getCode", phase: "before", act: { kind: "status", status: 503 } } as const
  bench.proxy.fault({ ...silence, times: 3 })
  const { code, retryable } = await problemIn(await fund())
  assert.deepStrictEqual({ code, retryable }, { code: "RPC_UNAVAILABLE", retryable: true })
  bench.proxy.clearFaults()
  assert.strictEqual((await fund()).status, 201)
})
