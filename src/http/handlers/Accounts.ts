import { Effect } from "effect"
import { AccountLock } from "../../accounts/AccountLock.ts"
import { AccountStore } from "../../accounts/AccountStore.ts"
import { registerBot } from "../../accounts/BotRegistration.ts"
import { GrantStore } from "../../accounts/GrantStore.ts"
import { Principal } from "../../accounts/Principal.ts"
import { SignedRequest } from "../../auth/SignedRequest.ts"
import { AccountsGroup } from "../api/Accounts.ts"
import { handling, reply } from "../Handlers.ts"

/** The ledger brought the record along with its verdict. */
const admittedAccount = Effect.flatMap(SignedRequest, ({ account }) =>
  account === undefined
    ? Effect.dieMessage("the route did not ask for the account")
    : Effect.succeed(reply({ account }))
)

export const accountsHandlers = handling(AccountsGroup, {
  enrollAccount: () => admittedAccount,
  getAccount: () => admittedAccount,
  replaceProfile: Effect.fnUntraced(function* ({ body }) {
    const lock = yield* AccountLock
    const store = yield* AccountStore
    const { accountId } = yield* Principal
    return reply({ account: yield* lock.with(accountId)(store.replaceProfile(body)) })
  }),
  listBots: Effect.fnUntraced(function* () {
    const grants = yield* GrantStore
    return reply({ bots: yield* grants.list((yield* Principal).accountId) })
  }),
  registerBot: Effect.fnUntraced(function* ({ body }) {
    const bot = yield* registerBot(body)
    return reply({ bot }, { location: `/api/v1/accounts/me/bots/${bot.id}` })
  }),
  revokeBot: Effect.fnUntraced(function* ({ path }) {
    const lock = yield* AccountLock
    const grants = yield* GrantStore
    const { accountId } = yield* Principal
    return reply({ bot: yield* lock.with(accountId)(grants.revoke(path.grantId)) })
  })
})
