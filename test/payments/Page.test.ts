/** The page of a review in a browser with a passkey: what it shows, what it signs, where it leads, and what it does not let others do. */
import type { Page } from "playwright-core"
import { afterAll, assert, describe, it } from "vitest"
import { pictureIfWanted } from "../../scripts/pictures/Steps.ts"
import type { PaymentReview } from "../../src/payments/PaymentReview.ts"
import { violations } from "../console/support/Axe.ts"
import { startBrowser } from "../console/support/Chromium.ts"
import { builtPackage } from "../support/BuiltProgram.ts"
import { payment } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { NATIVE_TOKEN } from "../support/Sandbox.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { sendOperation, shownOperation } from "../useroperations/support/Operating.ts"
import { signedBy } from "../useroperations/support/Signed.ts"
import { cancel } from "./support/Deciding.ts"
import {
  appBot,
  operationBy,
  pilotWallet,
  reviewed,
  shownReview,
  startPilotBench
} from "./support/PilotBench.ts"
import { addPasskey } from "./support/VirtualPasskey.ts"

const MILLIS = { timeout: 180_000 }

await builtPackage()
const [bench, browser] = await Promise.all([startPilotBench(), startBrowser()])
const { service } = bench
const pilot = await pilotWallet(bench, 0)
const bot = await appBot(bench, pilot)

afterAll(async () => {
  await browser.close()
  await bench.stop()
})

const statusOf = async ({ id }: Pick<PaymentReview, "id">): Promise<PaymentReview> =>
  (await shownReview(bench, bot, id)).json()

const opened = async (memo = "thanks") => {
  const { address } = pilot.wallet
  const args = ["2", NATIVE_TOKEN, "1500000000000000", address, "0", memo, "0x"]
  const calls = [payment(bench, address, { args, value: "1500000000000000" })]
  const operation = await operationBy(bench, pilot, bot, calls)
  return { operation, review: await reviewed(bench, bot, operation.id) }
}

const pathOf = ({ id }: Pick<PaymentReview, "id">) => `/wallet/payment-reviews/${id}`

/** The app's own site is not there: what the browser is led to is kept instead. */
const openPage = async (review: Pick<PaymentReview, "id">): Promise<{ page: Page; led: Array<string> }> => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const led: Array<string> = []
  await page.route("https://app.example/**", async route => {
    led.push(route.request().url())
    await route.fulfill({ contentType: "text/html", body: "<title>back</title>" })
  })
  await page.goto(`${service.audience}${pathOf(review)}`)
  return { page, led }
}

