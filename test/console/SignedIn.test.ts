import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { planned, stepOf } from "../support/PlannedCalls.ts"
import { mine } from "../support/RelayBench.ts"
import type { Party } from "../support/SignedFetch.ts"
import { shown } from "../support/Submissions.ts"
import { BROWSER_MILLIS } from "./support/Chromium.ts"
import { type PageBench, payer, signedIn, startPageBench, walletOf } from "./support/PageBench.ts"
import { agree, press, sees, type Wallet } from "./support/WalletPage.ts"

/** A browser beside a service on a busy machine takes its time. */
vi.setConfig({ testTimeout: 120_000 })

let bench: PageBench

beforeAll(async () => {
  bench = await startPageBench()
}, BROWSER_MILLIS)

afterAll(() => bench?.stop())

interface Tab {
  readonly owner: Party
  readonly wallet: Wallet
  readonly page: Page
}

/** Signed in on the page of a plan that the tab itself prepared; the wallet was asked for nothing since. */
const ownPlan = async (over: Partial<Wallet> = {}): Promise<Tab> => {
  const owner = await payer(bench)
  const { id } = await planned(bench.sandbox, owner)
  const wallet = walletOf(bench, owner, over)
  const { page } = await signedIn(bench, { owner, path: `/console/plans/${id}`, wallet })
  await agree(page, "Read the plan")
  await sees(page, "The plan is what it says")
  wallet.asked.length = 0
  await press(page, "Prepare the same calls anew")
  await page.waitForURL(url => !url.href.includes(id))
  await sees(page, "The plan is what it says")
  return { owner, wallet, page }
}

const planOf = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1) ?? ""

/** What of all that was asked a person sees and answers in the wallet. */
const prompts = ({ asked }: Wallet): ReadonlyArray<string> =>
  asked.filter(method => /sign|send(?!Raw)|requestAccounts/i.test(method))

const send = async (page: Page): Promise<void> => {
  await press(page, "Prepare the transaction")
  await press(page, "Sign in the wallet")
  await agree(page, "Sign the transaction")
  await sees(page, "This wallet signs no transaction without sending it.")
  await press(page, "Send with the wallet")
  await agree(page, "Send the transaction")
}

describe("somebody who stays signed in", () => {
  it("is asked once for a payment by a wallet that only sends, and sees it final without a click", async () => {
    const { owner, wallet, page } = await ownPlan({ signsTransactions: false })
    await send(page)
    await sees(page, /Seen by the chain in block/)
    await mine(bench.sandbox)
    await sees(page, /Confirmed: \d+ of \d+ confirmation/)
    await sees(page, "Effects ")
    assert.deepStrictEqual(prompts(wallet), ["eth_signTransaction", "eth_sendTransaction"])
    assert.strictEqual(await page.evaluate(() => localStorage.length + sessionStorage.length), 0)
    const plan = await shown(bench.sandbox.service, owner, { id: planOf(page) })
    assert.strictEqual(plan.status, "transactions_confirmed")
    assert.strictEqual(stepOf(plan).dispatch?.status, "already-observed")
  })

  it("signs the transaction and its approval with a wallet that signs, and nothing else", async () => {
    const { wallet, page } = await ownPlan()
    await press(page, "Prepare the transaction")
    await press(page, "Sign in the wallet")
    await agree(page, "Sign the transaction")
    await press(page, "Submit")
    await agree(page, "Approve step 0 for the bot")
    await sees(page, /Seen by the chain in block/)
    await mine(bench.sandbox)
    await sees(page, /Confirmed: \d+ of \d+ confirmation/)
    assert.deepStrictEqual(prompts(wallet), ["eth_signTransaction", "eth_signTypedData_v4"])
  })
})
