import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, expect, it } from "vitest"
import { planIds } from "../../src/operations/generated/OperationIds.ts"
import { planned } from "../support/PlannedCalls.ts"
import { violations } from "./support/Axe.ts"
import { BROWSER_MILLIS } from "./support/Chromium.ts"
import { enter, type PageBench, payer, startPageBench, walletOf } from "./support/PageBench.ts"
import { agree, openPage, sees } from "./support/WalletPage.ts"

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench()
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

/** Within the console, so that the tab stays signed in. */
const turnTo = async (page: Page, path: string): Promise<void> => {
  await page.evaluate(to => {
    const link = document.createElement("a")
    link.href = to
    document.querySelector("main")?.append(link)
    link.click()
    link.remove()
  }, path)
  await page.waitForURL(url => url.pathname === path)
}

const settled = async (page: Page): Promise<void> => {
  await page.waitForLoadState("networkidle")
  await page.locator('[aria-busy="true"]').waitFor({ state: "detached" })
}

const SECTIONS = ["do", "plans", "projects", "activity", "bots", "profile"].map(name => `/console/${name}`)

it("axe finds nothing wrong with any page of the console, light, dark and on a telephone", {
  timeout: 300_000
}, async () => {
  const owner = await payer(bench)
  const { id } = await planned(bench.sandbox, owner)
  const { page } = await openPage(bench.browser, walletOf(bench, owner))
  await page.goto(`${bench.sandbox.service.audience}/console#account=${owner.accountId}`)
  await sees(page, "Stay signed in for an hour")
  const all = [...(await violations(page))]
  await enter(page)
  const forms = planIds.map(operation => `/console/do/${operation}`)
  for (const path of ["/console", ...SECTIONS, "/console/projects/31337/2", ...forms]) {
    if (path !== "/console") await turnTo(page, path)
    await settled(page)
    all.push(...(await violations(page)))
  }
  await turnTo(page, `/console/plans/${id}`)
  await agree(page, "Read the plan")
  await sees(page, "The plan is what it says")
  await settled(page)
  all.push(...(await violations(page)))
  expect(all).toEqual([])
  assert.isAbove(forms.length, 17)
})
