/** A false service leads a wallet to no payment but the one that was proved and agreed to. */
import { assert, describe, it } from "vitest"
import vectors from "../../schema/vectors/execution.json" with { type: "json" }
import { createClient } from "../../src/client/Client.ts"
import { textDigest } from "../../src/client/Commitment.ts"
import { AlteredPlan, ClientMisuse } from "../../src/client/Errors.ts"
import { memoryStore, type Store } from "../../src/client/Store.ts"
import { committedText } from "../../src/plans/CommittedText.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { fundableSponsorship } from "./support/FundableSponsorship.ts"
import { heldSystem } from "./support/HeldSystem.ts"
import { accountOf, newKey } from "./support/Parties.ts"
import { planRecord, receiptRecord, stepRecord } from "./support/PlanRecords.ts"
import { json, problem } from "./support/ScriptedFetch.ts"

type Quote = NonNullable<Sponsorship["quote"]>

const [vector = assert.fail("no vectors")] = vectors.sponsorship.vectors
const quoted: Pick<Quote, "bundleId" | "payments" | "transactions"> & {
  readonly sponsorshipId: string
  readonly submissionHash: `0x${string}`
} = JSON.parse(vector.quoteCommitment.canonical)
const { authorizations }: Pick<Sponsorship, "authorizations"> = JSON.parse(vector.commitment.canonical)
const [payment = assert.fail("no payment")] = quoted.payments

const NOW = 1_800_000_000_000
const AUDIENCE = "http://service.test"
const OPEN = "5f0c8a52-0b1c-4f0a-9f53-000000000001"
const PAYING = "5f0c8a52-0b1c-4f0a-9f53-000000000002"
const AGAIN = "5f0c8a52-0b1c-4f0a-9f53-000000000003"
const key = newKey()
const account = accountOf(key.address)
const own = { accountId: account, principalId: `owner:${account}` }

const sealed = async (over: Partial<Plan>): Promise<Plan> => {
  const plan = planRecord({ account: key.address, ...over })
  return { ...plan, commitment: await textDigest(committedText(plan, own)) }
}

const [call = assert.fail("no call")] = planRecord().calls
const { sponsorshipId: id, submissionHash } = quoted
const sponsored = stepRecord({
  state: "submitted",
  execution: { transport: "forwarder-prepaid-erc2771", bindingId: id, chainId: 31_337 }
})
const open = await sealed({ id: OPEN, status: "pending", steps: [sponsored] })
const { chainId, to, data, value } = payment
const asked = await sealed({ id: PAYING, calls: [{ ...call, chainId, to, data, value }] })
const other = await sealed({ id: PAYING, calls: [{ ...call, chainId, value: "1000000" }] })

const quoteOf = async (payments: Quote["payments"]): Promise<Quote> => {
  const commitment = await textDigest(canonicalJson({ ...quoted, payments }))
  const { bundleId, transactions } = quoted
  return { bundleId, payments, transactions, commitment, observedAt: 1, runtimeVerified: true }
}

const sponsorship = fundableSponsorship({
  ...{ id, planId: OPEN, authorizations, submissionHash },
  quote: await quoteOf(quoted.payments)
})

interface Told {
  readonly sponsorship: Sponsorship
  /** Each time the plan that pays is shown, the last for ever. */
  readonly paying: ReadonlyArray<Plan>
}

const LOOKS = 6

