import type { Page, Route } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { BROWSER_MILLIS, PATIENCE } from "../support/Chromium.ts"
import { type PageBench, payer, signedIn, startPageBench, walletOf } from "../support/PageBench.ts"
import { press, sees } from "../support/WalletPage.ts"
import { fill, focuses, valueAt } from "./support/FormPage.ts"

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench()
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

const TERMINAL = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"

const entered = async (path: string): Promise<Page> => {
  const owner = await payer(bench)
  return (await signedIn(bench, { owner, path, wallet: walletOf(bench, owner) })).page
}

/** Answers nothing until it is released. */
const holding = async (page: Page, url: string, answer: (route: Route) => Promise<void>) => {
  const held = new AbortController()
  const { signal } = held
  await page.route(url, async route => {
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener("abort", resolve))
    await answer(route)
  })
  return () => held.abort()
}

describe("an answer that comes late", PATIENCE, () => {
  it("of a form that was left turns nobody away from another page", async () => {
    const page = await entered("/console/do/prepare_pay")
    const plans = "**/api/v1/operations/prepare_pay/plans"
    const release = await holding(page, plans, route => route.continue())
    await fill(page, { "project-projectId": "2", amount: "0.5" })
    const answered = page.waitForResponse(plans)
    await press(page, "Prepare the plan")
    await page.getByRole("link", { name: "Bots", exact: true }).click()
    await page.getByLabel("Label").fill("half typed")
    release()
    await (await answered).finished()
    await press(page, "Make the terms")
    await sees(page, "0x and 40 hexadecimal digits.")
    assert.strictEqual(await page.getByLabel("Label").inputValue(), "half typed")
  })

  it("takes no terminal of a chain that was left meanwhile", async () => {
    const page = await entered("/console/do/prepare_launch?chainId=10")
    const release = await holding(page, "**/api/v1/protocol/resolve?**", route =>
      route.fulfill({ json: { address: TERMINAL } })
    )
    const terminal = page.getByRole("button", { name: "The chain's multi terminal, for Terminal" })
    await terminal.click()
    await page.locator("#at-chainId").selectOption("31337")
    release()
    await page.getByRole("button", { name: "Prepare the plan", disabled: false }).waitFor()
    assert.strictEqual(await valueAt(page, "terminalConfigurations-0-terminal"), "")
    await terminal.click()
    await vi.waitUntil(async () => (await valueAt(page, "terminalConfigurations-0-terminal")) === TERMINAL)
  })
})

describe("what is pressed", PATIENCE, () => {
  it("leaves the person where they were", async () => {
    const page = await entered("/console/do/prepare_pay")
    await fill(page, { "project-projectId": "2", amount: "1", beneficiary: "" })
    await page.getByRole("button", { name: "My wallet, for Beneficiary" }).press("Enter")
    await focuses(page, "at-beneficiary")
    await page.getByRole("button", { name: "Preview" }).press("Enter")
    await sees(page, /brings now/)
    await page.waitForFunction(() => document.activeElement?.textContent === "Preview")
  })
})
