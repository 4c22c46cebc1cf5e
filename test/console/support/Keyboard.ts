/** A person without a mouse. */
import type { Page } from "playwright-core"
import { assert } from "vitest"

const MOST_STOPS = 80

/** By Tab to what has this name, and Enter on it. */
export const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  for (let count = 0; count < MOST_STOPS; count++) {
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute("aria-label") ?? element?.textContent ?? ""
    })
    if (name.test(focused)) return page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
  }
  assert.fail(`the keyboard does not reach ${name}`)
}
