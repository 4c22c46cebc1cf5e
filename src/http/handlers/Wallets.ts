import { Effect } from "effect"
import type { Snapshot } from "../../chain/ChainClient.ts"
import { prepareContractCalls } from "../../operations/plans/ContractCalls.ts"
import { bindWallet } from "../../smartaccounts/BindWallet.ts"
import { describeSmartAccounts } from "../../smartaccounts/DescribeSmartAccounts.ts"
import { planCreation } from "../../smartaccounts/PlanCreation.ts"
import { planForWallet } from "../../smartaccounts/PlanForWallet.ts"
import { prepareChallenge } from "../../smartaccounts/PrepareChallenge.ts"
import { bindingOf, pageOfBindings } from "../../smartaccounts/ReadBindings.ts"
import { unlinkWallet } from "../../smartaccounts/UnlinkWallet.ts"
import { isContractCalls } from "../api/Transactions.ts"
import { walletsGroup } from "../api/Wallets.ts"
import { handling, reply } from "../Handlers.ts"
import { createdPlan, type Preparations, replayHeader } from "./PreparedPlan.ts"

export const walletHandlers = <R>(prepared: Preparations<R>) =>
  handling(walletsGroup, {
    getSmartAccountCapabilities: () => Effect.map(describeSmartAccounts(), described => reply(described)),
    createCreationPlan: ({ body }) => Effect.map(planCreation(body), creation => reply({ creation })),
    createBindingChallenge: ({ body }) => Effect.map(prepareChallenge(body), challenge => reply(challenge)),
    createBinding: Effect.fnUntraced(function* ({ body }) {
      const { binding, replayed } = yield* bindWallet(body)
      return reply(binding, {
        location: `/api/v1/smart-accounts/bindings/${binding.id}`,
        ...replayHeader(replayed)
      })
    }),
    listBindings: ({ query }) => Effect.map(pageOfBindings(query), reply),
    getBinding: ({ path }) => Effect.map(bindingOf(path.id), reply),
    deleteBinding: ({ path }) => Effect.map(unlinkWallet(path.id), reply),
    createWalletPlan: Effect.fnUntraced(function* ({ path, body }) {
      if (isContractCalls(body)) {
        const { account, calls } = body.input
        const chainIds = calls.map(({ chainId }) => chainId)
        const draftAt = (snapshot: Snapshot) => prepareContractCalls(body.input, snapshot)
        return createdPlan(yield* planForWallet(path.id, { account, chainIds, draftAt }))
      }
      const { account, chainId, draft } = yield* prepared(body.operation, body.input, ["input"])
      return createdPlan(yield* planForWallet(path.id, { account, chainIds: [chainId], draft }))
    })
  })
