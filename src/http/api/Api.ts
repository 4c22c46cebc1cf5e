/** The whole public API as one definition: the router, the OpenAPI document and the clients read this. */
import { HttpApi, OpenApi } from "@effect/platform"
import { type Declaration, isPlan, ownDeclarations } from "../../operations/framework/Declarations.ts"
import { AccountsGroup } from "./Accounts.ts"
import { ContractsGroup } from "./Contracts.ts"
import { discoveryGroup } from "./Discovery.ts"
import { IndexerGroup } from "./Indexer.ts"
import { IntentsGroup } from "./Intents.ts"
import { operationsGroup } from "./Operations.ts"
import { ProjectsGroup } from "./Projects.ts"
import { SessionsGroup } from "./Sessions.ts"
import { SponsorshipGroup } from "./Sponsorships.ts"
import { transactionsGroup } from "./Transactions.ts"
import { UserOperationsGroup } from "./UserOperations.ts"
import { WalletPaymentsGroup } from "./WalletPayments.ts"
import { walletsGroup } from "./Wallets.ts"

/** Of a process that has these operations. */
export const apiOf = (declared: ReadonlyArray<Declaration>) =>
  HttpApi.make("signed-request-service")
    .add(discoveryGroup(declared))
    .add(AccountsGroup)
    .add(ContractsGroup)
    .add(IndexerGroup)
    .add(IntentsGroup)
    .add(ProjectsGroup)
    .add(operationsGroup(declared))
    .add(transactionsGroup(declared.filter(isPlan)))
    .add(SponsorshipGroup)
    .add(walletsGroup(declared.filter(isPlan)))
    .add(SessionsGroup)
    .add(UserOperationsGroup)
    .add(WalletPaymentsGroup)
    .annotate(OpenApi.Title, "Signed-request service")
    .annotate(OpenApi.Version, "1.0.0")

/** Without any that a team adds. */
export const Api = apiOf(ownDeclarations)
