import { accountRoutes } from "./handlers/Accounts.ts"
import { contractRoutes } from "./handlers/Contracts.ts"
import { discoveryRoutes } from "./handlers/Discovery.ts"
import { indexerRoutes } from "./handlers/Indexer.ts"
import { intentRoutes } from "./handlers/Intents.ts"
import { operationRoutes } from "./handlers/Operations.ts"
import { projectRoutes } from "./handlers/Projects.ts"
import { transactionRoutes } from "./handlers/Transactions.ts"
import type { PublicRoute, Route, SignedRoute } from "./Route.ts"

const routes = [
  ...discoveryRoutes,
  ...accountRoutes,
  ...contractRoutes,
  ...indexerRoutes,
  ...intentRoutes,
  ...projectRoutes,
  ...operationRoutes,
  ...transactionRoutes
]

type PublicNeeds<Each> = Each extends PublicRoute<infer R> ? R : never
type SignedNeeds<Each> = Each extends SignedRoute<infer R> ? R : never
type Each = (typeof routes)[number]

/** Every public route with what their handlers together need. */
export const allRoutes: ReadonlyArray<Route<PublicNeeds<Each>, SignedNeeds<Each>>> = routes
