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

const open = <D>(below: `/${string}` | "") => endpoint<D>("public", "GET", below)
const signed = <D>(method: ClientEndpoint<unknown>["method"], below: `/${string}`) =>
  endpoint<D>("signed", method, below)
const keyed = <D>(below: `/${string}`) => endpoint<D>("keyed", "POST", below)

const bindings = "/smart-accounts/bindings"
const operations = "/user-operations"
const reviews = "/wallet/payment-reviews"
const sessions = "/smart-accounts/sessions"

export const endpoints = {
  getServiceIndex: open<typeof Discovery.getServiceIndex>(""),
  getOpenApi: open<typeof Discovery.openapi>("/openapi.json"),
  getCapabilities: open<typeof Discovery.capabilities>("/capabilities"),
  listContracts: open<typeof Discovery.listContracts>("/catalog/contracts"),
  getContract: open<typeof Discovery.contract>("/catalog/contract"),
  getMethod: open<typeof Discovery.method>("/catalog/method"),
  listOperations: open<Catalog["operations"]>("/catalog/operations"),
  getOperation: open<Catalog["operation"]>("/catalog/operations/:id"),
  getIndexerCatalog: open<typeof Indexer.indexerCatalog>("/catalog/indexer"),
  getIndexerStatus: signed<typeof Indexer.indexerStatus>("GET", "/indexer/status"),
  getIndexerMetadata: signed<typeof Indexer.indexerMetadata>("GET", "/indexer/_meta/record"),
  listIndexerEntity: signed<typeof Indexer.indexerList>("GET", "/indexer/:entity"),
  getIndexerRecord: signed<typeof Indexer.indexerRecord>("GET", "/indexer/:entity/record"),
  enrollAccount: signed<typeof Accounts.enroll>("POST", "/accounts/enroll"),
  getAccount: signed<typeof Accounts.show>("GET", "/accounts/me"),
  replaceProfile: signed<typeof Accounts.replaceProfile>("PATCH", "/accounts/me"),
  listBots: signed<typeof Accounts.listBots>("GET", "/accounts/me/bots"),
  registerBot: signed<typeof Accounts.registerBot>("POST", "/accounts/me/bots"),
  revokeBot: signed<typeof Accounts.revokeBot>("DELETE", "/accounts/me/bots/:grantId"),
  resolveContract: signed<typeof Contracts.resolveContract>("GET", "/protocol/resolve"),
  readContract: signed<typeof Contracts.readContract>("GET", "/protocol/read"),
  publishIntent: signed<typeof Intents.publishIntent>("POST", "/intents"),
  recordIntentDeployment: signed<typeof Intents.recordDeployment>("POST", "/intents/:id/deployments"),
  searchIntents: signed<typeof Intents.searchIntents>("GET", "/intents"),
  getProject: signed<typeof Projects.getProjectView>("GET", "/projects/:chainId/:projectId"),
  getOmnichainProject: signed<typeof Projects.getOmnichainProject>(
    "GET",
    "/projects/:chainId/:projectId/omnichain"
  ),
  readOperation: signed<ReturnType<typeof Operations.readOperation>>("GET", "/operations/:id"),
  prepareOperation: keyed<ReturnType<typeof PlanOperations.prepareOperation>>("/operations/:id/plans"),
  createPlan: keyed<ReturnType<typeof Transactions.createPlan>>("/plans"),
  listPlans: signed<typeof Transactions.listPlans>("GET", "/plans"),
  getPlan: signed<typeof Transactions.showPlan>("GET", "/plans/:id"),
  simulateStep: signed<typeof Transactions.simulateStep>("GET", "/plans/:id/steps/:step/simulation"),
  submitStep: keyed<typeof Transactions.submitStep>("/plans/:id/steps/:step/submissions"),
  submitBundle: keyed<typeof Transactions.submitBundle>("/plans/:id/submissions"),
  createSponsorship: keyed<typeof Sponsorships.createSponsorship>("/sponsorships"),
  listSponsorships: signed<typeof Sponsorships.listSponsorships>("GET", "/sponsorships"),
  getSponsorship: signed<typeof Sponsorships.showSponsorship>("GET", "/sponsorships/:id"),
  submitSponsorship: keyed<typeof Sponsorships.publishSponsorship>("/sponsorships/:id/submissions"),
  createFundingPlan: keyed<typeof Sponsorships.createFundingPlan>("/sponsorships/:id/funding-plans"),
  getSmartAccountCapabilities: signed<typeof Wallets.smartAccountCapabilities>(
    "GET",
    "/smart-accounts/capabilities"
  ),
  createCreationPlan: signed<typeof Wallets.createCreationPlan>("POST", "/smart-accounts/creation-plans"),
  createBindingChallenge: signed<typeof Wallets.createBindingChallenge>(
    "POST",
    "/smart-accounts/binding-challenges"
  ),
  createBinding: signed<typeof Wallets.createBinding>("POST", bindings),
  listBindings: signed<typeof Wallets.listBindings>("GET", bindings),
  getBinding: signed<typeof Wallets.showBinding>("GET", `${bindings}/:id`),
  deleteBinding: signed<typeof Wallets.unlinkBinding>("DELETE", `${bindings}/:id`),
  createWalletPlan: keyed<ReturnType<typeof Wallets.createWalletPlan>>(`${bindings}/:id/plans`),
  createUserOperation: keyed<typeof UserOperations.createUserOperation>(operations),
  listUserOperations: signed<typeof UserOperations.listUserOperations>("GET", operations),
  getUserOperation: signed<typeof UserOperations.showUserOperation>("GET", `${operations}/:id`),
  submitUserOperation: keyed<typeof UserOperationSubmissions.sendUserOperation>(
    `${operations}/:id/submissions`
  ),
  reviewSession: signed<typeof Sessions.reviewSession>("POST", "/smart-accounts/session-reviews"),
  createSession: keyed<typeof Sessions.createSession>(sessions),
  listSessions: signed<typeof Sessions.listSessions>("GET", sessions),
  getSession: signed<typeof Sessions.showSession>("GET", `${sessions}/:id`),
  getSessionQuota: signed<typeof Sessions.showSessionQuota>("GET", `${sessions}/:id/quota`),
  createPaymentReview: keyed<typeof WalletPayments.createPaymentReview>(reviews),
  getPaymentReview: signed<typeof WalletPayments.showPaymentReview>("GET", `${reviews}/:id`),
  createCredential: signed<typeof WalletPayments.createCredential>("POST", "/wallet/credentials"),
  createActivationPlan: keyed<typeof Sessions.createActivationPlan>(`${sessions}/:id/activation-plans`),
  createRevocationPlan: keyed<typeof Sessions.createRevocationPlan>(`${sessions}/:id/revocation-plans`)
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
