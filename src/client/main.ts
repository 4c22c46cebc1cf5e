/** What the package offers to programs that call the service. */

export type { Account } from "../accounts/Account.ts"
export type { Plan, Step } from "../plans/Plan.ts"
export type { SessionPolicy } from "../sessions/PolicyShape.ts"
export type { PublicSession as Session } from "../sessions/Session.ts"
export type { SessionInput } from "../sessions/SessionInput.ts"
export type { Sponsorship } from "../sponsorship/Sponsorship.ts"
export type { PublicUserOperation as UserOperation } from "../useroperations/PublicUserOperation.ts"
export type { Problem } from "../values/Problem.ts"
export type { ProblemCode } from "../values/ProblemRegister.ts"
export type { Keyed } from "./Caller.ts"
export type { CarryProgress, SubmitOptions as CarryOutOptions } from "./CarryOut.ts"
export type { ChallengeToCheck } from "./CheckChallenge.ts"
export type { PlanToSponsor } from "./CheckSponsorship.ts"
export type { OperationToCheck } from "./CheckUserOperation.ts"
export { type Client, createClient, createPublicClient, type PublicClient } from "./Client.ts"
export { checkCommitment, commitmentOf, type PlanOwnership } from "./Commitment.ts"
export {
  AlteredPlan,
  ClientMisuse,
  NetworkFailure,
  NodeFailure,
  ServiceProblem,
  StepHeld,
  UnexpectedAnswer,
  WalletChainMismatch
} from "./Errors.ts"
export type { EntityKey, EntityPage, EntityQuery, EntityRecord } from "./Indexer.ts"
export type {
  AddedOperation,
  OperationInput,
  OperationOptions,
  OperationOutput,
  PlanOperationId,
  PlanOperationInput,
  PlanSummary,
  PreparedPlan,
  ReadOperationId as OperationId
} from "./Operations.ts"
export type { ClientOptions } from "./Options.ts"
export {
  approveSponsorship,
  approveStep,
  type OwnerApproval,
  type PublicationApproval,
  type SponsorshipToApprove,
  type StepToApprove
} from "./OwnerApproval.ts"
export {
  envelopeOfOwners as ownerEnvelope,
  packedSignatures as packSignatures,
  signChallenge,
  signUserOperation
} from "./OwnerSigning.ts"
export type { TransactionTerms } from "./PlannedTransaction.ts"
export type { BundleSubmission, PlansQuery } from "./Plans.ts"
export {
  decodedPolicy as decodePolicy,
  envelopeOfSession as sessionEnvelope,
  type SessionOperationToCheck,
  signSessionOperation
} from "./SessionSigning.ts"
export { type SignedFetchOptions, signedFetch } from "./SignedFetch.ts"
export {
  eip1193Signer,
  ethersSigner,
  type SessionSigner,
  type Signer,
  type TypedDataPayload
} from "./Signer.ts"
export { signForwardRequests } from "./SignForwardRequests.ts"
export type { SponsoredPlan, SponsorOptions, SponsorProgress } from "./SponsorPlan.ts"
export { memoryStore, type Store } from "./Store.ts"
export {
  eip1193Wallet,
  type SendingWallet,
  type SigningWallet,
  type TransactionToSend,
  type TransactionToSign,
  type TransactionWallet
} from "./TransactionWallet.ts"
export { isSettled, type StepChange, type WatchOptions } from "./WatchPlan.ts"
