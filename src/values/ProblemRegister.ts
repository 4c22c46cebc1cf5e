/** Every problem code a client can meet: its status, whether a retry can help, and one sentence on when it happens. */
import { operationProblems } from "./OperationProblems.ts"
import { operationSubmissionProblems } from "./OperationSubmissionProblems.ts"
import { entry } from "./ProblemEntry.ts"
import { sessionProblems } from "./SessionProblems.ts"
import { smartAccountProblems } from "./SmartAccountProblems.ts"
import { sponsorshipProblems } from "./SponsorshipProblems.ts"
import { userOperationProblems } from "./UserOperationProblems.ts"
import { walletPaymentProblems } from "./WalletPaymentProblems.ts"

const http = {
  INVALID_REQUEST_TARGET: entry(
    400,
    "The request target breaks a rule of the service, such as its length or its characters."
  ),
  NONCANONICAL_REQUEST_TARGET: entry(
    400,
    "URL parsing would change the raw path or query, so the target could be read in two ways."
  ),
  ENDPOINT_NOT_FOUND: entry(404, "No route has this path."),
  METHOD_NOT_ALLOWED: entry(
    405,
    "The path exists but not with this method; the Allow header lists the methods."
  ),
  GET_BODY_UNSUPPORTED: entry(400, "A GET or HEAD request declares a body."),
  UNSUPPORTED_ENCODING: entry(
    415,
    "The body has a Content-Encoding other than identity, or is transferred in another way than chunks, or in too many."
  ),
  UNSUPPORTED_MEDIA_TYPE: entry(415, "The body is not application/json, or in another charset than UTF-8."),
  BODY_TOO_LARGE: entry(413, "The declared or actual body size is over the route's bound."),
  BODY_TIMEOUT: entry(408, "The body was not complete within its deadline.", true),
  INVALID_UTF8: entry(400, "The body or a JSON query value is not valid UTF-8."),
  INVALID_JSON: entry(400, "The body or a JSON query value is not valid JSON."),
  JSON_TOO_COMPLEX: entry(400, "The JSON is nested too deep or has too many nodes."),
  UNSAFE_JSON_NUMBER: entry(400, "A JSON integer is beyond 2^53-1; send it as a decimal string."),
  RESERVED_JSON_KEY: entry(400, "A JSON object has a key that is never accepted."),
  DUPLICATE_JSON_KEY: entry(400, "A JSON object has the same key twice."),
  INVALID_QUERY: entry(400, "A query parameter is unknown to the route or given more than once."),
  MISSING_PARAMETER: entry(400, "A required parameter is absent or empty."),
  INVALID_PARAMETER: entry(400, "A path or query parameter has the wrong shape."),
  INVALID_INPUT: entry(
    400,
    "The body or input does not fit its schema; context names the member and what was expected."
  ),
  RESPONSE_TOO_LARGE: entry(502, "The answer would be larger than the service sends.", false),
  SERVICE_BUSY: entry(429, "The process has as much work as it accepts."),
  RATE_LIMITED: entry(429, "A request quota of the current window is spent."),
  REQUEST_TIMEOUT: entry(504, "The request was not answered within its deadline."),
  SHUTTING_DOWN: entry(503, "The process is draining and takes no new work."),
  DATABASE_UNAVAILABLE: entry(
    503,
    "The database cannot be reached or written, or a lock or statement took too long."
  ),
  INTERNAL_ERROR: entry(500, "The service failed in a way it did not foresee.")
} as const