describe("the page of a review", () => {
  it(
    "shows the payment, has the passkey sign it, and leads back to the app, which sends it",
    MILLIS,
    async () => {
      const { operation, review } = await opened()
      const { page, led } = await openPage(review)
      await addPasskey(page, pilot.passkey)
      const told = await page.locator("main").textContent()
      for (const shown of [
        "https://app.example",
        "0.0015 ETH",
        "thanks",
        pilot.wallet.address,
        review.signing.digest
      ])
        assert.include(told, shown)
      await pictureIfWanted(page, "payment-review")
      await page.getByRole("button", { name: "Approve with passkey" }).click()
      await page.waitForURL("https://app.example/**")
      const back = new URL(led[0] ?? "")
      assert.strictEqual(back.searchParams.get("state"), review.state)
      assert.strictEqual(back.searchParams.get("review"), review.id)
      await page.goto(`${service.audience}${pathOf(review)}`)
      await page.getByText(/The app sends it on before .* UTC, or it is never made/).waitFor()
      const { approval } = await statusOf(review)
      const sent = await sendOperation(service, bot, operation, approval?.signature ?? "0x")
      assert.strictEqual(sent.status, 202, await sent.clone().text())
      await until(
        async () => {
          await mine(bench, 1)
          return shownOperation(service, bot, operation)
        },
        ({ state }) => state === "confirmed"
      )
      await page.reload()
      await page.getByText("You approved this payment, and it was sent.").waitFor()
      assert.strictEqual(await page.getByRole("link", { name: "Back to https://app.example" }).count(), 1)
    }
  )

  it("cancels, and leads back", MILLIS, async () => {
    const { review } = await opened()
    const { page, led } = await openPage(review)
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.waitForURL("https://app.example/**")
    assert.strictEqual(led.length, 1)
    assert.strictEqual((await statusOf(review)).status, "cancelled")
    await page.goto(`${service.audience}${pathOf(review)}`)
    const told = (await page.locator("main").textContent()) ?? ""
    assert.include(told, "was cancelled, and nothing was approved")
    assert.notInclude(told, "the passkey signed nothing")
    await page.getByRole("link", { name: "Back to https://app.example" }).click()
    await page.waitForURL("https://app.example/**")
    assert.strictEqual(led[1], led[0])
    await page.goBack()
    await pictureIfWanted(page, "payment-review-cancelled")
    assert.strictEqual(await page.getByRole("button").count(), 0)
  })

  it(
    "tells when the passkey does not sign, for its user was not verified or it is another, and stays",
    MILLIS,
    async () => {
      const { review } = await opened()
      const { page, led } = await openPage(review)
      const authenticator = await addPasskey(page, pilot.passkey)
      await authenticator.verifiesNobody()
      await page.getByRole("button", { name: "Approve with passkey" }).click()
      await page.getByText("The passkey did not sign").waitFor({ timeout: 120_000 })
      await pictureIfWanted(page, "payment-review-unsigned")
      assert.deepStrictEqual(led, [])
      assert.strictEqual((await statusOf(review)).status, "pending")
    }
  )

  it(
    "offers no decision of what was sent by the owner's own key, and does not say to begin again",
    MILLIS,
    async () => {
      const { operation, review } = await opened()
      const envelope = await signedBy(operation.signing.digest, operation.signing, [pilot.owner.key])
      assert.strictEqual((await sendOperation(service, bot, operation, envelope)).status, 202)
      const problem = await assertProblem(await cancel(bench, review), "PAYMENT_UNSUITABLE")
      assert.deepStrictEqual(problem.context, { reason: "sent" })
      const expire = "UPDATE payment_reviews SET expires_at = unix_millis() WHERE id = $1"
      for (const over of [false, true]) {
        if (over) await sqlOn(service.databaseUrl, expire, [review.id])
        const { page } = await openPage(review)
        const told = await page.locator("main").textContent()
        assert.include(told, "This payment was sent")
        assert.notInclude(told, "go back to the app to begin again")
        assert.strictEqual(await page.getByRole("button").count(), 0)
        await pictureIfWanted(page, "payment-review-sent")
      }
    }
  )

  it("shows what others wrote as text alone", MILLIS, async () => {
    const { review } = await opened('<img src=x onerror="alert(1)">\u202e</table>&"')
    const { page } = await openPage(review)
    assert.strictEqual(await page.locator("main img").count(), 0)
    const told = await page.locator("main").textContent()
    assert.include(told, "<img src=x onerror=")
    assert.include(told, "\\u{202E}")
  })

  it("is readable by everybody", MILLIS, async () => {
    const { review } = await opened()
    const { page } = await openPage(review)
    assert.deepStrictEqual(await violations(page), [])
  })

  it("says no more of a review that is not there", MILLIS, async () => {
    const answer = await fetch(`${service.url}/wallet/payment-reviews/00000000-0000-4000-8000-000000000000`)
    assert.strictEqual(answer.status, 404)
    assert.include(await answer.text(), "There is no page here")
  })

  it("lets no other page frame it, and runs its own script alone", MILLIS, async () => {
    const { review } = await opened()
    const answer = await fetch(`${service.url}${pathOf(review)}`)
    const policy = answer.headers.get("content-security-policy") ?? ""
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "form-action 'none'"
    ])
      assert.include(policy, rule)
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    assert.isNull(answer.headers.get("access-control-allow-origin"))
    const head = await fetch(`${service.url}${pathOf(review)}`, { method: "HEAD" })
    assert.deepStrictEqual([head.status, await head.text()], [200, ""])
  })
})
