/** A person without a mouse. */
import type { Page } from "playwright-core"
import { assert } from "vitest"

const MOST_STOPS = 80

/** Runs in the page. */
const focusedName = (): string => {
  const element = document.activeElement
  const labels =
    element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.labels : null
  return element?.getAttribute("aria-label") ?? labels?.[0]?.textContent ?? element?.textContent ?? ""
}

/** By Tab to what has this name. */
export const reach = async (page: Page, name: RegExp): Promise<void> => {
  for (let count = 0; count < MOST_STOPS; count++) {
    if (name.test(await page.evaluate(focusedName))) return
    await page.keyboard.press("Tab")
  }
  assert.fail(`the keyboard does not reach ${name}`)
}

/** The same, and Enter on it. */
export const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  await reach(page, name)
  await page.keyboard.press("Enter")
}

/** By the keyboard alone. */
export const agreeByKey = async (page: Page, title: string): Promise<void> => {
  const dialog = page.getByRole("dialog", { name: title })
  await dialog.waitFor()
  const question = (await dialog.elementHandle()) ?? assert.fail(`no question: ${title}`)
  await tabTo(page, /^Continue in the wallet$/)
  await question.waitForElementState("hidden")
}

/** Runs in the page. */
const isAtRest = (): boolean => document.querySelector('[aria-busy="true"], dialog') === null

/** Once the page is at rest, something of it has the focus: a keyboard that lost it begins at the top. */
export const keepsFocus = async (page: Page, after: string): Promise<void> => {
  await page.waitForFunction(isAtRest)
  const has = () => document.activeElement !== null && document.activeElement !== document.body
  await page.waitForFunction(has, undefined, { timeout: 5_000 }).catch(() => {
    assert.fail(`the focus is lost after ${after}`)
  })
}
