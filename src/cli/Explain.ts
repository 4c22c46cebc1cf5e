/** What a failure means for the person at the command line: exit code, message and what to do next. */
import {
  AlteredPlan,
  ClientMisuse,
  type HeldReason,
  NetworkFailure,
  NodeFailure,
  ServiceProblem,
  StepHeld,
  UnexpectedAnswer,
  WalletChainMismatch
} from "../client/Errors.ts"
import { SENT_OTHERWISE } from "../review/SentOtherwise.ts"
import type { Problem } from "../values/Problem.ts"
import type { ProblemCode } from "../values/ProblemRegister.ts"
import { CliFailure, ExitCode } from "./Failure.ts"

interface Explanation {
  readonly exitCode: ExitCode
  readonly message: string
  readonly advice: string
  readonly problem?: Problem
}

const adviceByCode: Partial<Readonly<Record<ProblemCode, string>>> = {
  ACCOUNT_NOT_FOUND: 'Enroll the account first: "service account enroll".',
  AUTH_EXPIRED: 'Compare the clocks with "service doctor"; a slow wallet needs a longer --window.',
  INVALID_SIGNATURE:
    'Save this problem (--json) and run "service verify --problem <file>" to see what differs.',
  FORBIDDEN:
    'Check who signs: "service bot list" shows scopes, expiry and revocation; some routes are the owner\'s alone.',
  GRANT_NOT_FOUND: '"service bot list" shows the grants of the account.',
  CONTRACT_NOT_FOUND: '"service catalog --search <name>" finds contract ids.',
  METHOD_NOT_FOUND: '"service catalog <contract>" lists the functions.',
  FUNCTION_SIGNATURE_UNKNOWN: '"service catalog <contract>" lists the functions with their full signatures.',
  FUNCTION_MUTABILITY_MISMATCH:
    'Functions that change state go into a plan ("service plan create"); others are read ("service read").',
  DEPLOYMENT_AMBIGUOUS: "Choose one of the addresses above with --contract-address.",
  UNSUPPORTED_CHAIN: '"service doctor" lists the chains that the service serves; choose one with --chain.',
  PLAN_NOT_FOUND:
    '"service plan list" shows the plans that this key may see; each is for whoever prepared it to submit.',
  PLAN_EXPIRED:
    'Prepare a new plan: the same verb again, or "service plan create". A step that holds the nonce is freed first: "service plan show <id>" says how.',
  OPERATION_NOT_FOUND:
    '"service op --list" shows the operations; those called by POST have verbs of their own, such as "service pay".',
  DEPENDENCIES_UNCONFIRMED: 'Wait for the earlier steps: "service plan watch <id>".',
  OWNER_APPROVAL_REQUIRED: "Give the owner's key with --owner-key-file, or submit as the owner.",
  OWNER_APPROVAL_EXPIRED: "Run the command again: it makes a fresh approval.",
  NONCE_NOT_READY:
    "Another transaction of this wallet is pending or was mined; wait for it and run the command again.",
  NONCE_RESERVED:
    'Let that step confirm first, or submit its own bytes again with --raw: "service plan show <id>" says where it stands. Where those are refused, spend the nonce on a transaction of the wallet\'s own.',
  STEP_ALREADY_BOUND: 'The step has its transaction already: "service plan watch <id>".',
  SIGNED_PLAN_MISMATCH: "Sign exactly the planned chain, destination, calldata and value.",
  SIMULATION_REVERTED:
    "The call would fail now; read the reason above and prepare a plan that fits the state.",
  INSUFFICIENT_BALANCE: "Fund the wallet, ask for less or lower the fee cap with --max-fee.",
  SIGNED_FEE_BELOW_BASE_FEE: "Raise the fee cap with --max-fee.",
  SIGNED_GAS_TOO_LOW: "Raise the gas limit with --gas.",
  SESSION_NOT_FOUND: '"service session list" shows the sessions that this key may see.',
  SESSION_NOT_ACTIVE: '"service session show <id>" says what it is, and what brings it on.',
  SESSION_CALL_REFUSED:
    'The policy has no such call: "service session show <id>" says what it has. Nothing was sent.',
  SESSION_PLAN_NOT_REPLACEABLE:
    'The plan that is admitted may still be executed. The owners can always revoke without it: "service session revoke --bare".',
  SESSION_BUDGET_EXHAUSTED:
    '"service session quota <id>" shows what is left; what is used up comes back with another session alone.',
  SESSION_RETIREMENT_REQUIRED:
    'Where the context has a call, it uses up the nonce of what was sent under an earlier session: "service plan create --wallet <address> --contract EntryPoint --function incrementNonce --args <its args>", or any interface for Safes. Else "service session list --wallet <address>" shows the other: revoke it, and wait until that is final.',
  SESSION_CONFLICT: "Leave nonce and generation out of the file, or take others.",
  FORWARDER_TARGET_UNTRUSTED:
    'The step\'s contract takes no requests through a forwarder, as a token\'s approval does not: send that step with "service plan submit <plan> <step>", then have the rest paid for with "service sponsor <plan>".',
  FORWARDER_ACCOUNT_UNSUPPORTED:
    "A wallet with code cannot sign for a forwarder: send the plan as its own transaction.",
  FORWARD_GAS_BOUND: "The step needs more gas than the service has forwarded: send it as the wallet's own.",
  FORWARDER_UNAVAILABLE: "Nobody else can pay on that chain: run the command without --sponsor.",
  SPONSORSHIP_UNAVAILABLE:
    'This service has no provider that pays: run the command without --sponsor, or "service plan submit".',
  SPONSORSHIP_NOT_FOUND: '"service sponsor list" shows the sponsorships that this key may see.',
  FORWARD_NONCE_RESERVED:
    'Another request of this wallet was published and is not executed yet: "service sponsor list" shows it; go on with its plan first.',
  SPONSORSHIP_CONFLICT:
    'Nothing is published or paid for twice: read the reason above. A payment that the context names by its transaction is taken up by "service plan record <plan> 0 <hash>", with the plan that pays: "service sponsor show <id>" names it.',
  TRANSPORT_CONFLICT:
    'The step left by another way already: "service plan show <id>" says which; a sponsored one goes on with "service sponsor <id>".',
  SMART_ACCOUNTS_UNAVAILABLE:
    "This service supports no smart accounts: its operators have named no manifest.",
  SMART_ACCOUNT_UNDEPLOYED: 'Create it first: "service wallet create".',
  SMART_ACCOUNT_CHANGED:
    'Its owners or its contracts are not as they were when it was bound: look ("service wallet show") and bind it anew.',
  SMART_OWNER_NOT_MEMBER: "Sign as the account of one of the wallet's owners.",
  BINDING_NOT_FOUND: '"service wallet list" shows the wallets of the account.',
  BINDING_EXPIRED: "Run the command again: its owners sign a new challenge.",
  OWNER_SIGNATURES_MISMATCH: "Only the wallet's owners sign for it, each once.",
  USER_OPERATION_NOT_FOUND: 'Look at its plan: "service plan show <id>".',
  USER_OPERATION_EXPIRED:
    "Run the command again: it prepares another operation for what is left, unless the service was restored since.",
  USER_OPERATION_CONFLICT:
    'It is sent once: "service operation show <id>" says where it stands. "service operation submit <id>" with its owners\' signatures takes up one that another bundler carried.',
  USER_OPERATION_NONCE_RESERVED:
    "Another operation of this wallet is under way: follow it first. Where the context says account it is dead: its account goes on with the nonce, or the wallet's owners use it up by the call that the reason names.",
  USER_OPERATION_FUNDING_REQUIRED: "Send the wallet what the operation may cost, or have a paymaster pay.",
  USER_OPERATIONS_UNAVAILABLE: "This service has no bundler: the wallet's owners send it by other means.",
  DISPATCH_PERSISTENCE_UNCERTAIN: "Run the same command again: nothing is published twice.",
  BROADCAST_PERSISTENCE_UNCERTAIN: "Run the same command again: it sends the same bytes.",
  NONCE_REUSED:
    "Something on the way delivered this request twice, and the first was taken: look at what became of it. A command that prepares or signs a plan goes on when it is run again, and does nothing twice.",
  IDEMPOTENCY_CONFLICT:
    "The key already names another request; leave --idempotency-key out or choose a new one."
}

