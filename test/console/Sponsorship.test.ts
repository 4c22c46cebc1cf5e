import { Redacted } from "effect"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { startScriptedProvider } from "../sponsorship/support/ScriptedProvider.ts"
import { sponsoring, sponsorshipFor } from "../sponsorship/support/Sponsored.ts"
import { payment, planned } from "../support/PlannedCalls.ts"
import type { Party } from "../support/SignedFetch.ts"
import { violations } from "./support/Axe.ts"
import { BROWSER_MILLIS, PATIENCE } from "./support/Chromium.ts"
import {
  offers,
  type PageBench,
  payer,
  read,
  signedIn,
  startPageBench,
  walletOf
} from "./support/PageBench.ts"
import { agree, openPage, press, sees } from "./support/WalletPage.ts"

let bench: PageBench
let provider: Awaited<ReturnType<typeof startScriptedProvider>>

beforeAll(async () => {
  provider = await startScriptedProvider()
  const sponsorship = sponsoring({ providerUrl: Redacted.make(provider.url), requestSeconds: 169_200 })
  bench = await startPageBench({ settings: { sponsorship } })
}, BROWSER_MILLIS)

afterAll(async () => {
  await bench?.stop()
  await provider.stop()
})

const prepared = async (owner: Party): Promise<Sponsorship> =>
  sponsorshipFor(bench.sandbox.service, owner, await planned(bench.sandbox, owner))

interface Visit {
  readonly owner: Party
  readonly sponsorship: Sponsorship
  readonly change?: (sponsorship: Sponsorship) => Sponsorship
}

const visited = async ({ owner, sponsorship, change }: Visit) => {
  const wallet = walletOf(bench, owner)
  const found = await openPage(bench.browser, wallet)
  if (change !== undefined)
    await found.page.route(`**/api/v1/sponsorships/${sponsorship.id}`, async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: change(await response.json()) })
    })
  const { audience } = bench.sandbox.service
  await found.page.goto(`${audience}/console/sponsorships/${sponsorship.id}#account=${owner.accountId}`)
  await press(found.page, "Ask me each time")
  await agree(found.page, "Read the sponsorship")
  await agree(found.page, "Read the plan")
  return { ...found, wallet }
}

/** What is handed in arrives, and its answer is lost. */
const unheard = (page: Page) =>
  page.route(/\/submissions$/, async route => {
    await route.fetch()
    await route.abort()
  })

