import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { QuotedPayment } from "../../src/sponsorship/Sponsorship.ts"
import { lookAnew } from "../sponsorship/support/Quoted.ts"
import { published } from "../sponsorship/support/Signing.ts"
import { sponsorshipFor } from "../sponsorship/support/Sponsored.ts"
import { planned } from "../support/PlannedCalls.ts"
import { until } from "../support/Until.ts"
import { violations } from "./support/Axe.ts"
import { BROWSER_MILLIS, PATIENCE } from "./support/Chromium.ts"
import { agreeByKey, keepsFocus, tabTo } from "./support/Keyboard.ts"
import {
  offers,
  opening,
  type PageBench,
  payer,
  seated,
  signedIn,
  startPageBench,
  walletOf
} from "./support/PageBench.ts"
import { agree, press, sees, type Wallet } from "./support/WalletPage.ts"

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench({ sponsored: true, confirmations: 1 })
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

const answered = ({ asked }: Wallet): ReadonlyArray<string> =>
  asked.filter(method => /sign|send/i.test(method))

describe("a plan whose gas somebody else pays", PATIENCE, () => {
  it("is prepared, signed, handed in, paid for and completed, and what is proved is seen without a click", async () => {
    const owner = await payer(bench)
    const wallet = walletOf(bench, owner)
    const { page, fetched, faults } = await signedIn(bench, {
      owner,
      path: "/console/do/prepare_pay",
      wallet
    })
    await page.getByLabel("Project number").fill("2")
    await page.getByLabel("Amount, in ether").fill("0.000001")
    await press(page, "Prepare the plan")
    await sees(page, "The plan is what it says")
    wallet.asked.length = 0
    await press(page, "Have somebody else pay the gas")
    await sees(page, "The requests are what they say")
    await press(page, "Sign the requests")
    await agree(page, "Sign a request for a forwarder")
    await press(page, "Hand them in")
    await agree(page, "Approve the publication for the bot")
    await sees(page, "whose code is the pinned one")
    assert.deepStrictEqual(await violations(page), [])
    await press(page, "Prepare the payment on chain 31337")
    await agree(page, "Prepare the payment")
    await agree(page, "Read the plan")
    await sees(page, "The plan is what it says")
    await press(page, "Prepare the transaction")
    await press(page, "Sign in the wallet")
    await agree(page, "Sign the transaction")
    await press(page, "Submit")
    await agree(page, "Submit step 0")
    await sees(page, "What became of it")
    await page.getByRole("link", { name: "Back to the sponsorship" }).click()
    await sees(page, "All requests were executed, and what they were to change is proved.")
    assert.deepStrictEqual(await violations(page), [])
    assert.deepStrictEqual(
      [...new Set(fetched.map(url => new URL(url).origin))],
      [bench.sandbox.service.audience]
    )
    assert.deepStrictEqual(faults, [])
    assert.deepStrictEqual(answered(wallet), [
      ...Array.from({ length: 4 }, () => "eth_signTypedData_v4"),
      "eth_signTransaction",
      "eth_signTypedData_v4"
    ])
  })

  it("is signed, handed in, paid for and completed by the keyboard alone", async () => {
    const owner = await payer(bench)
    const wallet = walletOf(bench, owner)
    const sponsorship = await sponsorshipFor(
      bench.sandbox.service,
      owner,
      await planned(bench.sandbox, owner)
    )
    const { page, faults } = await seated(bench, {
      owner,
      path: `/console/sponsorships/${sponsorship.id}`,
      wallet
    })
    await agreeByKey(page, "Read the sponsorship")
    await agreeByKey(page, "Read the plan")
    await sees(page, "The requests are what they say")
    await tabTo(page, /^Sign the requests$/)
    await agreeByKey(page, "Sign a request for a forwarder")
    await keepsFocus(page, "signing")
    await tabTo(page, /^Hand them in$/)
    await agreeByKey(page, "Publish the requests")
    await sees(page, "The provider has the requests.")
    await keepsFocus(page, "handing in")
    await tabTo(page, /^Look again$/)
    await agreeByKey(page, "Read the sponsorship")
    await sees(page, "whose code is the pinned one")
    await tabTo(page, /^Prepare the payment on chain 31337$/)
    await agreeByKey(page, "Prepare the payment")
    await agreeByKey(page, "Read the plan")
    await sees(page, "The plan is what it says")
    await tabTo(page, /^Prepare the transaction$/)
    await tabTo(page, /^Sign in the wallet$/)
    await agreeByKey(page, "Sign the transaction")
    await tabTo(page, /^Submit$/)
    await agreeByKey(page, "Submit step 0")
    await tabTo(page, /^Back to the sponsorship$/)
    await agreeByKey(page, "Read the sponsorship")
    await agreeByKey(page, "Read the plan")
    const completed = page.getByText("All requests were executed, and what they were to change is proved.")
    while ((await completed.count()) === 0) {
      await tabTo(page, /^Look again$/)
      await agreeByKey(page, "Read the sponsorship")
      await page.getByText("Looking again…").waitFor({ state: "hidden" })
    }
    assert.deepStrictEqual(faults, [])
  })

  it("is not paid for where the price is another than the one that was proved", async () => {
    const owner = await payer(bench)
    const { service } = bench.sandbox
    const prepared = await sponsorshipFor(service, owner, await planned(bench.sandbox, owner))
    await published(service, owner, prepared)
    const path = `/console/sponsorships/${prepared.id}`
    await until(
      () => lookAnew(bench.sandbox, owner, prepared),
      ({ state }) => state === "funding_quote_available"
    )
    const wallet = walletOf(bench, owner)
    const { page } = await opening(bench, { owner, path, wallet })
    await page.route(`**/api/v1/sponsorships/${prepared.id}`, async route => {
      const response = await route.fetch()
      const { quote, ...rest } = await response.json()
      const payments = quote.payments.map((each: QuotedPayment) => ({ ...each, value: `${each.value}0` }))
      await route.fulfill({ response, json: { ...rest, quote: { ...quote, payments } } })
    })
    await press(page, "Ask me each time")
    await agree(page, "Read the sponsorship")
    await agree(page, "Read the plan")
    await sees(page, "Danger: sign and pay nothing of it")
    await sees(page, "what is asked for it is not for its requests")
    assert.strictEqual(await offers(page, "Prepare the payment on chain 31337"), 0)
    await page.unroute(`**/api/v1/sponsorships/${prepared.id}`)
    await press(page, "Look again")
    await agree(page, "Read the sponsorship")
    await page.getByRole("button", { name: "Prepare the payment on chain 31337" }).waitFor()
  })
})
