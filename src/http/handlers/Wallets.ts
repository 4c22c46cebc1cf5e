import { Effect } from "effect"
import { describeSmartAccounts } from "../../smartaccounts/DescribeSmartAccounts.ts"
import { planCreation } from "../../smartaccounts/PlanCreation.ts"
import { prepareChallenge } from "../../smartaccounts/PrepareChallenge.ts"
import { WalletsGroup } from "../api/Wallets.ts"
import { handling, reply } from "../Handlers.ts"

export const walletHandlers = handling(WalletsGroup, {
  getSmartAccountCapabilities: () => Effect.map(describeSmartAccounts(), described => reply(described)),
  createCreationPlan: ({ body }) => Effect.map(planCreation(body), creation => reply({ creation })),
  createBindingChallenge: ({ body }) => Effect.map(prepareChallenge(body), challenge => reply(challenge))
})
