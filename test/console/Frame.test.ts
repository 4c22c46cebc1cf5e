import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { planned } from "../support/PlannedCalls.ts"
import { BROWSER_MILLIS, PATIENCE } from "./support/Chromium.ts"
import { type PageBench, payer, seated, startPageBench, walletOf } from "./support/PageBench.ts"
import { agree, sees } from "./support/WalletPage.ts"

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench()
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

describe("the pages of the console", PATIENCE, () => {
  it("are turned without a reload, each with its title, its heading in focus and its place in the navigation", async () => {
    const owner = await payer(bench)
    const plan = await planned(bench.sandbox, owner)
    const wallet = walletOf(bench, owner)
    const { page, fetched, faults } = await seated(bench, { owner, path: "/console", wallet })
    await sees(page, owner.accountId)
    await page.evaluate(to => {
      Reflect.set(window, "isKept", true)
      const link = document.createElement("a")
      link.href = to
      link.textContent = "the plan"
      document.querySelector("main")?.append(link)
    }, `/console/plans/${plan.id}`)
    await page.getByRole("link", { name: "the plan" }).click()
    await agree(page, "Read the plan")
    await sees(page, "The plan is what it says")
    assert.strictEqual(await page.title(), "Plan review · Signed-request service")
    assert.strictEqual(await page.locator("nav.console [aria-current=page]").textContent(), "Plans")
    await page.getByRole("link", { name: "To the content" }).focus()
    await page.keyboard.press("Enter")
    await page.waitForURL(url => url.hash === `#account=${owner.accountId}`)
    await page.goBack()
    await page.goBack()
    await sees(page, "who else may act for your account")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Console")
    assert.isTrue(await page.evaluate(() => Reflect.get(window, "isKept")))
    assert.deepStrictEqual(
      [...new Set(fetched.map(url => new URL(url).origin))],
      [bench.sandbox.service.audience]
    )
    assert.deepStrictEqual(faults, [])
  })
})
