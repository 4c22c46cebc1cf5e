/** The signing client: one typed method for every declared endpoint, in Node and in browsers. */
import { accountMethods } from "./Accounts.ts"
import { Caller, JSON_TYPE, type Keyed } from "./Caller.ts"
import { contractMethods } from "./Contracts.ts"
import { Conversation } from "./Conversation.ts"
import { discoveryMethods } from "./Discovery.ts"
import type { ServiceAnswer } from "./Exchange.ts"
import { indexerMethods } from "./Indexer.ts"
import { intentMethods } from "./Intents.ts"
import { type AddedOperation, operationMethods } from "./Operations.ts"
import { type ClientOptions, credentialsFrom, type PublicOptions, transportOf } from "./Options.ts"
import { planMethods } from "./Plans.ts"
import { projectMethods } from "./Projects.ts"
import { sessionMethods } from "./Sessions.ts"
import { smartAccountMethods } from "./SmartAccounts.ts"
import { sponsorshipMethods } from "./Sponsorships.ts"
import { memoryStore } from "./Store.ts"
import { realSystem } from "./System.ts"
import { userOperationMethods } from "./UserOperations.ts"
import { walletPaymentMethods } from "./WalletPayments.ts"

interface RequestOptions extends Keyed {
  /** The exact text that is sent. */
  readonly body?: string | undefined
  /** Of the body, `application/json` by default. */
  readonly contentType?: string | undefined
}

/** Account routes sign an idempotency key and otherwise ignore it. */
const ACCOUNT_ROUTES = "/api/v1/accounts/"

const requesting =
  (conversation: Conversation) =>
  (verb: string, target: string, options: RequestOptions = {}): Promise<ServiceAnswer<unknown>> => {
    const method = verb.toUpperCase()
    const { body, idempotencyKey, signal } = options
    const contentType = body === undefined ? undefined : (options.contentType ?? JSON_TYPE)
    const outgoing = { method, target, body, contentType, idempotencyKey }
    const isKeyed = idempotencyKey !== undefined && !target.startsWith(ACCOUNT_ROUTES)
    const repeatable = method === "GET" || (method === "POST" && isKeyed)
    return conversation.send<unknown>(() => outgoing, { repeatable, signal })
  }

/** A client for the public routes alone: discovery and the contract catalog. */
export const createPublicClient = (options: PublicOptions) => {
  const conversation = new Conversation(transportOf(options))
  return { clock: conversation.clock, ...discoveryMethods(new Caller(conversation)) }
}

/**
 * A client for one identity: an owner, or a bot under its grant. Its methods reject with `ServiceProblem` when the
 * service refuses, `NetworkFailure` or `UnexpectedAnswer` when it is not reached, `AlteredPlan` for a plan that is
 * not what it commits to, `WalletChainMismatch` before a wallet on another chain is asked, and `ClientMisuse` before
 * anything is sent. Reads, and creations under an idempotency key, are repeated on passing failures with a new
 * nonce and signature over the same bytes. Operations that a team added to the service are typed by their types:
 * `createClient<typeof theirOperation>(options)`.
 */
export const createClient = <Added extends AddedOperation = never>(options: ClientOptions) => {
  const conversation = new Conversation({ ...transportOf(options), credentials: credentialsFrom(options) })
  const caller = new Caller(conversation)
  const { account, grantId } = options
  const principalId = grantId === undefined ? `owner:${account}` : `bot:${grantId}`
  const system = options.system ?? realSystem
  const own = { accountId: account, principalId }
  const { clock } = conversation
  /** What signatures are bound to. */
  const audience = () => conversation.audience()
  const discovery = discoveryMethods(caller)
  const means = { own, audience, clock, system, store: memoryStore() }
  const plans = planMethods(caller, means)
  const carrying = { ...means, ...plans }
  const about = { account, principalId, clock, catalog: discovery.catalog }
  const wallets = smartAccountMethods(caller, carrying)
  return {
    account,
    /** Who the service sees: `owner:<accountId>` or `bot:<grantId>`. */
    principalId,
    /** The server's time as learned so far. */
    clock,
    audience,
    ...discovery,
    ...accountMethods(caller),
    ...contractMethods(caller),
    ...indexerMethods(caller),
    ...intentMethods(caller),
    ...projectMethods(caller),
    ...operationMethods<Added>(caller, system, own),
    ...plans,
    ...sponsorshipMethods(caller, about, carrying),
    ...wallets,
    ...userOperationMethods(caller, means),
    ...sessionMethods(caller, { account, ...wallets }, carrying),
    ...walletPaymentMethods(caller, means),
    /** Any signed route: `target` is the exact path and query that is signed and sent. */
    request: requesting(conversation)
  }
}

export type PublicClient = ReturnType<typeof createPublicClient>
export type Client<Added extends AddedOperation = never> = ReturnType<typeof createClient<Added>>
