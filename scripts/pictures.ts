/** `npm run pictures` walks the console on a fresh local chain, has the tests of a payment's page open that, and keeps a picture of each page in docs/pictures: light, dark and on a telephone. With `-- payments` of that page alone. */
import { type ChildProcess, spawn } from "node:child_process"
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Browser, Page } from "playwright-core"
import { developmentAccount } from "../sandbox/DevelopmentAccounts.ts"
import { sessions } from "./pictures/Sessions.ts"
import {
  agree,
  OUT,
  openForm,
  PICTURES_VARIABLE,
  picture,
  press,
  sees,
  settled,
  turn
} from "./pictures/Steps.ts"
import { askChain, openTab, startChromium } from "./pictures/Tab.ts"
import { signElsewhere, wallets } from "./pictures/Wallets.ts"

const PORT = 18_987
const ORIGIN = `http://localhost:${PORT}`
const ONE_ETHER = "0xde0b6b3a7640000"

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

/** Of an owner whom the service does not know yet. */
const signIn = async (page: Page, account: string): Promise<void> => {
  await page.goto(`${ORIGIN}/console#account=${account}`)
  await sees(page, "Stay signed in for an hour")
  await picture(page, "connect")
  await press(page, "Stay signed in for an hour")
  await page.getByRole("dialog", { name: "Make the key of this tab" }).waitFor()
  await picture(page, "key")
  await agree(page)
  await agree(page)
  await press(page, "Enroll the account")
  await agree(page)
  await page.getByRole("dialog", { name: "Grant a key rights on the account" }).waitFor()
  await picture(page, "grant")
  await agree(page)
  await sees(page, /^Signed in until/)
  await settled(page)
  await picture(page, "home")
}

const look = async (page: Page): Promise<void> => {
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

const walk = async (browser: Browser, rpcUrl: string): Promise<void> => {
  const [key, other] = [developmentAccount(0), developmentAccount(1)]
  const page = await openTab(browser, { key, rpcUrl })
  await signIn(page, `eip155:31337:${key.address.toLowerCase()}`)
  await turn(page, "Do")
  await picture(page, "do")
  await openForm(page, "Launch a project")
  await picture(page, "launch")
  await pay(page)
  await sponsor(page)
  await look(page)
  const openOther = () => openTab(browser, { key: other, rpcUrl })
  await wallets({
    page,
    other: other.address,
    openOther,
    fund: async address => {
      await askChain(rpcUrl, "anvil_setBalance", [address, ONE_ETHER])
    }
  })
  await sessions({
    page,
    bot: developmentAccount(2),
    signElsewhere: () => signElsewhere({ page, openOther })
  })
}

const walkOnSandbox = async (): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), "service-pictures-"))
  // So that the database's own user can enter it, and nothing is left elsewhere.
  await chmod(directory, 0o755)
  const { child, rpcUrl } = await started(directory)
  const browser = await startChromium()
  try {
    await walk(browser, rpcUrl)
  } finally {
    await browser.close()
    child.kill("SIGTERM")
    await new Promise(resolve => child.once("exit", resolve))
    await rm(directory, { recursive: true, force: true })
  }
}

/** Its wallets, its passkey and its chain are those of its tests. */
const payments = async (): Promise<void> => {
  const args = [join("node_modules", "vitest", "vitest.mjs"), "run", join("test", "payments", "Page.test.ts")]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, [PICTURES_VARIABLE]: "taken" },
    stdio: "inherit"
  })
  const code = await new Promise(resolve => child.once("exit", resolve))
  if (code !== 0) throw new Error("the page of a payment failed its tests")
}

await mkdir(OUT, { recursive: true })
await payments()
if (!process.argv.includes("payments")) await walkOnSandbox()
