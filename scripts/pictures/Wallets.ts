/** Pictures of a wallet of two owners: created, bound, and paying by an operation that both sign. */
import type { Page } from "playwright-core"
import { agree, openForm, picture, press, sees, settled, turn } from "./Steps.ts"

export interface TwoOwners {
  readonly page: Page
  /** The second owner's address and browser. */
  readonly other: string
  readonly openOther: () => Promise<Page>
  readonly fund: (address: string) => Promise<void>
}

const create = async ({ page, other, fund }: TwoOwners): Promise<void> => {
  await turn(page, "Wallets")
  await page.getByRole("link", { name: "Create a wallet" }).click()
  await settled(page)
  const owners = page.getByLabel("Owners")
  await owners.fill(`${await owners.inputValue()}${other}`)
  await page.getByLabel("How many of them sign").fill("2")
  await press(page, "Compute the wallet")
  await agree(page)
  await agree(page)
  await sees(page, "You create a wallet at")
  await settled(page)
  await picture(page, "wallet-create")
  const sentence = (await page.getByText("You create a wallet at").first().textContent()) ?? ""
  await press(page, "Prepare the plan that creates it")
  await sees(page, "The plan is what it says")
  await settled(page)
  await press(page, "Prepare the transaction")
  await press(page, "Send with the wallet")
  await agree(page)
  await sees(page, /^Confirmed: /)
  await settled(page)
  await fund(/0x[0-9a-fA-F]{40}/.exec(sentence)?.[0] ?? "")
}

/** The second owner's signature, by the link alone. */
export const signElsewhere = async (
  { page, openOther }: Pick<TwoOwners, "page" | "openOther">,
  name?: string
): Promise<void> => {
  const link = await page.getByLabel("Link for another owner").inputValue()
  const elsewhere = await openOther()
  await elsewhere.goto(link)
  await sees(elsewhere, "It is what it says")
  await press(elsewhere, "Connect your wallet")
  await sees(elsewhere, "an owner of the wallet, as its chain says.")
  if (name !== undefined) await picture(elsewhere, name)
  await press(elsewhere, "Sign with your wallet")
  await agree(elsewhere)
  const signature = await elsewhere.getByLabel("Your signature").inputValue()
  await elsewhere.close()
  await page.getByLabel("Signatures that other owners sent").fill(signature)
  await press(page, "Add them")
  await sees(page, "2 of 2 signatures")
}

const sign = async (owners: TwoOwners, name: string): Promise<void> => {
  const { page } = owners
  await press(page, "Sign with your wallet")
  await agree(page)
  await sees(page, "1 of 2 signatures")
  await signElsewhere(owners, name)
}

const bind = async (owners: TwoOwners): Promise<void> => {
  const { page } = owners
  await turn(page, "Wallets")
  await page.getByRole("link", { name: "Bind it" }).click()
  await settled(page)
  await press(page, "Inspect the wallet")
  await agree(page)
  await sees(page, "The wallet is as it is shown")
  await settled(page)
  await picture(page, "wallet-bind")
  await sign(owners, "sign-binding")
  await press(page, "Bind the wallet")
  await agree(page)
  await sees(page, "The wallet is as its owners signed for it")
  await settled(page)
  await picture(page, "wallet")
  await turn(page, "Wallets")
  await picture(page, "wallets")
}

const operate = async (owners: TwoOwners): Promise<void> => {
  const { page } = owners
  await openForm(page, "Pay a project")
  await page.getByLabel("For which wallet").selectOption({ index: 1 })
  await page.locator("#at-project-projectId").fill("2")
  await page.locator("#at-amount").fill("0.03")
  await press(page, "Prepare the plan")
  await sees(page, "It is the plan of a wallet of several owners")
  await settled(page)
  await press(page, "Prepare the operation")
  await sees(page, "The operation is what it says")
  await settled(page)
  await picture(page, "operation")
  await sign(owners, "sign")
  await press(page, "Send the operation")
  await sees(page, /^Effects verified/)
  await settled(page)
  await picture(page, "operation-done")
}

export const wallets = async (owners: TwoOwners): Promise<void> => {
  await create(owners)
  await bind(owners)
  await operate(owners)
}
