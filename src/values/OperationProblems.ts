/** The codes of the semantic operations. */
import { entry } from "./ProblemEntry.ts"

const input = {
  INVALID_PROJECT_IDENTIFIER: entry(400, "The text names no chain and project id."),
  AMBIGUOUS_PROJECT: entry(400, "A bare project id does not say which chain it is on."),
  UNSUPPORTED_PROJECT_URL: entry(422, "The URL is not one that names a project."),
  UNSUPPORTED_VERSION: entry(422, "The record is of another protocol version than 6."),
  INVALID_MEMO: entry(400, "The memo is longer than it may be."),
  CONFIGURATION_TOO_LARGE: entry(400, "The configuration is larger than the service prepares."),
  METADATA_TOO_LARGE: entry(400, "The canonical metadata is larger than 64 KiB."),
  CALLDATA_INVALID: entry(400, "The calldata is not the strict encoding of a function of this contract."),
  UPSTREAM_FAILURE: entry(502, "A source that the value comes from failed."),
  UPSTREAM_ERROR: entry(502, "A source that the value comes from answered an error."),
  UPSTREAM_INVALID_RESPONSE: entry(502, "A source answered something that does not fit what was asked."),
  NOT_CONFIGURED: entry(503, "This deployment has no configuration for it.", false)
} as const

const identity = {
  PROJECT_NOT_FOUND: entry(404, "The chain has no such project."),
  PROJECT_WITHOUT_CONTROLLER: entry(
    422,
    "The project exists, but no controller is set for it: it has no rulesets, terminals or tokens until its owner launches rulesets."
  ),
  FUNCTION_NOT_FOUND: entry(404, "The contract has no function with this name."),
  REFERENCE_NOT_FOUND: entry(404, "The bundle has no such reference."),
  INTENT_NOT_FOUND: entry(404, "The service holds no such intent."),
  DEPLOYMENT_UNCONFIRMED: entry(
    409,
    "The transaction is not in the chain yet, or not as deep as the chain's confirmations.",
    true
  ),
  DEPLOYMENT_UNPROVED: entry(
    422,
    "The chain does not prove that the transaction deployed the intent; context says what is missing."
  ),
  TRACE_UNAVAILABLE: entry(
    422,
    "The chain's node traces no transactions, so nothing is known of the calls inside this one."
  ),
  DEPLOYMENT_UNAVAILABLE: entry(422, "The contract is not deployed on this chain."),
  UNSUPPORTED_CONTROLLER: entry(422, "The project's controller is not the canonical one."),
  UNSUPPORTED_CONFIGURATION: entry(
    422,
    "The project is configured in a way that the operation cannot judge."
  ),
  UNSUPPORTED_TERMINAL: entry(422, "The project's terminal is not one that the service knows."),
  UNSUPPORTED_TERMINAL_ACCOUNTING: entry(
    422,
    "The terminal's accounts are not kept where the service can read them."
  ),
  UNSUPPORTED_721_HOOK: entry(422, "The hook is not a clone of the canonical 721 hook."),
  INVALID_721_IDENTITY: entry(422, "The 721 hook does not say that it belongs to this project and store."),
  INVALID_721_DEPLOYER: entry(422, "The 721 hook deployer does not rest on the canonical contracts."),
  INVALID_REVNET_IDENTITY: entry(422, "The revnet's contracts do not agree on what it is."),
  NOT_A_REVNET: entry(422, "The revnet deployer has no configuration of this project."),
  UNSUPPORTED_REVNET_DEPENDENCY: entry(422, "The revnet deployer rests on a contract that is not canonical."),
  UNSUPPORTED_REVNET_CONFIGURATION: entry(
    422,
    "The revnet is configured in a way that the operation cannot judge."
  ),
  READ_LIMIT_EXCEEDED: entry(422, "The record has more parts than one read takes."),
  INVENTORY_NOT_ENUMERATED: entry(422, "The contracts do not list these holdings."),
  LOG_RANGE_REQUIRED: entry(422, "Events are read only for a holder and a range of blocks."),
  AMOUNT_PREVIEW_REQUIRED: entry(422, "The value depends on an amount that was not given.")
} as const

