/** Staying signed in: the owner grants a key of this tab rights for an hour, and it signs what moves nothing. */
import { freshNonce } from "../../client/SignRequest.ts"
import { realSystem } from "../../client/System.ts"
import { instantText } from "../../review/Times.ts"
import { exact, row, words } from "../../review/Words.ts"
import type { Desk, TabGrant } from "../Desk.ts"
import { askForKey, grantOf } from "./OwnKey.ts"
import type { TabKey } from "./TabKey.ts"

const HOUR_SECONDS = 3600
const SCOPES = ["read", "plan", "relay"] as const

/** Under this name it stands among the account's bots. */
const CONSOLE_LABEL = "console"

const KEY_TERMS = [
  row("why", words("your wallet and this browser make the same key again if the page is closed too early")),
  row("then", words("the next question is which rights this key gets, and for how long"))
]

const grantTerms = (address: string, expiresAt: number) => [
  row("key", exact(address), words(", which this tab forgets when it is closed")),
  row("may", words("read your account's data, prepare plans, and hand in what your wallet signed or sent")),
  row("may not", words("sign or send a transaction, manage bots, or change the profile")),
  row("until", words(instantText(expiresAt * 1000)))
]

interface MadeKey {
  readonly salt: `0x${string}`
  readonly key: TabKey
}

/** Keys without a grant yet: who declined that, or had to enroll first, is not asked for another key. */
const unused = new WeakMap<Desk, MadeKey>()

const keyFor = async (desk: Desk): Promise<MadeKey> => {
  const found = unused.get(desk)
  if (found !== undefined) return found
  const salt = freshNonce(realSystem)
  const made = { salt, key: await askForKey(desk, salt, KEY_TERMS) }
  unused.set(desk, made)
  return made
}

export const signIn = async (desk: Desk): Promise<TabGrant> => {
  const { owner } = desk
  const { salt, key } = await keyFor(desk)
  const { address } = key.signer
  const expiresAt = owner.clock.seconds() + HOUR_SECONDS
  const terms = { bot: key.signer, scopes: SCOPES, expiresAt, label: CONSOLE_LABEL }
  const bot = await desk.about(grantTerms(address, expiresAt), asking => asking.owner.bots.grant(terms))
  unused.delete(desk)
  return grantOf(desk, key, { salt, grantId: bot.id, address, expiresAt: bot.expiresAt })
}
