/** Where each declared endpoint is: the client's own light table, typed by the declarations and compared with them by a test. */
import type * as Accounts from "../http/api/Accounts.ts"
import type * as Contracts from "../http/api/Contracts.ts"
import type * as Discovery from "../http/api/Discovery.ts"
import type * as Indexer from "../http/api/Indexer.ts"
import type * as Intents from "../http/api/Intents.ts"
import type * as Operations from "../http/api/Operations.ts"
import type * as PlanOperations from "../http/api/PlanOperations.ts"
import type * as Projects from "../http/api/Projects.ts"
import type * as Sessions from "../http/api/Sessions.ts"
import type * as Sponsorships from "../http/api/Sponsorships.ts"
import type * as Transactions from "../http/api/Transactions.ts"
import type * as UserOperationSubmissions from "../http/api/UserOperationSubmissions.ts"
import type * as UserOperations from "../http/api/UserOperations.ts"
import type * as WalletPayments from "../http/api/WalletPayments.ts"
import type * as Wallets from "../http/api/Wallets.ts"

/** `keyed`: signed, and a repeat under the same idempotency key gives the stored result. */
export type EndpointAccess = "public" | "signed" | "keyed"

export interface ClientEndpoint<Success> {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  readonly at: `/${string}`
  readonly access: EndpointAccess
  /** Never set: it carries the type of the answer. */
  readonly answer?: Success
}

interface Declared<Success> {
  readonly successSchema: { readonly Type: Success }
}

type AnswerOf<D> = D extends Declared<infer Success> ? Success : never

type Catalog = ReturnType<typeof Operations.operationCatalog>

const endpoint = <D>(
  access: EndpointAccess,
  method: ClientEndpoint<unknown>["method"],
  below: `/${string}` | ""
): ClientEndpoint<AnswerOf<D>> => ({ method, at: `/api/v1${below}`, access })

const bindings = "/smart-accounts/bindings"
const operations = "/user-operations"
const reviews = "/wallet/payment-reviews"
const sessions = "/smart-accounts/sessions"

