/** What is done and seen in a tab while pictures are taken. */
import { join } from "node:path"
import type { Page } from "playwright-core"

export const OUT = join("docs", "pictures")
const TALLEST = 1_800

/** Where it is set, tests take pictures of what they see. */
export const PICTURES_VARIABLE = "SERVICE_TEST_PICTURES"

const LOOKS = [
  { look: "light", colorScheme: "light", width: 1180, height: 800 },
  { look: "dark", colorScheme: "dark", width: 1180, height: 800 },
  { look: "phone", colorScheme: "light", width: 390, height: 844 }
] as const

/** From the top, or from a heading on. */
export const picture = async (page: Page, name: string, heading?: string): Promise<void> => {
  for (const { look, colorScheme, width, height } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    const tall = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width, height: Math.max(height, Math.min(tall, TALLEST)) })
    if (heading === undefined) await page.evaluate(() => scrollTo(0, 0))
    else await page.getByRole("heading", { name: heading }).evaluate(element => element.scrollIntoView())
    await page.screenshot({ path: join(OUT, `${name}-${look}.png`) })
  }
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize({ width: 1180, height: 900 })
  console.log(name)
}

export const pictureIfWanted = async (page: Page, name: string): Promise<void> => {
  if (process.env[PICTURES_VARIABLE] !== undefined) await picture(page, name)
}

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole("button", { name }).first().click()

export const agree = async (page: Page): Promise<void> => {
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("button", { name: "Continue in the wallet" }).click()
  await dialog.waitFor({ state: "hidden" })
}

export const sees = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text).first().waitFor()

const STILL_MILLIS = 700

/** Runs in the page: until nothing in it changed for so long. */
const still = (millis: number): Promise<void> =>
  new Promise(resolve => {
    const end = () => {
      observer.disconnect()
      resolve()
    }
    let timer = setTimeout(end, millis)
    const observer = new MutationObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(end, millis)
    })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  })

/** Nothing is being read any more. */
export const settled = async (page: Page): Promise<void> => {
  await page.waitForLoadState("networkidle")
  await page.evaluate(still, STILL_MILLIS)
  await page.locator('[aria-busy="true"]').waitFor({ state: "detached" })
  await page.waitForFunction(() => document.querySelector(".status")?.textContent === "")
}

export const turn = async (page: Page, section: string): Promise<void> => {
  await page
    .getByRole("navigation", { name: "Console" })
    .getByRole("link", { name: section, exact: true })
    .click()
  await settled(page)
}

export const openForm = async (page: Page, operation: string): Promise<void> => {
  await turn(page, "Do")
  await page.getByRole("link", { name: operation, exact: true }).click()
  await settled(page)
}
