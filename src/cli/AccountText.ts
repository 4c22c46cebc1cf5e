import type { Account } from "../accounts/Account.ts"
import type { CommandOutcome } from "./Command.ts"
import { facts, isoSeconds } from "./Table.ts"

export const shownAccount = (account: Account): CommandOutcome => ({
  json: account,
  text: facts([
    ["account", account.id],
    ["owner", account.ownerAddress],
    ["authority chain", String(account.authorityChainId)],
    ["display name", account.profile.displayName],
    ["bio", account.profile.bio],
    ["avatar", account.profile.avatarUri ?? ""],
    ["created", isoSeconds(account.createdAt)],
    ["updated", isoSeconds(account.updatedAt)]
  ])
})