const NONCE_SPENT =
  'Waiting does not help: look at what the wallet sent with that nonce. Where that did not do this, sign with the next nonce, or prepare a new plan where the step has its transaction already: "service plan show <id>" says so.'

/** Of a plan from before a restoration, some of which may have left. */
const isOfRestored = ({ code, context }: Problem): boolean =>
  code === "PLAN_EXPIRED" && context?.restoredAt !== undefined

const adviceFor = (problem: Problem): string => {
  const { code, retryable, requestId } = problem
  if (isOfRestored(problem)) return adviceByReason.restored
  if (code === "NONCE_NOT_READY" && !retryable) return NONCE_SPENT
  const otherwise = retryable
    ? "Try again later."
    : `Correct the request; the service's operators find it by request id ${requestId}.`
  return adviceByCode[code] ?? otherwise
}

const problemLines = ({ code, status, title, detail, requestId, context }: Problem): string =>
  [
    `${code} (${status} ${title}): ${detail}`,
    ...Object.entries(context ?? {}).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`),
    `  request id: ${requestId}`
  ].join("\n")

/** Of what was to be done; what only reads did nothing. */
const UNKNOWN_OUTCOMES: ReadonlyArray<ProblemCode> = [
  "NONCE_REUSED",
  "BROADCAST_PERSISTENCE_UNCERTAIN",
  "DISPATCH_PERSISTENCE_UNCERTAIN",
  "DATABASE_UNAVAILABLE",
  "REQUEST_TIMEOUT",
  "INTERNAL_ERROR"
]

export const mayBeDone = (code: ProblemCode): boolean => UNKNOWN_OUTCOMES.includes(code)

const CONTINUE =
  "The service may have acted on it. Run the same command again: it continues and does nothing twice."

/** A refusal of a repeat says nothing of the attempt before it that was not answered. */
const ofProblem = ({ problem, cause, method }: ServiceProblem): Explanation => {
  const { code } = problem
  const isUnknown = method !== "GET" && (cause !== undefined || mayBeDone(code) || isOfRestored(problem))
  const goesOn = isUnknown && (cause !== undefined || adviceByCode[code] === undefined)
  return {
    exitCode: isUnknown ? ExitCode.unknown : ExitCode.refused,
    message: problemLines(problem),
    advice: goesOn ? `${adviceFor(problem)} ${CONTINUE}` : adviceFor(problem),
    problem
  }
}

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? reasonOf(cause.cause) : cause.message
}

const CHECK_ADDRESS =
  'Check the address (--url or FUNDING_URL) and that the service runs; "service doctor" looks closer.'

const staleVariable = (url: string) =>
  `FUNDING_URL names ${url}: correct it, or unset it so that the service that runs in this folder is found.`

const ofNetwork = (failure: NetworkFailure, named: string | undefined): Explanation => {
  const reads = failure.method === "GET"
  return {
    exitCode: reads ? ExitCode.network : ExitCode.unknown,
    message: `${failure.message}: ${reasonOf(failure.cause)}`,
    advice: reads ? (named === undefined ? CHECK_ADDRESS : staleVariable(named)) : CONTINUE
  }
}

const OTHER_NODE = "Use a node of the call's chain with --rpc, or sign elsewhere and give --raw."

const adviceByReason: Readonly<Record<HeldReason, string>> = {
  bytes: "Only the same bytes can be sent again: give them with --raw, or look with service plan watch.",
  nonce:
    'Go on with that step first: "service plan submit" with its plan and step sends the same bytes. Where those are refused, spend the nonce on a transaction of the wallet\'s own.',
  asked: 'Look in the wallet, and give the hash to "service plan record".',
  other: SENT_OTHERWISE,
  restored:
    "Look at what the wallet sent since. If it did not do this, another plan does it: the same verb with --anew prepares one."
}

/** `named` is the service's URL where a variable names it. */
export const explain = (failure: unknown, named?: string): Explanation => {
  if (failure instanceof CliFailure) return failure
  if (failure instanceof ServiceProblem) return ofProblem(failure)
  if (failure instanceof NetworkFailure) return ofNetwork(failure, named)
  if (failure instanceof UnexpectedAnswer)
    return {
      exitCode: failure.method === "GET" ? ExitCode.network : ExitCode.unknown,
      message: failure.message,
      advice: `Check that --url is the service's address and what proxies stand before it.${failure.method === "GET" ? "" : ` ${CONTINUE}`}`
    }
  if (failure instanceof AlteredPlan)
    return {
      exitCode: ExitCode.failedCheck,
      message: failure.message,
      advice: "Prepare a new plan and compare; check what stands between you and the service."
    }
  if (failure instanceof NodeFailure)
    return { exitCode: ExitCode.usage, message: failure.message, advice: OTHER_NODE }
  if (failure instanceof StepHeld)
    return { exitCode: ExitCode.unknown, message: failure.message, advice: adviceByReason[failure.reason] }
  if (failure instanceof WalletChainMismatch || failure instanceof ClientMisuse)
    return {
      exitCode: ExitCode.usage,
      message: failure.message,
      advice: "Correct it and run the command again."
    }
  return {
    exitCode: ExitCode.internal,
    message: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure),
    advice: "This is a fault of this program; report the command and these lines."
  }
}
