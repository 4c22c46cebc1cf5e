/** The account of the signer, and its bots' grants; times are Unix seconds. */
import type { ProfileReplacement } from "../accounts/Account.ts"
import { type BotTerms, registrationBody } from "./BotGrant.ts"
import type { Caller } from "./Caller.ts"
import { endpoints } from "./Endpoints.ts"

export const accountMethods = (caller: Caller) => ({
  accounts: {
    /** Creates the owner's account or returns it as it is; sends nothing to a chain. */
    enroll: async () => (await caller.call(endpoints.enrollAccount, { body: {} })).account,
    /** The account, to its owner and its bots. */
    show: async () => (await caller.call(endpoints.getAccount)).account,
    /** Replaces the whole profile: an omitted member returns to its default. Owner only. */
    replaceProfile: async (profile: typeof ProfileReplacement.Encoded) =>
      (await caller.call(endpoints.replaceProfile, { body: profile })).account
  },
  bots: {
    /** Every retained grant, expired and revoked ones included. Owner only. */
    list: async () => (await caller.call(endpoints.listBots)).bots,
    /** Grants a bot key scopes; the bot signs its proof for each attempt anew. Owner only; not repeated after an unknown outcome. */
    grant: async (terms: BotTerms) => {
      const { bot } = await caller.callPrepared(endpoints.registerBot, (nonce, identity) =>
        registrationBody(terms, identity, nonce)
      )
      return bot
    },
    /** Takes effect when the answer is given. Owner only. */
    revoke: async (grantId: string) => (await caller.call(endpoints.revokeBot, { path: { grantId } })).bot
  }
})