/** What a wallet is asked by the client of this service; left after some looks. */
const carried = async (
  told: Told,
  options: { store?: Store; agree?: (() => boolean) | undefined } = {},
  plan: Plan | string = OPEN
) => {
  const signed: Array<string> = []
  const enough = new AbortController()
  let looks = 0
  let shown = 0
  const fetch = async (url: string): Promise<Response> => {
    const { pathname } = new URL(url)
    if (pathname.endsWith(OPEN)) return json(200, open)
    if (pathname.endsWith("/simulation")) return json(200, { estimatedGas: "21000" })
    if (pathname.endsWith(PAYING) || pathname.endsWith(AGAIN))
      return json(200, told.paying[shown++] ?? told.paying.at(-1))
    if (!pathname.endsWith(id)) return problem(409, "QUOTE_UNAVAILABLE")
    looks += 1
    if (looks > LOOKS) enough.abort(new Error("left"))
    return json(200, told.sponsorship)
  }
  const system = heldSystem(NOW)
  const client = createClient({ baseUrl: AUDIENCE, audience: AUDIENCE, account, signer: key, system, fetch })
  const wallet = {
    ...key,
    signTransaction: async () => {
      signed.push("transaction")
      throw new Error("it was asked")
    }
  }
  const rpc = { request: async ({ method }: { method: string }) => NODE[method] }
  const failure = await client.sponsorships
    .carryOut(plan, {
      wallet,
      rpc,
      agree: () => true,
      store: memoryStore(),
      signal: enough.signal,
      ...options
    })
    .catch((caught: unknown) => caught)
  return { failure, signed }
}

const NODE: Readonly<Record<string, unknown>> = {
  eth_chainId: `0x${chainId.toString(16)}`,
  eth_getTransactionCount: "0x0",
  eth_getBlockByNumber: { baseFeePerGas: "0x1" },
  eth_maxPriorityFeePerGas: "0x1"
}

const funded = (state: NonNullable<Sponsorship["funding"]>["state"]) => ({
  funding: { planId: PAYING, chainId: 31_337, state }
})