const quotes = {
  NO_ACTIVE_RULESET: entry(422, "The project has no active ruleset."),
  NO_PAYMENT_ROUTE: entry(422, "No terminal of the project takes this token."),
  UNSUPPORTED_ROUTER_GATEWAY: entry(422, "The router's gateway is not one that the service knows."),
  INVALID_PREVIEW: entry(422, "The terminal's preview contradicts the project's state."),
  TERMINAL_NOT_REGISTERED: entry(422, "The directory does not list the terminal for this project."),
  TOKEN_NOT_ACCEPTED: entry(422, "The terminal keeps no account in this token for the project."),
  NOTHING_TO_RECLAIM: entry(422, "Cashing out this amount gives nothing back."),
  CASH_OUT_ROUTE_REQUIRES_REQUOTE: entry(
    422,
    "The route of the cash out changed; ask for a new quote.",
    true
  ),
  NOTHING_TO_PAY_OUT: entry(422, "The payout limit leaves nothing to pay out."),
  PAYOUT_LIMIT_EXCEEDED: entry(422, "The payout limit leaves less to pay out than was asked for."),
  SCENARIO_OVERFLOW: entry(400, "The scenario's numbers leave the range of the contracts."),
  CUSTOM_HOOK_MODEL_UNSUPPORTED: entry(422, "A custom hook decides, which no model foresees."),
  PERMISSION_DENIED: entry(422, "The account may not do this for the project."),
  PERMISSION_REQUIRED: entry(422, "The account lacks a permission that the project's owner has to grant.")
} as const

const loans = {
  INVALID_LOAN_SOURCE: entry(400, "The loan source is not one of the revnet."),
  UNSUPPORTED_LOAN_FEES: entry(422, "The loan's fees are not ones that the operation can quote."),
  INSUFFICIENT_LOAN_SOURCE_SURPLUS: entry(422, "The source holds less than the loan would take."),
  INSUFFICIENT_COLLATERAL: entry(422, "The holder has fewer tokens than the collateral."),
  NOTHING_BORROWABLE: entry(422, "The collateral allows no loan."),
  MISSING_LOAN_PERMISSION: entry(422, "The account may not borrow for the holder."),
  HOLDER_BURN_GRANT_REQUIRED: entry(422, "The holder has not let the loans contract burn the collateral."),
  INACTIVE_LOAN: entry(422, "The loan does not exist or is closed."),
  LOAN_EXPIRED: entry(422, "The loan is past the time at which it can be repaid."),
  EXCESS_COLLATERAL_RETURN: entry(422, "More collateral is asked back than the loan holds."),
  PARTIAL_REPAY_QUOTE_UNAVAILABLE: entry(422, "The contract gives no quote for this partial repayment."),
  REMAINING_COLLATERAL_SUPPORTS_EXCESS_DEBT: entry(
    422,
    "The remaining collateral supports more than the remaining debt."
  ),
  NOTHING_TO_REPAY: entry(422, "The repayment changes nothing."),
  INSUFFICIENT_REPAYMENT_MAXIMUM: entry(422, "The repayment costs more than the given maximum."),
  NOTHING_TO_AUTO_ISSUE: entry(422, "Nothing is left to issue to this beneficiary in this stage."),
  STAGE_NOT_STARTED: entry(422, "The stage has not started."),
  SUCKER_DEPLOYER_NOT_ALLOWED: entry(422, "The sucker registry does not allow this deployer."),
  SUCKER_TOKEN_NOT_ACCEPTED: entry(422, "A mapped token is not among the accepted ones."),
  EXPLICIT_NFT_PRICING_REQUIRED: entry(422, "The shop's prices have to be configured for this base currency.")
} as const

