/** Pictures of a session: what a bot's key may do for a wallet of two owners, enabled, used and revoked. */
import type { Page } from "playwright-core"
import type { PrivateKeyAccount } from "viem/accounts"
import { agree, picture, press, sees, settled, turn } from "./Steps.ts"

export interface Permitting {
  readonly page: Page
  readonly bot: PrivateKeyAccount
  /** The second owner's signature of what the page asks for, handed in. */
  readonly signElsewhere: () => Promise<void>
}

/** A grant for a key that is made elsewhere, by the proof that it signs. */
const grant = async ({ page, bot }: Permitting): Promise<void> => {
  await turn(page, "Bots")
  await page.getByLabel("The bot's address").fill(bot.address)
  await page.getByLabel("What it may").selectOption("relay")
  await page.getByLabel("For how many days").fill("40")
  await page.getByLabel("Label").fill("tipping bot")
  await press(page, "Make the terms")
  const { types, domain, primaryType, message } = JSON.parse(
    await page.getByLabel("Terms (EIP-712)").inputValue()
  )
  const { EIP712Domain: _, ...own } = types
  const proof = await bot.signTypedData({ domain, types: own, primaryType, message })
  await page.getByLabel("The bot's proof").fill(proof)
  await press(page, "Grant it with the wallet")
  await agree(page)
  await sees(page, /^Granted\./)
}

const prepare = async (permitting: Permitting): Promise<void> => {
  const { page } = permitting
  await turn(page, "Sessions")
  await page.getByRole("link", { name: "Prepare a session" }).click()
  await agree(page)
  await page.getByLabel("Project number of right 1").fill("2")
  await press(page, "Review it")
  await agree(page)
  await sees(page, "The bytes say what you asked for")
  await settled(page)
  await picture(page, "session-review")
  await press(page, "Prepare the session")
  await agree(page)
  await agree(page)
  await sees(page, "The session is what it says")
  await settled(page)
  await picture(page, "session-prepared")
}

/** The plan on the page, by an operation that both owners sign. */
const carryOut = async ({ page, signElsewhere }: Permitting): Promise<void> => {
  await agree(page)
  await sees(page, "It is the plan of a wallet of several owners")
  await settled(page)
  await press(page, "Prepare the operation")
  for (const _ of ["prepare", "read", "plan"]) await agree(page)
  await sees(page, "The operation is what it says")
  await press(page, "Sign with your wallet")
  await agree(page)
  await signElsewhere()
  await press(page, "Send the operation")
  await agree(page)
  await sees(page, /^Sent/)
}

const back = async (page: Page): Promise<void> => {
  await page.getByRole("link", { name: "The session" }).click()
  await agree(page)
  await sees(page, "The session is what it says")
  await settled(page)
}

/** Looked at until its guard says so. */
const until = async (page: Page, text: string): Promise<void> => {
  for (;;) {
    await back(page)
    if ((await page.getByText(text).count()) > 0) return
    await page.goBack()
    await agree(page)
  }
}

const live = async (permitting: Permitting): Promise<void> => {
  const { page } = permitting
  await press(page, "Prepare the plan that enables it")
  await agree(page)
  await carryOut(permitting)
  await until(page, "What is left of it")
  await picture(page, "session")
  await press(page, "Revoke it…")
  await picture(page, "session-revoke", "Revoke the session")
  await turn(page, "Sessions")
  await press(page, "List the sessions")
  await agree(page)
  await settled(page)
  await picture(page, "sessions")
}

export const sessions = async (permitting: Permitting): Promise<void> => {
  await grant(permitting)
  await prepare(permitting)
  await live(permitting)
}
