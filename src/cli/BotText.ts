import type { BotGrant } from "../accounts/Account.ts"
import { facts, isoSeconds } from "./Table.ts"

export const describedBot = (bot: BotGrant): string =>
  facts([
    ["grant", bot.id],
    ["bot", bot.botAddress],
    ["scopes", bot.scopes.join(", ")],
    ["label", bot.label],
    ["state", bot.state],
    ["expires", isoSeconds(bot.expiresAt)],
    ["revoked", bot.revokedAt === null ? "never" : isoSeconds(bot.revokedAt)]
  ])