const authentication = {
  AUTH_REQUIRED: entry(401, "A required signature header is missing."),
  INVALID_AUTH: entry(400, "A signature header is malformed or repeated."),
  AUTH_EXPIRED: entry(401, "The signed time window is over, too far ahead, inverted or too long."),
  INVALID_SIGNATURE: entry(401, "The signature is not by the claimed signer."),
  VERIFIER_UNAVAILABLE: entry(
    401,
    "The signature is not by the owner's key, and no node told in time whether a contract wallet at the owner's address takes it.",
    true
  ),
  FORBIDDEN: entry(
    403,
    "The signer is neither the owner nor an active grant with the needed scope for this route."
  ),
  ACCOUNT_NOT_FOUND: entry(404, "The account is not enrolled; only its owner is told so."),
  GRANT_NOT_FOUND: entry(404, "The account has no such grant."),
  NONCE_REUSED: entry(
    409,
    "The account has already used this nonce, perhaps by this very request, delivered twice: the same request and Idempotency-Key under a new nonce tells what became of it."
  ),
  INVALID_BOT_PROOF: entry(
    400,
    "The proof is not the bot key's signature, 65 bytes with v 27 or 28, over these fields and this request's nonce."
  ),
  STORAGE_LIMIT: entry(429, "A bound on stored records is reached; context names it."),
  OWNER_APPROVAL_REQUIRED: entry(
    428,
    "A bot submission that needs a new dispatch carries no owner approval."
  ),
  INVALID_OWNER_APPROVAL: entry(
    400,
    "The owner approval has an unknown member, a wrong shape or too long a window."
  ),
  OWNER_APPROVAL_MISMATCH: entry(
    409,
    "The owner approval is for another account, principal, record, commitment, step or hash."
  ),
  INVALID_OWNER_APPROVAL_SIGNATURE: entry(
    403,
    "The owner approval does not carry the owner's signature in a form that is taken."
  ),
  OWNER_APPROVAL_EXPIRED: entry(403, "The owner approval is expired or issued too far in the future.")
} as const

const relay = {
  IDEMPOTENCY_REQUIRED: entry(400, "The route needs a signed Idempotency-Key header."),
  IDEMPOTENCY_CONFLICT: entry(409, "The idempotency key already names another request."),
  OPERATION_NOT_FOUND: entry(404, "The route has no operation with this id."),
  SOURCE_REQUIRED: entry(400, "Several sources serve the operation and none was chosen."),
  SOURCE_NOT_SUPPORTED: entry(400, "The chosen source is not among those of the operation."),
  PLAN_ACCOUNT_MISMATCH: entry(
    403,
    "The planned wallet is neither the owner's wallet nor the bound one that the plan is asked for."
  ),
  INVALID_PLAN: entry(400, "The plan's shape, count or dependencies break a rule."),
  INVALID_PLAN_CALL: entry(400, "A call of the plan breaks a rule."),
  INVALID_PLAN_EVIDENCE: entry(400, "The block evidence of the plan breaks a rule."),
  PLAN_TOO_LARGE: entry(413, "The plan is larger than the service stores."),
  PLAN_EVIDENCE_REORGED: entry(409, "A block that the plan rests on is no longer canonical."),
  PLAN_NOT_FOUND: entry(404, "There is no such plan for this principal."),
  STEP_NOT_FOUND: entry(404, "The plan has no such step."),
  PLAN_EXPIRED: entry(
    409,
    "The plan is past its expiry: nothing of it is simulated, and no step is admitted that was not before; an admitted step's own bytes may be submitted again."
  ),
  DEPENDENCIES_UNCONFIRMED: entry(409, "An earlier step that this one depends on is not satisfied."),
  STEP_ALREADY_BOUND: entry(
    409,
    "The step is bound to another transaction hash, another sponsorship or another operation, for good."
  ),
  TRANSPORT_CONFLICT: entry(409, "The step is bound to another transport for good."),
  NONCE_RESERVED: entry(
    409,
    "This sender, chain and nonce are bound to another step for good: submit that step's own bytes again, or let the wallet spend the nonce elsewhere."
  ),
  NONCE_NOT_READY: entry(409, "The signed nonce is not the wallet's current pending nonce.", true),
  CONCURRENT_UPDATE: entry(409, "The record changed meanwhile.", true),
  STEP_STATE_UNCERTAIN: entry(409, "The step was settled and the node no longer knows its transaction."),
  INVALID_BUNDLE: entry(400, "The bundle is not 1 to 32 well-formed items of distinct steps."),
  INVALID_SIGNED_TRANSACTION: entry(
    400,
    "The signed transaction cannot be decoded or is not in canonical form."
  ),
  INVALID_TRANSACTION_SIGNATURE: entry(
    400,
    "The transaction's signature values are out of range or not low-s."
  ),
  INVALID_FEE_ENVELOPE: entry(400, "The priority fee is above the maximum fee."),
  UNSUPPORTED_TRANSACTION_TYPE: entry(
    422,
    "The transaction is of a type that the relay does not take, or creates a contract."
  ),
  SIGNED_PLAN_MISMATCH: entry(
    409,
    "The signed transaction differs from the planned call; context names the members."
  ),
  TRANSACTION_FEE_BOUND: entry(422, "The gas limit or the fee cap is over the configured bound."),
  TRANSACTION_COST_BOUND: entry(422, "The maximum cost is over the configured bound."),
  ACCESS_LIST_BOUND: entry(422, "The access list is over the configured bound."),
  INSUFFICIENT_BALANCE: entry(
    422,
    "The wallet's balance does not cover what the transaction or the plan takes."
  ),
  SIGNED_FEE_BELOW_BASE_FEE: entry(422, "The signed fee cap is below the current base fee."),
  SIGNED_GAS_TOO_LOW: entry(422, "The signed gas limit is below the current estimate."),
  SIMULATION_REVERTED: entry(422, "The exact call reverts against current state."),
  SIMULATION_REORGED: entry(409, "The block changed during the simulation.", true),
  BROADCAST_PERSISTENCE_UNCERTAIN: entry(503, "The transaction was perhaps sent and the outcome not stored.")
} as const

