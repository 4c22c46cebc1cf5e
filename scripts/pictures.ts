/** `npm run pictures` walks the console on a fresh local chain and keeps a picture of each page in docs/pictures: light, dark and on a telephone. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Page } from "playwright-core"
import { developmentAccount } from "../sandbox/DevelopmentAccounts.ts"
import { openTab, startChromium } from "./pictures/Tab.ts"

const OUT = join("docs", "pictures")
const PORT = 18_987
const TALLEST = 1_800

const LOOKS = [
  { look: "light", colorScheme: "light", width: 1180, height: 800 },
  { look: "dark", colorScheme: "dark", width: 1180, height: 800 },
  { look: "phone", colorScheme: "light", width: 390, height: 844 }
] as const

/** From the top, or from a heading on. */
const picture = async (page: Page, name: string, heading?: string): Promise<void> => {
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

const started = async (directory: string): Promise<{ child: ChildProcess; rpcUrl: string }> => {
  const env = {
    ...process.env,
    SERVICE_DATA_DIR: directory,
    SERVICE_PORT: String(PORT),
    SERVICE_OPS_PORT: String(PORT + 1)
  }
  const child = spawn(process.execPath, ["dist/main.js"], { env, stdio: ["ignore", "pipe", "inherit"] })
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes('"event":"ready"')) return { child, rpcUrl: JSON.parse(line).rpc }
  throw new Error("the service ended before it was ready")
}

const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole("button", { name }).first().click()

const agree = async (page: Page): Promise<void> => {
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("button", { name: "Continue in the wallet" }).click()
  await dialog.waitFor({ state: "hidden" })
}

const sees = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor()

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
const settled = async (page: Page): Promise<void> => {
  await page.waitForLoadState("networkidle")
  await page.evaluate(still, STILL_MILLIS)
  await page.locator('[aria-busy="true"]').waitFor({ state: "detached" })
  await page.waitForFunction(() => document.querySelector(".status")?.textContent === "")
}

const turn = async (page: Page, section: string): Promise<void> => {
  await page
    .getByRole("navigation", { name: "Console" })
    .getByRole("link", { name: section, exact: true })
    .click()
  await settled(page)
}

const openForm = async (page: Page, operation: string): Promise<void> => {
  await turn(page, "Do")
  await page.getByRole("link", { name: operation, exact: true }).click()
  await settled(page)
}

const filled = async (page: Page, ether: string): Promise<void> => {
  await openForm(page, "Pay a project")
  await page.locator("#at-project-projectId").fill("2")
  await page.locator("#at-amount").fill(ether)
}

const preparePlan = async (page: Page): Promise<void> => {
  await press(page, "Prepare the plan")
  await sees(page, "The plan is what it says")
  await settled(page)
}

const send = async (page: Page): Promise<void> => {
  await press(page, "Send with the wallet")
  await agree(page)
}

/** By a wallet that only sends, up to its effects. */
const pay = async (page: Page): Promise<void> => {
  await filled(page, "0.02")
  await press(page, "Preview")
  await settled(page)
  await picture(page, "pay")
  await preparePlan(page)
  await picture(page, "plan")
  await press(page, "Prepare the transaction")
  await press(page, "Sign in the wallet")
  await agree(page)
  await send(page)
  await sees(page, "Effects ")
  await settled(page)
  await picture(page, "plan-done")
}

/** By requests that the wallet signs, and a payment that it sends. */
const sponsor = async (page: Page): Promise<void> => {
  await filled(page, "0.01")
  await preparePlan(page)
  await press(page, "Have somebody else pay the gas")
  await sees(page, "The requests are what they say")
  await settled(page)
  await picture(page, "sponsorship")
  await press(page, "Sign the requests")
  await agree(page)
  await press(page, "Hand them in")
  await agree(page)
  await sees(page, "whose code is the pinned one")
  await settled(page)
  await picture(page, "sponsorship-pay")
  await press(page, /^Prepare the payment/)
  await agree(page)
  await agree(page)
  await sees(page, "The plan is what it says")
  await settled(page)
  await press(page, "Prepare the transaction")
  await send(page)
  await agree(page)
  await page.getByRole("link", { name: "Back to the sponsorship" }).click()
  await sees(page, "All requests were executed, and what they were to change is proved.")
  await settled(page)
  await picture(page, "sponsorship-done")
}

const walk = async (page: Page, account: string): Promise<void> => {
  const origin = `http://localhost:${PORT}`
  await page.goto(`${origin}/console#account=${account}`)
  await sees(page, "Stay signed in for an hour")
  await picture(page, "connect")
  await press(page, "Stay signed in for an hour")
  await agree(page)
  await press(page, "Enroll the account")
  await agree(page)
  await page.getByRole("dialog", { name: "Grant a key rights on the account" }).waitFor()
  await picture(page, "grant")
  await agree(page)
  await sees(page, /^Signed in until/)
  await settled(page)
  await picture(page, "home")
  await turn(page, "Do")
  await picture(page, "do")
  await openForm(page, "Launch a project")
  await picture(page, "launch")
  await pay(page)
  await sponsor(page)
  for (const section of ["Plans", "Projects", "Activity", "Profile"]) {
    await turn(page, section)
    await picture(page, section.toLowerCase())
  }
  await turn(page, "Projects")
  await page.getByRole("link", { name: /^Project 2 on/ }).click()
  await sees(page, "Minted tokens")
  await settled(page)
  await picture(page, "project")
  await picture(page, "over-time", "Over time")
  await turn(page, "Bots")
  await press(page, "List the bots")
  await agree(page)
  await settled(page)
  await picture(page, "bots")
}

const main = async (): Promise<void> => {
  await mkdir(OUT, { recursive: true })
  const directory = await mkdtemp(join(tmpdir(), "service-pictures-"))
  const key = developmentAccount(0)
  const { child, rpcUrl } = await started(directory)
  const browser = await startChromium()
  try {
    await walk(await openTab(browser, { key, rpcUrl }), `eip155:31337:${key.address.toLowerCase()}`)
  } finally {
    await browser.close()
    child.kill("SIGTERM")
    await new Promise(resolve => child.once("exit", resolve))
    await rm(directory, { recursive: true, force: true })
  }
}

await main()
