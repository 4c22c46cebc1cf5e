import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Party } from "../support/SignedFetch.ts"
import {
  boundWallet,
  type OperatingBench,
  partyOf,
  preparedOperation,
  startOperatingBench,
  walletPlan
} from "../useroperations/support/Operating.ts"
import { violations } from "./support/Axe.ts"
import { BROWSER_MILLIS, type Browsing, PATIENCE, startBrowser } from "./support/Chromium.ts"
import { agreeByKey, keepsFocus, reach, tabTo } from "./support/Keyboard.ts"
import { newWallet, openPage, sees, type Wallet } from "./support/WalletPage.ts"

let bench: OperatingBench
let browser: Browsing

beforeAll(async () => {
  browser = await startBrowser()
  bench = await startOperatingBench()
}, BROWSER_MILLIS)

afterAll(async () => {
  await browser?.close()
  await bench?.stop()
})

const opened = async (wallet: Wallet, path: string): Promise<Page> => {
  const { page } = await openPage(browser, wallet)
  await page.goto(`${bench.service.audience}${path}`)
  return page
}

const entered = async (owner: Party, path: string): Promise<Page> => {
  const page = await opened(newWallet(owner.key, bench.chain.url), `${path}#account=${owner.accountId}`)
  await tabTo(page, /^Stay signed in for an hour$/)
  await agreeByKey(page, "Make the key of this tab")
  await agreeByKey(page, "Grant a key rights on the account")
  await sees(page, /^Signed in until/)
  return page
}

/** At the page that another owner's link opens. */
const signedElsewhere = async (owner: Party, link: string): Promise<string> => {
  const page = await opened(newWallet(owner.key, bench.chain.url), link.slice(new URL(link).origin.length))
  await sees(page, "It is what it says")
  await tabTo(page, /^Connect your wallet$/)
  await sees(page, /an owner of the wallet, as its chain says\./)
  await keepsFocus(page, "connecting")
  await tabTo(page, /^Sign with your wallet$/)
  await agreeByKey(page, "Sign for the wallet")
  await sees(page, "Signed: send it back to the owner who asked")
  await keepsFocus(page, "signing")
  await tabTo(page, /^Copy the signature$/)
  await keepsFocus(page, "copying")
  assert.deepStrictEqual(await violations(page), [])
  const signature = await page.getByLabel("Your signature").inputValue()
  await page.close()
  return signature
}

describe("a person without a mouse", PATIENCE, () => {
  it("reads the wallets, one of them, and thinks better of unlinking it", async () => {
    const { owner, wallet } = await boundWallet(bench)
    const page = await entered(owner, "/console/wallets")
    await tabTo(page, /^Read (?:your wallets|them again)$/)
    await sees(page, wallet.address)
    await keepsFocus(page, "reading the wallets")
    await tabTo(page, new RegExp(wallet.address, "i"))
    await sees(page, "The wallet is as its owners signed for it")
    await keepsFocus(page, "reading the wallet")
    await tabTo(page, /^Unlink it…$/)
    await keepsFocus(page, "asking to unlink it")
    await tabTo(page, /^Keep it$/)
    await keepsFocus(page, "keeping it")
    await tabTo(page, /^Inspect it again$/)
    await keepsFocus(page, "inspecting it again")
    await tabTo(page, /^Do something with it$/)
    await page.waitForURL(url => url.pathname === "/console/do")
    await keepsFocus(page, "turning to what it can do")
  })

  it("signs an operation, has another owner sign it by the link, and sends it", async () => {
    const bound = await boundWallet(bench)
    const { owner, owners } = bound
    const other = partyOf(owners[1] ?? assert.fail("no second owner"))
    const { id } = await preparedOperation(bench.service, owner, await walletPlan(bench, bound))
    const wallet = newWallet(owner.key, bench.chain.url)
    const page = await opened(wallet, `/console/operations/${id}#account=${owner.accountId}`)
    await tabTo(page, /^Ask me each time$/)
    for (const question of ["Read the operation", "Read the plan", "Read the kinds of wallets"])
      await agreeByKey(page, question)
    await sees(page, "The operation is what it says")
    await keepsFocus(page, "reading the operation")
    await tabTo(page, /^Sign with your wallet$/)
    await agreeByKey(page, "Sign for the wallet")
    await sees(page, "1 of 2 signatures")
    await keepsFocus(page, "signing")
    const link = await page.getByLabel("Link for another owner").inputValue()
    const signature = await signedElsewhere(other, link)
    await reach(page, /^Signatures that other owners sent$/)
    await page.keyboard.insertText(signature)
    await tabTo(page, /^Add them$/)
    await sees(page, "2 of 2 signatures")
    await keepsFocus(page, "adding the signatures")
    await tabTo(page, /^Send the operation$/)
    await agreeByKey(page, "Send the operation")
    await sees(page, /^It is being given to the bundler\.$|^Sent\b/)
    await keepsFocus(page, "sending")
    await tabTo(page, /^Look again$/)
    await agreeByKey(page, "Read the operation")
    await keepsFocus(page, "looking again")
    assert.strictEqual(wallet.asked.filter(method => method === "eth_signTypedData_v4").length, 6)
    assert.deepStrictEqual(await violations(page), [])
  })
})