describe("the page of a sponsorship", PATIENCE, () => {
  it("leads from the plan to signed requests that the provider gets once, by the owner's own signature", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const { page, faults } = await read(bench, { owner, plan, wallet: walletOf(bench, owner) })
    await press(page, "Have somebody else pay the gas")
    await agree(page, "Prepare requests for a forwarder")
    await agree(page, "Read the sponsorship")
    await agree(page, "Read the plan")
    await sees(page, /Somebody else pays about .* ETH of gas; you sign one request that ends on \w+day\./)
    await sees(page, "The requests are what they say")
    const digest = await page.locator(".row.key code").first().textContent()
    await press(page, "Sign the requests")
    const asked = await agree(page, "Sign a request for a forwarder")
    assert.include(asked, digest ?? "no digest")
    await sees(page, "Nothing was handed in yet.")
    const before = provider.requests.length
    await press(page, "Hand them in")
    await agree(page, "Publish the requests")
    await sees(page, "The provider has the requests.")
    assert.strictEqual(provider.requests.length, before + 1)
    assert.strictEqual(await offers(page, "Sign the requests"), 0)
    assert.deepStrictEqual(faults, [])
  })

  it("asks the wallet of who stays signed in for the request and the consent alone", async () => {
    const owner = await payer(bench)
    const wallet = walletOf(bench, owner)
    const { page, faults } = await signedIn(bench, { owner, path: "/console/do/prepare_pay", wallet })
    await page.getByLabel("Project number").fill("2")
    await page.getByLabel("Amount, in ether").fill("0.000001")
    await press(page, "Prepare the plan")
    await sees(page, "The plan is what it says")
    await sees(page, "No requests were prepared for it.")
    await press(page, "Have somebody else pay the gas")
    await sees(page, "The requests are what they say")
    const before = wallet.asked.filter(method => method === "eth_signTypedData_v4").length
    await press(page, "Sign the requests")
    await agree(page, "Sign a request for a forwarder")
    await press(page, "Hand them in")
    const asked = await agree(page, "Approve the publication for the bot")
    assert.include(asked, "this tab, in which you are signed in")
    await sees(page, "The provider has the requests.")
    assert.strictEqual(wallet.asked.filter(method => method === "eth_signTypedData_v4").length, before + 2)
    assert.deepStrictEqual(faults, [])
  })

  it("hands the same in again, unasked, where who stays signed in did not hear of it", async () => {
    const owner = await payer(bench)
    const wallet = walletOf(bench, owner)
    const { page } = await signedIn(bench, { owner, path: "/console/do/prepare_pay", wallet })
    await page.getByLabel("Project number").fill("2")
    await page.getByLabel("Amount, in ether").fill("0.000001")
    await press(page, "Prepare the plan")
    await press(page, "Have somebody else pay the gas")
    await press(page, "Sign the requests")
    await agree(page, "Sign a request for a forwarder")
    await unheard(page)
    const before = provider.requests.length
    await press(page, "Hand them in")
    await agree(page, "Approve the publication for the bot")
    await sees(page, "they are published once at most")
    await page.unroute(/\/submissions$/)
    await press(page, "Hand them in")
    await sees(page, "The provider has the requests.")
    assert.strictEqual(provider.requests.length, before + 1)
  })

  it("asks again for those requests alone that were not signed before somebody cancelled", async () => {
    const owner = await payer(bench)
    const calls = [payment(bench.sandbox, owner.key.address), payment(bench.sandbox, owner.key.address)]
    const plan = await planned(bench.sandbox, owner, { calls })
    const sponsorship = await sponsorshipFor(bench.sandbox.service, owner, plan)
    const { page, wallet } = await visited({ owner, sponsorship })
    await sees(page, "The requests are what they say")
    const before = wallet.asked.filter(method => method === "eth_signTypedData_v4").length
    await press(page, "Sign the requests")
    await agree(page, "Sign a request for a forwarder")
    await page.getByRole("dialog", { name: "Sign a request for a forwarder" }).waitFor()
    await press(page, "Cancel")
    await sees(page, "You cancelled.")
    await press(page, "Sign the requests")
    await agree(page, "Sign a request for a forwarder")
    await sees(page, "Nothing was handed in yet.")
    assert.strictEqual(wallet.asked.filter(method => method === "eth_signTypedData_v4").length, before + 2)
  })

  it("asks the wallet anew where the service takes a signature for another's", async () => {
    const owner = await payer(bench)
    const { page } = await visited({ owner, sponsorship: await prepared(owner) })
    await press(page, "Sign the requests")
    await agree(page, "Sign a request for a forwarder")
    await page.route(/\/submissions$/, async route => {
      const code = "FORWARD_SIGNATURE_MISMATCH"
      const problem = { type: "about:blank", title: code, status: 422, detail: code, code }
      await route.fulfill({
        status: 422,
        contentType: "application/problem+json",
        body: JSON.stringify({ ...problem, requestId: crypto.randomUUID(), retryable: false })
      })
    })
    await press(page, "Hand them in")
    await agree(page, "Publish the requests")
    await press(page, "Sign the requests")
    await agree(page, "Sign a request for a forwarder")
    await sees(page, "Nothing was handed in yet.")
  })

  it("says that nobody knows where the answer to what was handed in is lost, and hands the same in again", async () => {
    const owner = await payer(bench)
    const { page } = await visited({ owner, sponsorship: await prepared(owner) })
    await press(page, "Sign the requests")
    await agree(page, "Sign a request for a forwarder")
    await unheard(page)
    const before = provider.requests.length
    await press(page, "Hand them in")
    await agree(page, "Publish the requests")
    await sees(page, "they are published once at most")
    assert.strictEqual(await page.getByText("Nothing was handed in yet.").count(), 0)
    await page.unroute(/\/submissions$/)
    await press(page, "Hand them in")
    await agree(page, "Publish the requests")
    await sees(page, "The provider has the requests.")
    assert.strictEqual(provider.requests.length, before + 1)
  })

  it("shows danger and offers nothing where a request is not the plan's own call", async () => {
    const owner = await payer(bench)
    const sponsorship = await prepared(owner)
    const change = (honest: Sponsorship): Sponsorship => ({
      ...honest,
      authorizations: honest.authorizations.map(each => ({
        ...each,
        message: { ...each.message, value: "2" }
      }))
    })
    const { page, wallet } = await visited({ owner, sponsorship, change })
    await sees(page, "Danger: sign and pay nothing of it")
    assert.strictEqual(await offers(page, "Sign the requests"), 0)
    assert.strictEqual(wallet.asked.filter(method => method === "eth_signTypedData_v4").length, 2)
  })

  it("says why nothing is to be done with it in the place of what its state means", async () => {
    const owner = await payer(bench)
    const sponsorship = await prepared(owner)
    const reason = "it may have been published before the service was restored from a backup"
    const change = (shown: Sponsorship) => ({ ...shown, nextAction: { kind: "none" as const, reason } })
    const { page } = await visited({ owner, sponsorship, change })
    await sees(page, "It may have been published before the service was restored from a backup.")
    assert.strictEqual(await page.getByText("Sign the requests").count(), 0)
  })

  it("has nothing that axe finds wrong", async () => {
    const owner = await payer(bench)
    const { page } = await visited({ owner, sponsorship: await prepared(owner) })
    await sees(page, "The requests are what they say")
    assert.deepStrictEqual(await violations(page), [])
  })
})