const bridges = {
  UNSUPPORTED_REMOTE_PEER: entry(422, "The bridge's peer is not an EVM address."),
  BRIDGE_IDENTITY_MISMATCH: entry(422, "The two ends of the bridge do not name each other."),
  TRANSPORT_NOT_IDENTIFIED: entry(422, "The bridge does not say which transport it uses."),
  BRIDGE_PAIR_NOT_VERIFIED: entry(422, "The other end of the bridge was not verified."),
  UNTRUSTED_SUCKER: entry(422, "The registry does not list the sucker for this project."),
  SUCKER_PROJECT_MISMATCH: entry(422, "The sucker belongs to another project."),
  CLAIM_BENEFICIARY_MISMATCH: entry(422, "The claim is for another beneficiary."),
  CLAIM_ALREADY_EXECUTED: entry(422, "The claim was executed before."),
  UNKNOWN_SUCKER_TRANSPORT: entry(422, "The sucker's transport is not one that the service knows."),
  NO_VERIFIED_TRANSPORT_VALUE: entry(422, "No value for the transport's fee could be verified."),
  BUYBACK_NOT_CONFIGURED: entry(422, "The project uses no buyback hook."),
  UNSUPPORTED_BUYBACK_IMPLEMENTATION: entry(422, "The buyback hook is not one that the service knows."),
  POOL_ALREADY_SET: entry(422, "The project's pool for this token is set already."),
  POOL_NOT_SET: entry(422, "The project has no pool for this token."),
  POOL_NOT_INITIALIZED: entry(422, "The pool has no price yet."),
  ORACLE_UNSET: entry(422, "The pool has no oracle."),
  INVALID_POOL_PAIR: entry(400, "The pool does not pair the project's token with this one."),
  REGISTRY_NOT_CONFIGURED: entry(422, "The registry has nothing set for this project."),
  HOOK_LOCKED: entry(422, "The project's hook is locked."),
  HOOK_NOT_ALLOWED: entry(422, "The registry does not allow this hook."),
  CIRCULAR_ROUTER: entry(422, "The router would route to itself."),
  TERMINAL_LOCKED: entry(422, "The project's terminal is locked."),
  TERMINAL_NOT_ALLOWED: entry(422, "The registry does not allow this terminal.")
} as const

const shops = {
  NO_721_SHOP: entry(422, "The project has no 721 shop."),
  NFT_HOOK_NOT_INVOKED: entry(422, "The payment would not reach the 721 hook."),
  NFT_ROUTER_UNSUPPORTED: entry(422, "The payment would pass a router, which hides it from the 721 hook."),
  NFT_ROUTE_PREVIEW_MISMATCH: entry(422, "The route's preview contradicts the 721 hook's."),
  NFT_PRICE_UNAVAILABLE: entry(422, "The price of the tiers cannot be told in this token."),
  INVALID_NFT_PREVIEW: entry(422, "The 721 hook's preview contradicts the request."),
  NFT_CREDITS_RESTRICTED: entry(422, "A tier cannot be bought with credits."),
  NFT_OVERSPENDING: entry(422, "The shop refuses to be paid more than the price."),
  MAX_TIERS_EXCEEDED: entry(422, "The shop would have more tiers than it can."),
  NFT_FLAG_CONFLICT: entry(422, "A tier breaks a rule that the shop fixed for good."),
  NFT_RESERVE_BENEFICIARY_REQUIRED: entry(400, "A tier with reserves names nobody who receives them."),
  NFT_TIER_NOT_REMOVABLE: entry(
    422,
    "The tier cannot be removed: it was created so, or the shop does not have it."
  ),
  TOKEN_DECIMALS_MISMATCH: entry(422, "The token has other decimals than were given."),
  MISSING_PRICE_FEED: entry(422, "No price feed joins the two currencies.")
} as const

export const operationProblems = { ...input, ...identity, ...quotes, ...loans, ...bridges, ...shops } as const