describe("a wallet that has a plan sponsored", () => {
  it("signs the payment that was asked for", async () => {
    const ready = { ...sponsorship, ...funded("ready") }
    const { signed } = await carried({ sponsorship: ready, paying: [asked] })
    assert.deepStrictEqual(signed, ["transaction"])
  })

  it("pays nothing, and signs nothing, where nobody is asked about the price that the service names", async () => {
    const to = "0x000000000000000000000000000000000000dEaD"
    const robbed = { ...payment, to, value: String(10n ** 21n) } as const
    const plan = await sealed({ id: PAYING, calls: [{ ...call, chainId, to, data, value: robbed.value }] })
    const told = { ...sponsorship, quote: await quoteOf([robbed]), ...funded("ready") }
    const unasked = await carried({ sponsorship: told, paying: [plan] }, { agree: undefined })
    assert.instanceOf(unasked.failure, ClientMisuse)
    assert.deepStrictEqual(unasked.signed, [])
    const declined = await carried({ sponsorship: told, paying: [plan] }, { agree: () => false })
    assert.deepStrictEqual(declined.signed, [])
  })

  it("goes on with no plan that is shown with other calls than it commits to", async () => {
    const ready = { ...sponsorship, ...funded("ready") }
    const shown = { ...open, calls: other.calls }
    const { failure, signed } = await carried({ sponsorship: ready, paying: [asked] }, {}, shown)
    assert.instanceOf(failure, AlteredPlan)
    assert.deepStrictEqual(signed, [])
    assert.deepStrictEqual(
      (await carried({ sponsorship: ready, paying: [asked] }, {}, open)).signed.length,
      1
    )
  })

  it("signs nothing of a plan that is said to be its payment, and to be under way or confirmed", async () => {
    const nextAction = { kind: "wait", retryAfterMs: 2_000 } as const
    const waiting = { ...sponsorship, ...funded("reserved"), nextAction }
    const done = { ...sponsorship, ...funded("confirmed"), nextAction: { kind: "none" } as const }
    for (const each of [waiting, done])
      assert.deepStrictEqual((await carried({ sponsorship: each, paying: [other] })).signed, [])
  })

  it("signs nothing where the payment that is shown first is another than its commitment's", async () => {
    const ready = { ...sponsorship, ...funded("ready") }
    const shown = { ...asked, commitment: other.commitment }
    const { failure, signed } = await carried({ sponsorship: ready, paying: [shown, other] })
    assert.instanceOf(failure, AlteredPlan)
    assert.deepStrictEqual(signed, [])
  })

  it("makes no payment but that on the requests' own chain, whichever stands first or is planned", async () => {
    const far = { ...payment, chainId: 10, value: `${payment.value}0` }
    const quote = await quoteOf([far, payment])
    const elsewhere = await sealed({
      id: PAYING,
      calls: [{ ...call, to, data, chainId: 10, value: far.value }]
    })
    const told = { sponsorship: { ...sponsorship, quote, ...funded("ready") }, paying: [elsewhere] }
    const { failure, signed } = await carried(told)
    assert.instanceOf(failure, AlteredPlan)
    assert.deepStrictEqual(signed, [])
  })

  it("is asked anew where another chain's payment is to be made than the one that was agreed to", async () => {
    const store = memoryStore()
    const said: Array<boolean> = []
    const agreeing = (yes: boolean) => () => {
      said.push(yes)
      return yes
    }
    const far = { ...payment, chainId: 10, value: `${payment.value}0` }
    const quote = await quoteOf([payment, far])
    const elsewhere = await sealed({
      id: PAYING,
      calls: [{ ...call, to, data, chainId: 10, value: far.value }]
    })
    const near = { ...sponsorship, quote }
    await carried({ sponsorship: near, paying: [asked] }, { store, agree: agreeing(true) })
    const funding = { planId: PAYING, chainId: 10, state: "ready" } as const
    const told = { sponsorship: { ...near, funding }, paying: [elsewhere] }
    const { signed } = await carried(told, { store, agree: agreeing(false) })
    assert.deepStrictEqual(said, [true, false])
    assert.deepStrictEqual(signed, [])
  })

  it("sends a payment that was lost no more once another request took a nonce of what it pays for", async () => {
    const store = memoryStore()
    await carried({ sponsorship: { ...sponsorship, ...funded("ready") }, paying: [asked] }, { store })
    const nextAction = { kind: "wait", retryAfterMs: 60_000, reason: "a nonce of it is used" } as const
    const reason = "EXECUTION_NOT_OURS"
    const taken = { stepIndex: 0, chainId, providerState: null, state: "unknown", reason } as const
    const lost = { ...sponsorship, ...funded("unknown"), nextAction }
    const told = { sponsorship: { ...lost, observations: [taken] }, paying: [asked] }
    assert.deepStrictEqual((await carried(told, { store })).signed, [])
    const left = { ...taken, receipt: receiptRecord({ canonical: false }) }
    const after = { ...lost, observations: [left] }
    assert.deepStrictEqual((await carried({ ...told, sponsorship: after }, { store })).signed, [])
    assert.deepStrictEqual((await carried({ ...told, sponsorship: lost }, { store })).signed, ["transaction"])
  })

  it("makes no second payment, whatever other plan is told to make the same", async () => {
    const store = memoryStore()
    await carried({ sponsorship: { ...sponsorship, ...funded("ready") }, paying: [asked] }, { store })
    const again = await sealed({
      ...{ id: AGAIN, expiresAt: asked.expiresAt + 1 },
      calls: [{ ...call, chainId, to, data, value }]
    })
    const { funding } = funded("ready")
    const told = { ...sponsorship, funding: { ...funding, planId: AGAIN } }
    const { failure, signed } = await carried({ sponsorship: told, paying: [again] }, { store })
    assert.instanceOf(failure, AlteredPlan)
    assert.deepStrictEqual(signed, [])
  })

  it("is asked anew where another price is told than the one that was agreed to", async () => {
    const store = memoryStore()
    const said: Array<boolean> = []
    const agreeing = (yes: boolean) => () => {
      said.push(yes)
      return yes
    }
    await carried({ sponsorship, paying: [asked] }, { store, agree: agreeing(true) })
    await carried({ sponsorship, paying: [asked] }, { store, agree: agreeing(false) })
    assert.deepStrictEqual(said, [true])
    const quote = await quoteOf(quoted.payments.map(each => ({ ...each, value: `${each.value}0` })))
    await carried(
      { sponsorship: { ...sponsorship, quote }, paying: [asked] },
      { store, agree: agreeing(false) }
    )
    assert.deepStrictEqual(said, [true, false])
  })
})
