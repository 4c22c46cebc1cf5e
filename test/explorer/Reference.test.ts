import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { BROWSER_MILLIS, type Browsing, PATIENCE, startBrowser } from "../console/support/Chromium.ts"
import { prepareGreeting } from "../service/support.ts"
import { builtPackage } from "../support/BuiltProgram.ts"
import { type RunningService, startService } from "../support/Service.ts"

let service: RunningService
let browser: Browsing

beforeAll(async () => {
  await builtPackage()
  browser = await startBrowser()
  service = await startService({ operations: [prepareGreeting] })
}, BROWSER_MILLIS)

afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

interface Reference {
  readonly page: Page
  readonly origins: Set<string>
  readonly faults: Array<string>
}

const opened = async (): Promise<Reference> => {
  const page = await browser.newPage()
  const origins = new Set<string>()
  const faults: Array<string> = []
  page.on("request", request => {
    if (!request.url().startsWith("data:")) origins.add(new URL(request.url()).origin)
  })
  page.on("pageerror", fault => faults.push(String(fault)))
  page.on("console", line => {
    if (line.type() === "error") faults.push(line.text())
  })
  await page.goto(`${service.audience}/docs/reference`)
  await page.locator(".opblock").first().waitFor()
  return { page, origins, faults }
}

describe("the reference", PATIENCE, () => {
  it("finds operations by their words, tries what is open, fits a telephone, and asks nobody but the service", async () => {
    const { page, origins, faults } = await opened()
    const search = page.getByLabel("Search the operations")
    await search.fill("cash out quote")
    await page.waitForFunction(() => document.querySelectorAll(".opblock").length < 5)
    const signed = page.locator("#operations-Operations-operation_quote_cash_out")
    await signed.locator(".opblock-summary-control").click()
    await signed.locator(".opblock-description").waitFor()
    assert.strictEqual(await signed.locator(".try-out").count(), 0)
    await search.fill("/api/v1/capabilities")
    const open = page.locator("#operations-Discovery-getCapabilities")
    await open.locator(".opblock-summary-control").click()
    await open.getByRole("button", { name: "Try it out" }).click()
    await open.getByRole("button", { name: "Execute" }).click()
    await open.locator(".live-responses-table .response-col_status", { hasText: "200" }).waitFor()
    await page.setViewportSize({ width: 390, height: 800 })
    assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    assert.deepStrictEqual([...origins], [service.audience])
    assert.deepStrictEqual(faults, [])
  })

  it("finds what a team adds by its name and by its words", async () => {
    const { page, faults } = await opened()
    const search = page.getByLabel("Search the operations")
    const added = page.locator("#operations-Operations-operation_prepare_greeting")
    for (const words of ["prepare_greeting", "prepare a greeting", "nothing there to greet"]) {
      await search.fill("cash out quote")
      await added.waitFor({ state: "detached" })
      await search.fill(words)
      await added.waitFor()
      assert.strictEqual(await page.locator(".opblock").count(), 1)
    }
    assert.deepStrictEqual(faults, [])
    await page.close()
  })

  it("has bounds of its own, and comes compressed with tags", async () => {
    const response = await fetch(`${service.url}/docs/reference`)
    const policy = response.headers.get("content-security-policy") ?? ""
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"])
      assert.include(policy.split("; "), rule)
    assert.notMatch(policy, /unsafe|https?:|\*/)
    for (const [path, type] of [
      ["/docs/reference.js", "text/javascript; charset=utf-8"],
      ["/docs/reference.css", "text/css; charset=utf-8"]
    ] as const) {
      const asset = await fetch(`${service.url}${path}`, { headers: { "accept-encoding": "br" } })
      assert.strictEqual(asset.headers.get("content-type"), type)
      assert.strictEqual(asset.headers.get("content-encoding"), "br")
      const etag = asset.headers.get("etag") ?? ""
      const headers = { "accept-encoding": "br", "if-none-match": etag }
      assert.strictEqual((await fetch(`${service.url}${path}`, { headers })).status, 304)
    }
  })
})
