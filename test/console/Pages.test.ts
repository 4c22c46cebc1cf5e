import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { newBot, newKey } from "../support/Bots.ts"
import { planned } from "../support/PlannedCalls.ts"
import { type Party, signedFetch } from "../support/SignedFetch.ts"
import { BROWSER_MILLIS, PATIENCE } from "./support/Chromium.ts"
import { tabTo } from "./support/Keyboard.ts"
import { type PageBench, payer, seated, signedIn, startPageBench, walletOf } from "./support/PageBench.ts"
import { agree, copiedBy, press, sees } from "./support/WalletPage.ts"

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench()
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

const turnTo = (page: Page, name: string): Promise<void> =>
  page.getByRole("navigation", { name: "Console" }).getByRole("link", { name }).click()

const ask = async (owner: Party, path: string) =>
  (await signedFetch(bench.sandbox.service, owner, "GET", `/api/v1${path}`)).json()

describe("the page of bots", PATIENCE, () => {
  it("lists them in words and revokes one in one click and one signature", async () => {
    const owner = await payer(bench)
    const label = "<b>night\u202e</b>"
    const bot = await newBot(bench.sandbox.service, owner, { scopes: ["read", "plan"], label })
    const { page, faults } = await seated(bench, {
      owner,
      path: "/console/bots",
      wallet: walletOf(bench, owner)
    })
    await press(page, "List the bots")
    await agree(page, "List the bots")
    await sees(page, "may read the account's data and prepare plans; ends in")
    assert.include((await page.locator(".item .foreign").textContent()) ?? "", "<b>night\\u{202E}</b>")
    await page.getByRole("button", { name: `Revoke ${bot.grantId}` }).click()
    assert.include(await agree(page, "Revoke a grant"), String(bot.grantId))
    await sees(page, "1 that ended")
    await sees(page, "No bot has rights on the account now.")
    assert.strictEqual((await ask(owner, "/accounts/me/bots")).bots[0].state, "revoked")
    assert.deepStrictEqual(faults, [])
  })

  it("grants one whose key is elsewhere by the proof that is pasted, and tells a wrong one", async () => {
    const owner = await payer(bench)
    const key = newKey()
    const { page } = await signedIn(bench, { owner, path: "/console/bots", wallet: walletOf(bench, owner) })
    const grant = async (by: typeof key) => {
      await page.getByLabel("The bot's address").fill(key.address)
      await press(page, "Make the terms")
      const terms = await copiedBy(page, "Copy the terms")
      assert.strictEqual(terms, await page.getByLabel("Terms (EIP-712)").inputValue())
      const { domain, types, primaryType, message } = JSON.parse(terms)
      const { EIP712Domain: _, ...members } = types
      await page
        .getByLabel("The bot's proof")
        .fill(await by.signTypedData({ domain, types: members, primaryType, message }))
      await press(page, "Grant it with the wallet")
      return agree(page, "Grant a key rights on the account")
    }
    await page.getByLabel("The bot's address").fill("0x12")
    await press(page, "Make the terms")
    await sees(page, "0x and 40 hexadecimal digits.")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.id), "address")
    await grant(newKey())
    await sees(page, "The service refused: INVALID_BOT_PROOF")
    assert.include(await grant(key), key.address)
    await sees(page, "Granted. Have the bot keep its grant:")
    const { bots } = await ask(owner, "/accounts/me/bots")
    const made = bots.find(({ botAddress }: { botAddress: string }) => botAddress === key.address)
    assert.deepStrictEqual(made.scopes, ["read"])
    await sees(page, `service bot key --out bot.json --grant ${made.id}`)
    await page.getByRole("button", { name: "List the bots", exact: true }).waitFor()
    await page.getByLabel("The bot's address").fill(key.address)
    await page.getByLabel("Label").fill("é".repeat(61))
    await press(page, "Make the terms")
    await sees(page, "At most 120 bytes of UTF-8; it has 122.")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.id), "label")
  })
})

