/** What a page offered before the wallet was asked to send, or before a step left from elsewhere, is not done after it. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { sponsorshipFor } from "../sponsorship/support/Sponsored.ts"
import { callOf, payment, planned } from "../support/PlannedCalls.ts"
import { mine } from "../support/RelayBench.ts"
import { signCall } from "../support/SignedCalls.ts"
import { refreshed, submitted } from "../support/Submissions.ts"
import { BROWSER_MILLIS, PATIENCE } from "./support/Chromium.ts"
import { send } from "./support/OwnPlan.ts"
import {
  offers,
  type PageBench,
  payer,
  read,
  seated,
  signedIn,
  startPageBench,
  walletOf
} from "./support/PageBench.ts"
import type { Sending } from "./support/Sendings.ts"
import { agree, besides, press, sees, type Wallet } from "./support/WalletPage.ts"

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench({ sponsored: true, confirmations: 1 })
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

/** Of a transaction that no node has. */
const told: Sending = async () => `0x${"ab".repeat(32)}`

const signatures = ({ asked }: Wallet): number =>
  asked.filter(method => method === "eth_signTypedData_v4").length

const ANEW = "Prepare the same calls anew"
const WAS_ASKED = "The wallet was asked to send a step of this plan"

describe("the requests of a plan of which the wallet was asked to send a step", PATIENCE, () => {
  it("are not offered to be signed", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const { id } = await sponsorshipFor(bench.sandbox.service, owner, plan)
    const wallet = walletOf(bench, owner, { signsTransactions: false, send: told })
    const { page } = await read(bench, { owner, plan, wallet })
    await send(page)
    await agree(page, "Read the plan")
    await sees(page, "The wallet sent this step's transaction")
    await page.goto(new URL(`/console/sponsorships/${id}#account=${owner.accountId}`, page.url()).href)
    await press(page, "Ask me each time")
    await agree(page, "Read the sponsorship")
    await agree(page, "Read the plan")
    await sees(page, `${WAS_ASKED}: look there first.`)
    assert.strictEqual(await offers(page, "Sign the requests"), 0)
  })

  it("are not signed, handed in or prepared by the buttons of pages that were open before", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const { id } = await sponsorshipFor(bench.sandbox.service, owner, plan)
    const wallet = walletOf(bench, owner, { signsTransactions: false, send: told })
    const { page } = await seated(bench, { owner, path: `/console/sponsorships/${id}`, wallet })
    const unsigned = await besides(page, wallet)
    await press(unsigned, "Ask me each time")
    for (const each of [page, unsigned]) {
      await agree(each, "Read the sponsorship")
      await agree(each, "Read the plan")
    }
    await press(page, "Sign the requests")
    await agree(page, "Sign a request for a forwarder")
    await page.getByRole("button", { name: "Hand them in" }).waitFor()
    const before = await besides(page, wallet)
    await before.goto(new URL(`/console/plans/${plan.id}#account=${owner.accountId}`, page.url()).href)
    const sending = await besides(before, wallet)
    for (const each of [before, sending]) {
      await press(each, "Ask me each time")
      await agree(each, "Read the plan")
      await each.getByRole("button", { name: "Have somebody else pay the gas" }).waitFor()
    }
    await send(sending)
    await agree(sending, "Read the plan")
    await sees(sending, "The wallet sent this step's transaction")
    const signed = signatures(wallet)
    await press(page, "Hand them in")
    await press(unsigned, "Sign the requests")
    await press(before, "Have somebody else pay the gas")
    for (const each of [page, unsigned, before]) await sees(each, WAS_ASKED)
    assert.strictEqual(signatures(wallet), signed)
  })
})

describe("a plan that is to be prepared anew from a page that was open before", PATIENCE, () => {
  it("is not where the wallet sent a step of it meanwhile", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const wallet = walletOf(bench, owner, { signsTransactions: false })
    const { page } = await signedIn(bench, { owner, path: `/console/plans/${plan.id}`, wallet })
    await agree(page, "Read the plan")
    await send(page)
    await agree(page, "Read the plan")
    await page.getByRole("dialog", { name: "Submit step 0" }).waitFor()
    await press(page, "Cancel")
    await press(page, ANEW)
    await sees(page, WAS_ASKED)
    assert.include(page.url(), plan.id)
  })

  it("is not where a step of it left from elsewhere meanwhile", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const wallet = walletOf(bench, owner)
    const { page } = await signedIn(bench, { owner, path: `/console/plans/${plan.id}`, wallet })
    await agree(page, "Read the plan")
    await page.getByRole("button", { name: ANEW }).waitFor()
    const raw = await signCall(bench.sandbox, owner, callOf(plan))
    await submitted(bench.sandbox.service, owner, plan, { rawSignedTransaction: raw })
    await press(page, ANEW)
    await agree(page, "Read the plan")
    await sees(page, "The step is not as the page showed it")
    await sees(page, "The step has its transaction, and takes no other.")
    assert.include(page.url(), plan.id)
    assert.strictEqual(await offers(page, ANEW), 0)
  })
})