const chain = {
  UNSUPPORTED_CHAIN: entry(400, "The service is not configured for this chain."),
  RPC_UNAVAILABLE: entry(502, "The chain's node cannot be reached or refused the call."),
  RPC_INVALID_RESPONSE: entry(502, "The chain's node answered something that does not fit its protocol."),
  RPC_CHAIN_MISMATCH: entry(502, "The node serves another chain than the one it is configured for."),
  RPC_BEHIND: entry(503, "The chain's nodes are behind the head of the chain."),
  RPC_TIMEOUT: entry(504, "The chain's node did not answer in time."),
  RPC_BUDGET: entry(
    429,
    "The upstream calls of this minute are spent: the account's share, or all that the process has; context says whose."
  ),
  BLOCK_UNAVAILABLE: entry(404, "The requested block is not mined or not available."),
  CONTRACT_NOT_FOUND: entry(404, "The catalog has no such contract."),
  ABI_NOT_FOUND: entry(404, "The contract has no variant with this ABI hash."),
  METHOD_NOT_FOUND: entry(404, "The ABI has no method with this signature."),
  CONTRACT_NOT_EXECUTABLE: entry(
    422,
    "The catalog entry is an interface, abstract contract, library or script."
  ),
  PROJECT_ID_INVALID: entry(400, "The project id is not a positive decimal string of at most 256 bits."),
  ABI_ARGUMENT_INVALID: entry(400, "An argument does not fit the ABI; context names its path."),
  FUNCTION_SIGNATURE_UNKNOWN: entry(
    400,
    "The resolved ABI has no function with this full canonical signature."
  ),
  FUNCTION_MUTABILITY_MISMATCH: entry(
    422,
    "The function changes state on a read route, or does not in a plan."
  ),
  DEPLOYMENT_MISSING: entry(422, "The contract is not published on this chain."),
  DEPLOYMENT_AMBIGUOUS: entry(
    400,
    "The contract has several deployments on this chain and no address was given."
  ),
  DEPLOYMENT_CODE_MISSING: entry(422, "There is no code at the address at this block."),
  RUNTIME_CODE_MISMATCH: entry(422, "The code at the address is not the pinned code."),
  TARGET_UNVERIFIED: entry(
    422,
    "The address is neither a published deployment nor a clone that a supported factory proves."
  ),
  PROVENANCE_UNVERIFIED: entry(422, "The address is a clone whose factory or association proof failed."),
  ASSOCIATION_UNSUPPORTED: entry(422, "A project id was given and the contract has no association adapter."),
  PROJECT_COMPONENT_MISSING: entry(422, "The project has no such component."),
  PROJECT_ASSOCIATION_MISMATCH: entry(422, "The project does not use this contract."),
  CALL_REVERTED: entry(422, "The read reverts."),
  CATALOG_INTEGRITY: entry(500, "The pinned catalog does not match its hashes; the service refuses to start.")
} as const

