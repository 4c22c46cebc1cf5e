import { assert, describe, it } from "vitest"
import { requestRows, sponsorSentence } from "../../src/review/SponsorReview.ts"
import { sentence } from "../../src/review/Words.ts"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const HASH = `0x${"ab".repeat(32)}` as const
const PLAN = "5f0c8a52-0b1c-4f0a-9f53-000000000002"

/** A Wednesday. */
const NOW = Date.UTC(2026, 10, 25, 12)
const FRIDAY = String(Date.UTC(2026, 10, 27, 9) / 1000)

const request = (
  stepIndex: number,
  gas: string,
  deadline = FRIDAY
): Sponsorship["authorizations"][number] => ({
  stepIndex,
  chainId: 31_337,
  forwarder: ADDRESS,
  forwarderCodeHash: HASH,
  targetCodeHash: HASH,
  domain: { name: "Forwarder", version: "1", chainId: 31_337, verifyingContract: ADDRESS },
  message: { from: ADDRESS, to: ADDRESS, value: "5", gas, nonce: "7", deadline, data: "0x12" },
  evidence: { chainId: 31_337, blockNumber: "1", blockHash: HASH, timestamp: "1", source: "onchain" },
  types: { ForwardRequest: [] },
  primaryType: "ForwardRequest",
  digest: HASH
})

const quoteOf = (value: string): NonNullable<Sponsorship["quote"]> => ({
  bundleId: "5f0c8a52-0b1c-4f0a-9f53-000000000001",
  observedAt: NOW,
  runtimeVerified: true,
  payments: [{ chainId: 31_337, to: ADDRESS, data: "0x", value, deadline: 1_800_000_000 }],
  transactions: []
})

const told = (...about: Parameters<typeof sponsorSentence>) => sentence(sponsorSentence(...about))

describe("a sponsorship in one sentence", () => {
  it("says what the gas costs at the chain's price, and on which day what is signed ends", () => {
    const authorizations = [request(0, "630000"), request(1, "63000")]
    assert.strictEqual(
      told({ authorizations }, NOW, 1_000_000_000n),
      "Somebody else pays about 0.0009 ETH of gas; you sign two requests that end on Friday."
    )
  })

  it("says the provider's price once that is known", () => {
    assert.strictEqual(
      told({ authorizations: [request(0, "630000")], quote: quoteOf("3141592653589793") }, NOW, 1n),
      "Somebody else pays about 0.0031 ETH of gas; you sign one request that ends on Friday. Beforehand you pay the provider 0.003141592653589793 ETH, of which 0.000000000000000005 ETH is sent on."
    )
  })

  it("says the price of the payment that is made, where each chain's is another", () => {
    const { payments, ...quote } = quoteOf("3100000000000000")
    const dear = quoteOf("9100000000000000").payments.map(each => ({ ...each, chainId: 10 }))
    const about = {
      authorizations: [request(0, "630000")],
      quote: { ...quote, payments: [...dear, ...payments] }
    }
    assert.match(told(about, NOW), /pay the provider 0\.0031 ETH/)
    const funded = { ...about, funding: { planId: PLAN, chainId: 10, state: "ready" as const } }
    assert.match(told(funded, NOW), /pay the provider 0\.0091 ETH/)
  })

  it("tells what is sent on apart from the gas", () => {
    const { message, ...rest } = request(0, "630000")
    const paying = { ...rest, message: { ...message, value: "10000000000000000" } }
    assert.strictEqual(
      told({ authorizations: [paying], quote: quoteOf("10468190211484134") }, NOW),
      "Somebody else pays about 0.00047 ETH of gas; you sign one request that ends on Friday. Beforehand you pay the provider 0.010468190211484134 ETH, of which 0.01 ETH is sent on."
    )
  })

  it("says who pays the price where nothing is sent on too", () => {
    const { message, ...rest } = request(0, "630000")
    assert.strictEqual(
      told(
        {
          authorizations: [{ ...rest, message: { ...message, value: "0" } }],
          quote: quoteOf("3100000000000000")
        },
        NOW
      ),
      "Somebody else pays about 0.0031 ETH of gas; you sign one request that ends on Friday. Beforehand you pay the provider 0.0031 ETH."
    )
  })

  it("says what was signed and paid once that is done", () => {
    const submission = { hash: HASH, startedAt: NOW, repeatPublicationAllowed: false } as const
    const signed = { authorizations: [request(0, "630000")], submission }
    assert.strictEqual(
      told({ ...signed, state: "submitting" }, NOW, 1_000_000_000n),
      "Somebody else pays about 0.00074 ETH of gas; you signed one request."
    )
    const funding = { planId: PLAN, chainId: 31_337, state: "confirmed" } as const
    assert.strictEqual(
      told({ ...signed, funding, quote: quoteOf("3141592653589793"), state: "completed" }, NOW),
      "Somebody else paid about 0.0031 ETH of gas; you signed one request. You paid the provider 0.003141592653589793 ETH, of which 0.000000000000000005 ETH was sent on."
    )
  })

  it("says that nobody here paid for what was executed all the same, and that what was paid is so before", () => {
    const submission = { hash: HASH, startedAt: NOW, repeatPublicationAllowed: false } as const
    const signed = { authorizations: [request(0, "630000")], submission, quote: quoteOf("3100000000000000") }
    const unpaid = "The provider asked 0.0031 ETH; no confirmed payment of it is known here."
    assert.strictEqual(
      told({ ...signed, state: "completed" }, NOW),
      `Somebody else paid about 0.0031 ETH of gas; you signed one request. ${unpaid}`
    )
    assert.strictEqual(
      told({ ...signed, state: "lapsed" }, NOW),
      `Somebody else pays about 0.0031 ETH of gas; you signed one request. ${unpaid}`
    )
    const funding = { planId: PLAN, chainId: 31_337, state: "confirmed" } as const
    assert.strictEqual(
      told({ ...signed, funding, state: "executing" }, NOW),
      "Somebody else pays about 0.0031 ETH of gas; you signed one request. You paid the provider 0.0031 ETH, of which 0.000000000000000005 ETH is sent on."
    )
  })

  it("counts the gas where no price is known, and names a far day by its date", () => {
    const later = String(Date.UTC(2026, 11, 4) / 1000)
    assert.strictEqual(
      told({ authorizations: [request(0, "630000"), request(1, "63000", later)] }, NOW),
      "Somebody else pays up to 904000 gas; you sign two requests that end on 2026-12-04."
    )
  })

  it("shows each request with what a wallet shows of it", () => {
    const [only = assert.fail("no row"), ...more] = requestRows(
      { authorizations: [request(3, "630000")] },
      NOW
    )
    assert.deepStrictEqual(more, [])
    assert.strictEqual(only.name, "step 3")
    assert.strictEqual(sentence(only.value), `by the forwarder ${ADDRESS} on chain 31337`)
    assert.deepStrictEqual(
      only.rows?.map(({ name, value }) => `${name}: ${sentence(value)}`),
      [
        `to: ${ADDRESS}`,
        "sends: 0.000000000000000005 ether (5 wei)",
        "gas limit: 630000",
        "nonce: 7",
        "ends: 2026-11-27T09:00:00Z, in 1 day and 21 hours",
        `digest: ${HASH}`
      ]
    )
  })
})
