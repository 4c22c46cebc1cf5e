import { HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { Account, BotGrant, BotRegistrationBody, ProfileReplacement } from "../../accounts/Account.ts"
import { GrantId } from "../../values/Scalars.ts"
import { emptyObject, strict } from "../../values/Strict.ts"
import { ACCOUNT_BODY_BYTES, signed } from "./Access.ts"
import { declare } from "./Declare.ts"

const bodyBytes = ACCOUNT_BODY_BYTES
const oneAccount = strict({ account: Account })
const oneBot = strict({ bot: BotGrant })

export const enroll = declare({
  name: "enrollAccount",
  method: "POST",
  at: "/api/v1/accounts/enroll",
  access: signed({ ownerOnly: true, enrolment: true, bodyBytes }),
  summary: "Enroll the account of the signing owner",
  description:
    "Creates the account named in X-Service-Account for the owner who signs, or returns it as it is. Nothing is sent to a chain.",
  body: emptyObject,
  success: oneAccount,
  problems: ["FORBIDDEN", "STORAGE_LIMIT"]
})

export const show = declare({
  name: "getAccount",
  method: "GET",
  at: "/api/v1/accounts/me",
  access: signed({ wantsAccount: true, bodyBytes }),
  summary: "Show the account",
  description: "The account that the request is signed for, to its owner and to its bots.",
  success: oneAccount
})

export const replaceProfile = declare({
  name: "replaceProfile",
  method: "PATCH",
  at: "/api/v1/accounts/me",
  access: signed({ ownerOnly: true, bodyBytes }),
  summary: "Replace the account's profile",
  description: "Replaces the whole profile: a member that is left out returns to its default.",
  body: ProfileReplacement,
  success: oneAccount,
  problems: ["FORBIDDEN", "INVALID_INPUT"]
})

export const listBots = declare({
  name: "listBots",
  method: "GET",
  at: "/api/v1/accounts/me/bots",
  access: signed({ ownerOnly: true, bodyBytes }),
  summary: "List the bots' grants",
  description: "Every retained grant by creation time and id, expired and revoked ones included.",
  success: strict({ bots: Schema.Array(BotGrant) }),
  problems: ["FORBIDDEN"]
})

export const registerBot = declare({
  name: "registerBot",
  method: "POST",
  at: "/api/v1/accounts/me/bots",
  access: signed({ ownerOnly: true, bodyBytes }),
  summary: "Grant a bot key scopes on the account",
  description:
    "Creates an immutable grant for a bot key that proves its possession: proofSignature is the bot key's signature of ServiceBotProof over these fields and this request's nonce.",
  body: BotRegistrationBody,
  success: oneBot,
  status: 201,
  problems: ["FORBIDDEN", "INVALID_INPUT", "INVALID_BOT_PROOF", "STORAGE_LIMIT"]
})

export const revokeBot = declare({
  name: "revokeBot",
  method: "DELETE",
  at: "/api/v1/accounts/me/bots/:grantId",
  access: signed({ ownerOnly: true, bodyBytes }),
  summary: "Revoke a bot's grant",
  description: "Takes effect when the answer is given; revoking again keeps the first time of revocation.",
  path: strict({ grantId: GrantId }),
  success: oneBot,
  problems: ["FORBIDDEN", "GRANT_NOT_FOUND", "INVALID_PARAMETER"]
})

export const AccountsGroup = HttpApiGroup.make("Accounts")
  .add(enroll)
  .add(show)
  .add(replaceProfile)
  .add(listBots)
  .add(registerBot)
  .add(revokeBot)