describe("the page of the profile", PATIENCE, () => {
  it("shows it, replaces all of it, and keeps what is typed where it is refused", async () => {
    const owner = await payer(bench)
    const { page } = await signedIn(bench, { owner, path: "/console", wallet: walletOf(bench, owner) })
    await turnTo(page, "Profile")
    await page.getByLabel("Name").fill("Ada")
    await page.getByLabel("Address of a picture").fill("http://x")
    await press(page, "Replace the profile")
    await sees(page, "An https:// or ipfs:// address without user information, or nothing.")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.id), "avatar")
    await page.getByLabel("Address of a picture").fill("ipfs://cat")
    await press(page, "Replace the profile")
    await agree(page, "Replace the profile")
    await sees(page, "Replaced.")
    const { account } = await ask(owner, "/accounts/me")
    assert.deepStrictEqual(account.profile, { displayName: "Ada", bio: "", avatarUri: "ipfs://cat" })
    await page.route("**/api/v1/accounts/me", async route => {
      await page.getByLabel("Name").fill("Ada Lovelace")
      await route.continue()
    })
    await press(page, "Replace the profile")
    await agree(page, "Replace the profile")
    await page.getByRole("button", { name: "Replace the profile", disabled: false }).waitFor()
    assert.strictEqual(await page.getByLabel("Name").inputValue(), "Ada Lovelace")
    assert.strictEqual(await page.getByText("Replaced.").count(), 0)
  })
})

describe("the page of plans", PATIENCE, () => {
  it("says of each what it does and what it waits for, and goes on by its cursor", async () => {
    const owner = await payer(bench)
    for (let count = 0; count < 21; count++) await planned(bench.sandbox, owner)
    const newest = await planned(bench.sandbox, owner)
    const { page } = await signedIn(bench, { owner, path: "/console/plans", wallet: walletOf(bench, owner) })
    await sees(page, "There are none yet.")
    await press(page, "Read all plans of the account")
    await agree(page, "List the plans")
    await sees(page, "You pay 0.000000000000001 ETH to project 2")
    await sees(page, "Waits for you to sign step 0.")
    assert.strictEqual(await page.locator(".item").count(), 20)
    assert.include((await page.locator(".item a").first().getAttribute("href")) ?? "", newest.id)
    await press(page, "More")
    await agree(page, "List the plans")
    await page.locator(".item").nth(21).waitFor()
    assert.strictEqual(await page.locator(".item").count(), 22)
  })
})

describe("every page of the frame", PATIENCE, () => {
  it("is used by the keyboard alone, up to a bot's revocation", async () => {
    const owner = await payer(bench)
    await newBot(bench.sandbox.service, owner, { label: "night" })
    const { page } = await seated(bench, { owner, path: "/console", wallet: walletOf(bench, owner) })
    await sees(page, "What you can do")
    await tabTo(page, /^Bots$/)
    await page.getByRole("heading", { name: "Bots", level: 1 }).waitFor()
    await tabTo(page, /^List the bots$/)
    await page.getByRole("dialog", { name: "List the bots" }).waitFor()
    await tabTo(page, /^Continue in the wallet$/)
    await sees(page, "night")
    await tabTo(page, /^Revoke /)
    await page.getByRole("dialog", { name: "Revoke a grant" }).waitFor()
    await tabTo(page, /^Continue in the wallet$/)
    await sees(page, "1 that ended")
  })

  it("fits a telephone without scrolling sideways, and asks its own origin alone", async () => {
    const owner = await payer(bench)
    await planned(bench.sandbox, owner)
    const { page, fetched, faults } = await signedIn(bench, {
      owner,
      path: "/console",
      wallet: walletOf(bench, owner)
    })
    await page.setViewportSize({ width: 390, height: 800 })
    const fits = async () =>
      assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), 390, page.url())
    await sees(page, "What you can do")
    await fits()
    await turnTo(page, "Bots")
    await press(page, "List the bots")
    await agree(page, "List the bots")
    await sees(page, "This is the tab that you are in.")
    await fits()
    await turnTo(page, "Profile")
    await sees(page, "What the owner says about the account")
    await fits()
    await turnTo(page, "Plans")
    await press(page, "Read all plans of the account")
    await agree(page, "List the plans")
    await sees(page, "Waits for you to sign step 0.")
    await fits()
    const origins = new Set(fetched.map(url => new URL(url).origin))
    assert.deepStrictEqual([...origins], [bench.sandbox.service.audience])
    assert.deepStrictEqual(faults, [])
  })
})
