/** A service, a browser, and plans opened in it by their owners. */
import type { Page } from "playwright-core"
import { commitmentOf } from "../../../src/client/Commitment.ts"
import type { Plan } from "../../../src/plans/Plan.ts"
import { pagePath } from "../../../src/review/PagePath.ts"
import { builtPackage } from "../../support/BuiltProgram.ts"
import { planned } from "../../support/PlannedCalls.ts"
import { newPayer } from "../../support/RelayBench.ts"
import { type Sandbox, startSandbox } from "../../support/Sandbox.ts"
import type { Party } from "../../support/SignedFetch.ts"
import { type Browsing, startBrowser } from "./Chromium.ts"
import { agree, newWallet, openPage, press, sees, type Wallet, type WalletPage } from "./WalletPage.ts"

export interface PageBench {
  readonly browser: Browsing
  readonly sandbox: Sandbox
  readonly stop: () => Promise<void>
}

export const startPageBench = async (
  options: Parameters<typeof startSandbox>[0] = {}
): Promise<PageBench> => {
  await builtPackage()
  const browser = await startBrowser()
  const sandbox = await startSandbox(options)
  const stop = async () => {
    await browser.close()
    await sandbox.stop()
  }
  return { browser, sandbox, stop }
}

export const payer = ({ sandbox }: PageBench): Promise<Party> => newPayer(sandbox)

export const walletOf = ({ sandbox }: PageBench, owner: Party, over: Partial<Wallet> = {}): Wallet =>
  newWallet(owner.key, sandbox.chain.url, over)

export interface Opening {
  readonly owner: Party
  readonly plan: Plan
  readonly wallet?: Wallet | undefined
  /** Named in the link. */
  readonly principal?: string
  /** Something between service and browser that changes the plan's answer. */
  readonly change?: (plan: Plan) => Plan | Promise<Plan>
}

/** The page of a plan as a link opens it. */
export const opened = async ({ browser, sandbox }: PageBench, opening: Opening): Promise<WalletPage> => {
  const { owner, plan, wallet, principal, change } = opening
  const found = await openPage(browser, wallet)
  if (change !== undefined)
    await found.page.route(new RegExp(`/api/v1/plans/${plan.id}(?:\\?refresh=true)?$`), async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: await change(await response.json()) })
    })
  await found.page.goto(`${sandbox.service.audience}${pagePath(plan.id, owner.accountId, principal)}`)
  return found
}

/** The same, with the wallet connected and the plan asked for. */
export const read = async (bench: PageBench, opening: Opening): Promise<WalletPage> => {
  const found = await opened(bench, opening)
  await press(found.page, "Ask me each time")
  await agree(found.page, "Read the plan")
  return found
}

interface Visit {
  readonly owner: Party
  readonly path: string
  readonly wallet: Wallet
}

/** Any page of the console as a link opens it. */
export const opening = async ({ browser, sandbox }: PageBench, visit: Visit): Promise<WalletPage> => {
  const found = await openPage(browser, visit.wallet)
  await found.page.goto(`${sandbox.service.audience}${visit.path}#account=${visit.owner.accountId}`)
  return found
}

/** The same, with the wallet connected and asked for each signature. */
export const seated = async (bench: PageBench, visit: Visit): Promise<WalletPage> => {
  const found = await opening(bench, visit)
  await press(found.page, "Ask me each time")
  return found
}

/** The same, staying signed in: a key and its grant are asked for. */
export const signedIn = async (bench: PageBench, visit: Visit): Promise<WalletPage> => {
  const found = await opening(bench, visit)
  await enter(found.page)
  return found
}

export const enter = async (page: Page): Promise<string> => {
  await press(page, "Stay signed in for an hour")
  await agree(page, "Make the key of this tab")
  const asked = await agree(page, "Grant a key rights on the account")
  await sees(page, /^Signed in until/)
  return asked
}

export const offers = (page: Page, name: string): Promise<number> =>
  page.getByRole("button", { name }).count()

export const altered = (plan: Plan, over: Partial<Plan["calls"][number]>): Plan => ({
  ...plan,
  calls: plan.calls.map(call => ({ ...call, ...over }))
})

/** As a liar would who also makes the commitment fit. */
export const recommitted = async ({ accountId }: Party, plan: Plan): Promise<Plan> => {
  const hex = await commitmentOf(plan, { accountId, principalId: `owner:${accountId}` })
  return { ...plan, commitment: `0x${hex.slice(2)}` }
}

/** A tampered plan of a new owner, read on the page. */
export const tampered = async (
  bench: PageBench,
  change: (owner: Party, plan: Plan) => Plan | Promise<Plan>
): Promise<{ readonly page: Page; readonly wallet: Wallet }> => {
  const owner = await payer(bench)
  const plan = await planned(bench.sandbox, owner)
  const wallet = walletOf(bench, owner)
  const { page } = await read(bench, { owner, plan, wallet, change: honest => change(owner, honest) })
  return { page, wallet }
}
