/** What the public listener serves: the API with the handlers of its endpoints, and the pages that tell of it. */

import type { HttpApi, HttpApiGroup } from "@effect/platform"
import type { Principal } from "../accounts/Principal.ts"
import type { SignedRequest } from "../auth/SignedRequest.ts"
import { apiOf } from "../http/api/Api.ts"
import { describeOperations } from "../http/DescribeOperations.ts"
import { accountsHandlers } from "../http/handlers/Accounts.ts"
import { contractsHandlers } from "../http/handlers/Contracts.ts"
import { discoveryHandlers } from "../http/handlers/Discovery.ts"
import { indexerHandlers } from "../http/handlers/Indexer.ts"
import { intentsHandlers } from "../http/handlers/Intents.ts"
import { operationsHandlers } from "../http/handlers/Operations.ts"
import { preparing, storingPlans } from "../http/handlers/PreparedPlan.ts"
import { projectsHandlers } from "../http/handlers/Projects.ts"
import { sessionHandlers } from "../http/handlers/Sessions.ts"
import { sponsorshipHandlers } from "../http/handlers/Sponsorships.ts"
import { transactionsHandlers } from "../http/handlers/Transactions.ts"
import { userOperationsHandlers } from "../http/handlers/UserOperations.ts"
import { walletPaymentsHandlers } from "../http/handlers/WalletPayments.ts"
import { walletHandlers } from "../http/handlers/Wallets.ts"
import { describeApi } from "../http/OpenApiDocument.ts"
import { makePages } from "../http/pages/Pages.ts"
import { makeRoutes, type Route } from "../http/Route.ts"
import type { Site } from "../http/Server.ts"
import type { TeamRoutes } from "../http/TeamRoutes.ts"
import { type AnyOperation, isPlanOperation } from "../operations/framework/Installed.ts"
import type { Available } from "./Services.ts"

const withTeams = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R, P, S>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  teams: ReadonlyArray<TeamRoutes<P, S>>
) =>
  teams.reduce<HttpApi.HttpApi<Id, Groups | HttpApiGroup.HttpApiGroup.Any, E, R>>(
    (all, { group }) => all.add(group),
    api
  )

type Asking = Available | Principal | SignedRequest

export const siteOf = (
  all: ReadonlyArray<AnyOperation<Available>>,
  teams: ReadonlyArray<TeamRoutes<Available, Asking>> = []
): Site<Available, Asking> => {
  const declared = all.map(({ declaration }) => declaration)
  const api = apiOf(declared)
  const description = describeApi(withTeams(api, teams))
  const prepared = preparing(all.filter(isPlanOperation))
  const preparedPlan = storingPlans(prepared)
  const own = makeRoutes(api, {
    accounts: accountsHandlers,
    contracts: contractsHandlers,
    discovery: discoveryHandlers(describeOperations(declared), description),
    indexer: indexerHandlers,
    intents: intentsHandlers,
    operations: operationsHandlers(all, preparedPlan),
    projects: projectsHandlers,
    sessions: sessionHandlers,
    sponsorship: sponsorshipHandlers,
    transactions: transactionsHandlers(preparedPlan),
    userOperations: userOperationsHandlers,
    walletPayments: walletPaymentsHandlers,
    wallets: walletHandlers(prepared)
  })
  const routes: ReadonlyArray<Route<Available, Asking>> = [...own, ...teams.flatMap(team => team.routes)]
  return { routes, pages: (audience: string) => makePages({ audience, description, declared, added: teams }) }
}
