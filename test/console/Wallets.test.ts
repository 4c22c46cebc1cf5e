import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Party } from "../support/SignedFetch.ts"
import { violations } from "./support/Axe.ts"
import { BROWSER_MILLIS, PATIENCE } from "./support/Chromium.ts"
import { offers, type PageBench, payer, signedIn, walletOf } from "./support/PageBench.ts"
import { startWalletPages } from "./support/WalletBench.ts"
import { agree, openPage, press, sees } from "./support/WalletPage.ts"

let bench: PageBench

beforeAll(async () => {
  bench = await startWalletPages({ confirmations: 1 })
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

/** Of two owners, both of whom sign. */
const created = async (page: Page, other: Party): Promise<string> => {
  const owners = page.getByLabel("Owners")
  await owners.fill(`${await owners.inputValue()}${other.key.address}`)
  await page.getByLabel("How many of them sign").fill("2")
  await press(page, "Compute the wallet")
  await agree(page, "Compute a wallet")
  await agree(page, "Read the kinds of wallets")
  const sentence = (await page.getByText("You create a wallet at").textContent()) ?? ""
  assert.match(sentence, /for which all of its two owners sign\.$/)
  await press(page, "Prepare the plan that creates it")
  await sees(page, "The plan is what it says")
  await press(page, "Prepare the transaction")
  await press(page, "Sign in the wallet")
  await agree(page, "Sign the transaction")
  await press(page, "Submit")
  await agree(page, "Approve step 0 for the bot")
  await sees(page, /^Confirmed: /)
  return /0x[0-9a-fA-F]{40}/.exec(sentence)?.[0] ?? assert.fail("no address")
}

/** What the other owner sends back. */
const signedBy = async (owner: Party, link: string, question: string): Promise<string> => {
  const wallet = walletOf(bench, owner)
  const { page, fetched, faults } = await openPage(bench.browser, wallet)
  await page.goto(link)
  await sees(page, "It is what it says")
  assert.deepStrictEqual(await violations(page), [])
  await press(page, "Connect your wallet")
  await sees(page, /an owner of the wallet, as its chain says\./)
  await press(page, "Sign with your wallet")
  await agree(page, question)
  const signature = await page.getByLabel("Your signature").inputValue()
  assert.isFalse(fetched.some(url => url.includes("request=") || url.includes(signature)))
  assert.deepStrictEqual(faults, [])
  await page.close()
  return signature
}

describe("a wallet that is computed", PATIENCE, () => {
  it("is not shown where the form was changed before the answer came", async () => {
    const [owner, first, second] = [await payer(bench), await payer(bench), await payer(bench)]
    const wallet = walletOf(bench, owner)
    const { page } = await signedIn(bench, { owner, path: "/console/wallets/create", wallet })
    let goOn = () => {}
    const held = new Promise<void>(resolve => {
      goOn = resolve
    })
    await page.route(/creation-plans$/, async route => {
      await held
      await route.continue()
    })
    const owners = page.getByLabel("Owners")
    await owners.fill(`${owner.key.address}\n${first.key.address}`)
    await press(page, "Compute the wallet")
    await agree(page, "Compute a wallet")
    await owners.fill(`${owner.key.address}\n${second.key.address}`)
    goOn()
    await agree(page, "Read the kinds of wallets")
    await page.getByText("Computing the wallet…").waitFor({ state: "hidden" })
    assert.strictEqual(await page.getByText("You create a wallet at").count(), 0)
    await press(page, "Compute the wallet")
    await agree(page, "Compute a wallet")
    await agree(page, "Read the kinds of wallets")
    await sees(page, "You create a wallet at")
    assert.include(await page.locator("section.plan").textContent(), second.key.address)
  })
})

describe("a wallet of several owners", PATIENCE, () => {
  it("is created, bound by the signatures of its owners, seen as it is, and unlinked", async () => {
    const [owner, other] = [await payer(bench), await payer(bench)]
    const wallet = walletOf(bench, owner)
    const { page, faults } = await signedIn(bench, { owner, path: "/console/wallets/create", wallet })
    const address = await created(page, other)
    await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Wallets" }).click()
    await sees(page, "No wallet is bound to the account.")
    assert.deepStrictEqual(await violations(page), [])
    await page.getByRole("link", { name: "Bind it" }).click()
    await press(page, "Inspect the wallet")
    await agree(page, "Inspect a wallet")
    await sees(page, "The wallet is as it is shown")
    await press(page, "Sign with your wallet")
    assert.include(await agree(page, "Bind a wallet to an account"), address)
    await sees(page, "1 of 2 signatures")
    assert.deepStrictEqual(await violations(page), [])
    const link = await page.getByLabel("Link for another owner").inputValue()
    const signature = await signedBy(other, link, "Bind a wallet to an account")
    await page.getByLabel("Signatures that other owners sent").fill(`${signature} 0x${"12".repeat(65)}`)
    await press(page, "Add them")
    await sees(page, "2 of 2 signatures")
    await press(page, "Bind the wallet")
    await agree(page, "Bind the wallet")
    await sees(page, "The wallet is as its owners signed for it")
    assert.deepStrictEqual(await violations(page), [])
    await press(page, "Unlink it…")
    assert.deepStrictEqual(await violations(page), [])
    await press(page, "Unlink it for good")
    await agree(page, "Unlink the wallet")
    await sees(page, "Unlinked.")
    assert.strictEqual(await offers(page, "Unlink it…"), 0)
    assert.deepStrictEqual(faults, [])
  })
})
