/** What is paid for a sponsorship is looked at before it is paid, against the published vectors. */
import { assert, describe, it } from "vitest"
import vectors from "../../schema/vectors/execution.json" with { type: "json" }
import { AlteredPlan } from "../../src/client/Errors.ts"
import { checkPayment, checkQuote } from "../../src/client/PayForSponsorship.ts"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { fundableSponsorship } from "./support/FundableSponsorship.ts"
import { planRecord } from "./support/PlanRecords.ts"

type Quote = NonNullable<Sponsorship["quote"]>

interface Quoted extends Pick<Quote, "bundleId" | "payments" | "transactions"> {
  readonly sponsorshipId: string
  readonly submissionHash: `0x${string}`
}

const [vector = assert.fail("no vectors")] = vectors.sponsorship.vectors
const { sponsorshipId, submissionHash, ...quoted }: Quoted = JSON.parse(vector.quoteCommitment.canonical)
const { authorizations }: Pick<Sponsorship, "authorizations"> = JSON.parse(vector.commitment.canonical)
const { signatures }: { signatures: ReadonlyArray<string> } = JSON.parse(vector.submissionHash.canonical)
const commitment: `0x${string}` = `0x${vector.quoteCommitment.hash.slice(2)}`

const quote: Quote = { ...quoted, commitment, observedAt: 1, runtimeVerified: true }

const sponsorship = fundableSponsorship({
  ...{ id: sponsorshipId, planId: "5f0c8a52-0b1c-4f0a-9f53-000000000001" },
  ...{ authorizations, submissionHash, quote }
})

const refused = async (work: () => unknown): Promise<void> => {
  const failure = await Promise.resolve()
    .then(work)
    .then(
      () => assert.fail("it was taken"),
      (thrown: unknown) => thrown
    )
  assert.instanceOf(failure, AlteredPlan)
}

const [payment = assert.fail("no payment")] = quote.payments
const [transaction = assert.fail("no transaction")] = quote.transactions
const OTHER = `0x${"ab".repeat(32)}` as const

describe("a quote", () => {
  it("is taken where it is for these very signatures", async () => {
    await checkQuote(sponsorship, signatures)
    await checkQuote(sponsorship, undefined)
  })

  it("is refused where anything of it is another's", async () => {
    const quotes: ReadonlyArray<Quote | undefined> = [
      undefined,
      { ...quote, bundleId: "33333333-3333-4333-8333-333333333334" },
      { ...quote, commitment: OTHER },
      { ...quote, payments: [{ ...payment, value: "1" }] },
      { ...quote, payments: [{ ...payment, deadline: payment.deadline + 1 }] },
      { ...quote, payments: [{ ...payment, data: "0x103903a7" }] },
      { ...quote, transactions: [] },
      { ...quote, transactions: [{ ...transaction, outerCallHash: OTHER }] }
    ]
    for (const each of quotes) {
      const { quote: _, ...rest } = sponsorship
      await refused(() => checkQuote(each === undefined ? rest : { ...rest, quote: each }, signatures))
    }
    await refused(() =>
      checkQuote({ ...sponsorship, id: "33333333-3333-4333-8333-333333333334" }, signatures)
    )
    await refused(() => checkQuote(sponsorship, [`0x${"11".repeat(65)}`]))
  })
})

describe("the plan that pays", () => {
  const [planned = assert.fail("no call")] = planRecord().calls
  const { chainId, to, data, value } = payment
  const call = { ...planned, chainId, to, data, value }

  it("is exactly the quote's payment", async () => {
    checkPayment(sponsorship, planRecord({ calls: [call] }))
    const others = [
      [],
      [call, call],
      [{ ...call, value: "1" }],
      [{ ...call, to: planned.to }],
      [{ ...call, data: planned.data }],
      [{ ...call, chainId: 1 }]
    ]
    for (const calls of others) await refused(() => checkPayment(sponsorship, planRecord({ calls })))
  })
})