describe("a wallet that is gone once the requests were handed in", PATIENCE, () => {
  it("has nobody told that they were not", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const { id } = await sponsorshipFor(bench.sandbox.service, owner, plan)
    const wallet = walletOf(bench, owner)
    const { page } = await seated(bench, { owner, path: `/console/sponsorships/${id}`, wallet })
    await agree(page, "Read the sponsorship")
    await agree(page, "Read the plan")
    await press(page, "Sign the requests")
    await agree(page, "Sign a request for a forwarder")
    await page.route(/\/submissions$/, async route => {
      const response = await route.fetch()
      await page.evaluate(() => {
        const gone = () => Promise.reject(Object.assign(new Error("disconnected"), { code: 4900 }))
        Reflect.set(Reflect.get(window, "ethereum"), "request", gone)
      })
      await route.fulfill({ response })
    })
    await press(page, "Hand them in")
    await agree(page, "Publish the requests")
    await sees(page, "The provider has the requests.")
    assert.strictEqual(await page.getByText("Nothing was handed in yet").count(), 0)
  })

  it("leaves the answer said to be unread where it cannot be checked, and not the requests to be handed in", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const { id } = await sponsorshipFor(bench.sandbox.service, owner, plan)
    const { page } = await seated(bench, {
      owner,
      path: `/console/sponsorships/${id}`,
      wallet: walletOf(bench, owner)
    })
    await agree(page, "Read the sponsorship")
    await agree(page, "Read the plan")
    await press(page, "Sign the requests")
    await agree(page, "Sign a request for a forwarder")
    await page.route(/\/submissions$/, async route => {
      const response = await route.fetch()
      const { sponsorship } = await response.json()
      await route.fulfill({ response, json: { sponsorship: { ...sponsorship, authorizations: undefined } } })
    })
    await press(page, "Hand them in")
    await agree(page, "Publish the requests")
    await sees(page, "The requests were handed in")
    assert.strictEqual(await page.getByText("Nothing was handed in yet").count(), 0)
    assert.strictEqual(await offers(page, "Hand them in"), 0)
  })
})

describe("a wallet that is to send from a page that was open before", PATIENCE, () => {
  const OVER: ReadonlyArray<readonly [string, Partial<Plan>]> = [
    ["the plan expired", { status: "expired" }],
    ["the service was restored from a backup", { restoredAt: 1 }]
  ]
  for (const [what, over] of OVER)
    it(`is asked for nothing where ${what} meanwhile`, async () => {
      const owner = await payer(bench)
      const plan = await planned(bench.sandbox, owner)
      const wallet = walletOf(bench, owner, { signsTransactions: false })
      let isLater = false
      const change = (honest: Plan) => (isLater ? { ...honest, ...over } : honest)
      const { page } = await read(bench, { owner, plan, wallet, change })
      await page.getByRole("button", { name: "Prepare the transaction" }).waitFor()
      isLater = true
      await send(page)
      await agree(page, "Read the plan")
      await sees(page, "The step is not as the page showed it")
      assert.notInclude(wallet.asked, "eth_sendTransaction")
    })

  it("has the chain asked anew whether what the step depends on is there still", async () => {
    const owner = await payer(bench)
    const call = payment(bench.sandbox, owner.key.address)
    const plan = await planned(bench.sandbox, owner, { calls: [call, { ...call, dependsOn: [0] }] })
    const raw = await signCall(bench.sandbox, owner, callOf(plan))
    await submitted(bench.sandbox.service, owner, plan, { rawSignedTransaction: raw })
    await mine(bench.sandbox)
    await refreshed(bench.sandbox.service, owner, plan)
    const wallet = walletOf(bench, owner, { signsTransactions: false })
    const { page } = await read(bench, { owner, plan, wallet })
    await send(page)
    await agree(page, "Look at the chain again")
    await sees(page, "Sent by the wallet, and exactly the planned call")
  })
})
