/** The account's bots, for which its owner is asked once a tab. */
import type { BotGrant } from "../../accounts/Account.ts"
import { row, words } from "../../review/Words.ts"
import type { Desk } from "../Desk.ts"

const WHY = row(
  "why",
  words("a session's key is a bot's, so it is compared with what the account knows of it")
)

const known = new WeakMap<Desk, ReadonlyArray<BotGrant>>()

export const botsOfAccount = async (desk: Desk): Promise<ReadonlyArray<BotGrant>> => {
  const bots = await desk.about([WHY], ({ owner }) => owner.bots.list())
  known.set(desk, bots)
  return bots
}

/** Undefined where the account has no such grant. */
export const botWith = async (desk: Desk, grantId: string): Promise<BotGrant | undefined> => {
  const found = known.get(desk)?.find(({ id }) => id === grantId)
  return found ?? (await botsOfAccount(desk)).find(({ id }) => id === grantId)
}
