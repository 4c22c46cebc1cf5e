/** Forms opened in a browser, and filled by their members' paths. */
import type { Page } from "playwright-core"
import type { Party } from "../../../support/SignedFetch.ts"
import { type PageBench, payer, seated, walletOf } from "../../support/PageBench.ts"
import type { WalletPage } from "../../support/WalletPage.ts"

export interface FormPage extends WalletPage {
  readonly owner: Party
}

/** As a new owner, whose wallet is asked for each signature. */
export const openedAt = async (bench: PageBench, path: string): Promise<FormPage> => {
  const owner = await payer(bench)
  return { owner, ...(await seated(bench, { owner, path, wallet: walletOf(bench, owner) })) }
}

export const openedForm = async (bench: PageBench, id: string): Promise<FormPage> => {
  const found = await openedAt(bench, `/console/do/${id}`)
  await found.page.getByRole("button", { name: "Prepare the plan" }).waitFor()
  return found
}

export const focuses = (page: Page, id: string) =>
  page.waitForFunction(wanted => document.activeElement?.id === wanted, id)

export const fill = (page: Page, texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).reduce(
    (before, [member, text]) => before.then(() => page.locator(`#at-${member}`).fill(text)),
    Promise.resolve()
  )

export const valueAt = (page: Page, member: string) => page.locator(`#at-${member}`).inputValue()