const indexer = {
  INDEXER_INVALID_INPUT: entry(400, "An indexer parameter has the wrong shape."),
  INDEXER_UNSAFE_INTEGER: entry(400, "An integer is beyond what the indexed source carries exactly."),
  INDEXER_NETWORK_MISMATCH: entry(400, "The chain does not belong to the chosen network."),
  INDEXER_SCOPE_MISMATCH: entry(400, "The scope and the key identities disagree."),
  INDEXER_UNSUPPORTED_SCOPE: entry(400, "The entity cannot be scoped this way."),
  INDEXER_INVALID_FIELDS: entry(400, "A selected field is unknown, repeated or not selectable."),
  INDEXER_SELECTION_TOO_COMPLEX: entry(400, "The selection is over its complexity bound."),
  INDEXER_UNSUPPORTED_RELATION: entry(400, "The relation cannot be selected."),
  INDEXER_UNSUPPORTED_FILTER: entry(400, "The filter is unknown to the entity."),
  INDEXER_FILTER_TOO_COMPLEX: entry(400, "The filter is over its complexity bound."),
  INDEXER_VERSION_FIXED: entry(400, "The protocol version is fixed and cannot be filtered."),
  INDEXER_INVALID_ORDER: entry(400, "The order names a field that cannot be ordered by."),
  INDEXER_INVALID_CURSOR: entry(400, "The cursor is not one that this query was given."),
  INDEXER_COMPOSITE_KEY_REQUIRED: entry(400, "The record's key has several parts and some are missing."),
  INDEXER_ENTITY_NOT_FOUND: entry(404, "The indexer has no such entity."),
  INDEXER_NOT_CONFIGURED: entry(503, "No indexed source is configured for this network.", false),
  INDEXER_UNAVAILABLE: entry(502, "The indexed source cannot be reached."),
  INDEXER_TIMEOUT: entry(504, "The indexed source did not answer in time."),
  INDEXER_INVALID_RESPONSE: entry(502, "The indexed source answered something that does not fit its schema."),
  INDEXER_RESPONSE_TOO_LARGE: entry(502, "The indexed source answered more than the service takes.", false),
  INDEXER_GRAPHQL_ERROR: entry(502, "The indexed source refused the query."),
  INDEXER_UPSTREAM_HTTP_ERROR: entry(502, "The indexed source answered with an HTTP error."),
  INDEXER_RELATION_UNAVAILABLE: entry(502, "A relation of the indexed source could not be read."),
  INDEXER_VERSION_MISMATCH: entry(
    502,
    "The indexed source answered rows of another protocol version.",
    false
  ),
  INDEXER_IDENTITY_MISMATCH: entry(502, "The indexed source answered rows of another identity.", false),
  INDEXER_UNSUPPORTED_ENTITY: entry(422, "The indexed source does not serve this entity.")
} as const

export const ProblemRegister = {
  ...http,
  ...authentication,
  ...relay,
  ...chain,
  ...indexer,
  ...operationProblems,
  ...sponsorshipProblems,
  ...smartAccountProblems,
  ...userOperationProblems,
  ...operationSubmissionProblems,
  ...sessionProblems,
  ...walletPaymentProblems
} as const

export type ProblemCode = keyof typeof ProblemRegister

export const isProblemCode = (value: unknown): value is ProblemCode =>
  typeof value === "string" && Object.hasOwn(ProblemRegister, value)

export const problemCodes: ReadonlyArray<ProblemCode> = Object.keys(ProblemRegister).filter(isProblemCode)
