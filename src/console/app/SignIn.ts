/** Staying signed in: the owner grants a key of this tab rights for an hour, and it signs what moves nothing. */
import { createClient } from "../../client/Client.ts"
import { instantText } from "../../review/Times.ts"
import { exact, row, words } from "../../review/Words.ts"
import type { Desk, TabGrant } from "../Desk.ts"
import { makeTabKey } from "./TabKey.ts"

const HOUR_SECONDS = 3600
const SCOPES = ["read", "plan", "relay"] as const

/** Under this name it stands among the account's bots. */
const CONSOLE_LABEL = "console"

const grantTerms = (address: string, expiresAt: number) => [
  row("key", exact(address), words(", made in this tab and nowhere kept")),
  row("may", words("read your account's data, prepare plans, and hand in what your wallet signed or sent")),
  row("may not", words("sign or send a transaction, manage bots, or change the profile")),
  row("until", words(instantText(expiresAt * 1000)))
]

/** A grant that is no longer active is refused as any stranger is; other refusals say nothing of it. */
const isStranger = async (response: Response): Promise<boolean> => {
  if (response.status !== 403) return false
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return Object(problem).code === "FORBIDDEN"
}

const noticing =
  (ended: () => void): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (await isStranger(response)) ended()
    return response
  }

export const signIn = async (desk: Desk): Promise<TabGrant> => {
  const key = makeTabKey()
  const { owner } = desk
  const audience = await owner.audience()
  const expiresAt = owner.clock.seconds() + HOUR_SECONDS
  const terms = { bot: key.signer, scopes: SCOPES, expiresAt, label: CONSOLE_LABEL }
  const bot = await desk.about(grantTerms(key.signer.address, expiresAt), () => owner.bots.grant(terms))
  const client = createClient({
    baseUrl: location.origin,
    audience,
    account: owner.account,
    signer: key.signer,
    grantId: bot.id,
    fetch: noticing(() => desk.leave("ended"))
  })
  return { client, grantId: bot.id, expiresAt: bot.expiresAt, forget: key.forget }
}