export const endpoints = {
  getServiceIndex: endpoint<typeof Discovery.getServiceIndex>("public", "GET", ""),
  getOpenApi: endpoint<typeof Discovery.openapi>("public", "GET", "/openapi.json"),
  getCapabilities: endpoint<typeof Discovery.capabilities>("public", "GET", "/capabilities"),
  listContracts: endpoint<typeof Discovery.listContracts>("public", "GET", "/catalog/contracts"),
  getContract: endpoint<typeof Discovery.contract>("public", "GET", "/catalog/contract"),
  getMethod: endpoint<typeof Discovery.method>("public", "GET", "/catalog/method"),
  listOperations: endpoint<Catalog["operations"]>("public", "GET", "/catalog/operations"),
  getOperation: endpoint<Catalog["operation"]>("public", "GET", "/catalog/operations/:id"),
  getIndexerCatalog: endpoint<typeof Indexer.indexerCatalog>("public", "GET", "/catalog/indexer"),
  getIndexerStatus: endpoint<typeof Indexer.indexerStatus>("signed", "GET", "/indexer/status"),
  getIndexerMetadata: endpoint<typeof Indexer.indexerMetadata>("signed", "GET", "/indexer/_meta/record"),
  listIndexerEntity: endpoint<typeof Indexer.indexerList>("signed", "GET", "/indexer/:entity"),
  getIndexerRecord: endpoint<typeof Indexer.indexerRecord>("signed", "GET", "/indexer/:entity/record"),
  enrollAccount: endpoint<typeof Accounts.enroll>("signed", "POST", "/accounts/enroll"),
  getAccount: endpoint<typeof Accounts.show>("signed", "GET", "/accounts/me"),
  replaceProfile: endpoint<typeof Accounts.replaceProfile>("signed", "PATCH", "/accounts/me"),
  listBots: endpoint<typeof Accounts.listBots>("signed", "GET", "/accounts/me/bots"),
  registerBot: endpoint<typeof Accounts.registerBot>("signed", "POST", "/accounts/me/bots"),
  revokeBot: endpoint<typeof Accounts.revokeBot>("signed", "DELETE", "/accounts/me/bots/:grantId"),
  resolveContract: endpoint<typeof Contracts.resolveContract>("signed", "GET", "/protocol/resolve"),
  readContract: endpoint<typeof Contracts.readContract>("signed", "GET", "/protocol/read"),
  publishIntent: endpoint<typeof Intents.publishIntent>("signed", "POST", "/intents"),
  recordIntentDeployment: endpoint<typeof Intents.recordDeployment>(
    "signed",
    "POST",
    "/intents/:id/deployments"
  ),
  searchIntents: endpoint<typeof Intents.searchIntents>("signed", "GET", "/intents"),
  getProject: endpoint<typeof Projects.getProjectView>("signed", "GET", "/projects/:chainId/:projectId"),
  getOmnichainProject: endpoint<typeof Projects.getOmnichainProject>(
    "signed",
    "GET",
    "/projects/:chainId/:projectId/omnichain"
  ),
  readOperation: endpoint<ReturnType<typeof Operations.readOperation>>("signed", "GET", "/operations/:id"),
  prepareOperation: endpoint<ReturnType<typeof PlanOperations.prepareOperation>>(
    "keyed",
    "POST",
    "/operations/:id/plans"
  ),
  createPlan: endpoint<ReturnType<typeof Transactions.createPlan>>("keyed", "POST", "/plans"),
  listPlans: endpoint<typeof Transactions.listPlans>("signed", "GET", "/plans"),
  getPlan: endpoint<typeof Transactions.showPlan>("signed", "GET", "/plans/:id"),
  simulateStep: endpoint<typeof Transactions.simulateStep>(
    "signed",
    "GET",
    "/plans/:id/steps/:step/simulation"
  ),
  submitStep: endpoint<typeof Transactions.submitStep>("keyed", "POST", "/plans/:id/steps/:step/submissions"),
  submitBundle: endpoint<typeof Transactions.submitBundle>("keyed", "POST", "/plans/:id/submissions"),
  createSponsorship: endpoint<typeof Sponsorships.createSponsorship>("keyed", "POST", "/sponsorships"),
  listSponsorships: endpoint<typeof Sponsorships.listSponsorships>("signed", "GET", "/sponsorships"),
  getSponsorship: endpoint<typeof Sponsorships.showSponsorship>("signed", "GET", "/sponsorships/:id"),
  submitSponsorship: endpoint<typeof Sponsorships.publishSponsorship>(
    "keyed",
    "POST",
    "/sponsorships/:id/submissions"
  ),
  createFundingPlan: endpoint<typeof Sponsorships.createFundingPlan>(
    "keyed",
    "POST",
    "/sponsorships/:id/funding-plans"
  ),
  getSmartAccountCapabilities: endpoint<typeof Wallets.smartAccountCapabilities>(
    "signed",
    "GET",
    "/smart-accounts/capabilities"
  ),
  createCreationPlan: endpoint<typeof Wallets.createCreationPlan>(
    "signed",
    "POST",
    "/smart-accounts/creation-plans"
  ),
  createBindingChallenge: endpoint<typeof Wallets.createBindingChallenge>(
    "signed",
    "POST",
    "/smart-accounts/binding-challenges"
  ),
  createBinding: endpoint<typeof Wallets.createBinding>("signed", "POST", bindings),
  listBindings: endpoint<typeof Wallets.listBindings>("signed", "GET", bindings),
  getBinding: endpoint<typeof Wallets.showBinding>("signed", "GET", `${bindings}/:id`),
  deleteBinding: endpoint<typeof Wallets.unlinkBinding>("signed", "DELETE", `${bindings}/:id`),
  createWalletPlan: endpoint<ReturnType<typeof Wallets.createWalletPlan>>(
    "keyed",
    "POST",
    `${bindings}/:id/plans`
  ),
  createUserOperation: endpoint<typeof UserOperations.createUserOperation>("keyed", "POST", operations),
  listUserOperations: endpoint<typeof UserOperations.listUserOperations>("signed", "GET", operations),
  getUserOperation: endpoint<typeof UserOperations.showUserOperation>("signed", "GET", `${operations}/:id`),
  submitUserOperation: endpoint<typeof UserOperationSubmissions.sendUserOperation>(
    "keyed",
    "POST",
    `${operations}/:id/submissions`
  ),
  reviewSession: endpoint<typeof Sessions.reviewSession>("signed", "POST", "/smart-accounts/session-reviews"),
  createSession: endpoint<typeof Sessions.createSession>("keyed", "POST", sessions),
  listSessions: endpoint<typeof Sessions.listSessions>("signed", "GET", sessions),
  getSession: endpoint<typeof Sessions.showSession>("signed", "GET", `${sessions}/:id`),
  getSessionQuota: endpoint<typeof Sessions.showSessionQuota>("signed", "GET", `${sessions}/:id/quota`),
  createPaymentReview: endpoint<typeof WalletPayments.createPaymentReview>("keyed", "POST", reviews),
  getPaymentReview: endpoint<typeof WalletPayments.showPaymentReview>("signed", "GET", `${reviews}/:id`),
  createCredential: endpoint<typeof WalletPayments.createCredential>("signed", "POST", "/wallet/credentials"),
  createActivationPlan: endpoint<typeof Sessions.createActivationPlan>(
    "keyed",
    "POST",
    `${sessions}/:id/activation-plans`
  ),
  createRevocationPlan: endpoint<typeof Sessions.createRevocationPlan>(
    "keyed",
    "POST",
    `${sessions}/:id/revocation-plans`
  )
} as const

/** The same place with the answer of one entity or operation. */
export const answering = <Success>({
  method,
  at,
  access
}: ClientEndpoint<unknown>): ClientEndpoint<Success> => ({
  method,
  at,
  access
})
