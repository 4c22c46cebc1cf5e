/** A tab that is signed in, on a plan of its own. */
import type { Page } from "playwright-core"
import { planned } from "../../support/PlannedCalls.ts"
import type { Party } from "../../support/SignedFetch.ts"
import { type PageBench, payer, signedIn, walletOf } from "./PageBench.ts"
import { agree, press, sees, type Wallet } from "./WalletPage.ts"

export interface Tab {
  readonly owner: Party
  readonly wallet: Wallet
  readonly page: Page
}

/** Signed in on the page of a plan that the tab itself prepared; the wallet was asked for nothing since. */
export const ownPlan = async (bench: PageBench, over: Partial<Wallet> = {}): Promise<Tab> => {
  const owner = await payer(bench)
  const wallet = walletOf(bench, owner, over)
  const { page } = await signedIn(bench, {
    owner,
    path: "/console/do/prepare_pay?chainId=31337&projectId=2",
    wallet
  })
  await page.getByLabel("Amount, in ether").fill("0.000001")
  await press(page, "Prepare the plan")
  await sees(page, "The plan is what it says")
  wallet.asked.length = 0
  return { owner, wallet, page }
}

/** The same, of the calls of a plan that its owner prepared before. */
export const planAnew = async (bench: PageBench, over: Partial<Wallet> = {}): Promise<Tab> => {
  const owner = await payer(bench)
  const { id } = await planned(bench.sandbox, owner)
  const wallet = walletOf(bench, owner, over)
  const { page } = await signedIn(bench, { owner, path: `/console/plans/${id}`, wallet })
  await agree(page, "Read the plan")
  await sees(page, "The plan is what it says")
  await press(page, "Prepare the same calls anew")
  await agree(page, "Read the plan")
  await page.waitForURL(url => !url.href.includes(id))
  await sees(page, "The plan is what it says")
  wallet.asked.length = 0
  return { owner, wallet, page }
}

export const planOf = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1) ?? ""

/** What of all that was asked a person sees and answers in the wallet. */
export const prompts = ({ asked }: Wallet): ReadonlyArray<string> =>
  asked.filter(method => /sign|send(?!Raw)|requestAccounts/i.test(method))

/** By a wallet that signs no transaction without sending it. */
export const send = async (page: Page): Promise<void> => {
  await press(page, "Prepare the transaction")
  await press(page, "Sign in the wallet")
  await agree(page, "Sign the transaction")
  await sees(page, "This wallet signs no transaction without sending it.")
  await press(page, "Send with the wallet")
  await agree(page, "Send the transaction")
}

/** What the browser keeps for the console. */
export const keptTexts = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => Object.values({ ...localStorage }).map(String))
