/** What the sessions of wallets say of operations that a key signs in the place of the owners: what each may do, and whether it may now. */
import { Context, type Effect } from "effect"
import type { Actor } from "../accounts/Principal.ts"
import type { RpcFailure } from "../chain/refusals.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import type { ConcurrentUpdate } from "../plans/refusals.ts"
import type { InspectionPlace } from "../smartaccounts/Inspect.ts"
import type { SmartManifest } from "../smartaccounts/Manifest.ts"
import type { OperationValidity } from "../values/SafeOperation.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"
import type { UserOperation } from "../values/UserOperation.ts"
import type { StateOverride } from "./Bundler.ts"
import type { OperationSession } from "./PublicUserOperation.ts"
import type {
  SessionBudgetExhausted,
  SessionCallRefused,
  SessionNotActive,
  SessionNotFound,
  SessionObservationStale,
  SessionPlanNotAdmitted
} from "./refusals.ts"

type Refused = SessionCallRefused | SessionBudgetExhausted

/** A session at one block of its chain. */
export interface SessionSight {
  /** Whether it is active there, and has begun. */
  readonly checkActive: Effect.Effect<void, SessionNotActive | SessionObservationStale>
  /** Whether its guard would let the operation be, whoever signed it. */
  readonly checkOperation: (operation: UserOperation, operationHash: Bytes32) => Effect.Effect<void, Refused>
  /** Keeps what was seen, on which a claim rests; the wallet is known to be in the state that its owners signed for. */
  readonly keep: Effect.Effect<void, ConcurrentUpdate | DatabaseUnavailable>
}

export interface OperatedSession {
  readonly session: OperationSession
  readonly bindingId: Bytes32
  /** The validator's key of the wallet's nonces, whose lane is always the first. */
  readonly nonceKey: bigint
  /** The policy's. */
  readonly validity: OperationValidity
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** Undefined where the wallet pays. */
  readonly paymaster: Address | undefined
  /** Of an envelope, all that stands before the key's signature. */
  readonly signaturePrefix: Hex
  readonly policyBytes: number
  /** What stands there while a bundler looks for how much gas is needed, and by what the guard takes it. */
  readonly estimation: { readonly signaturePrefix: Hex; readonly stateOverride: StateOverride }
  /** What the key signs, by the operation's hash. */
  readonly digestOf: (operationHash: Bytes32) => Bytes32
  /** Whether the policy has the call at all; nobody is asked. */
  readonly checkCall: (callData: Hex) => Effect.Effect<void, SessionCallRefused>
  /** In the round trip in which all else is looked at. */
  readonly look: (
    place: InspectionPlace,
    manifest: SmartManifest,
    target: Address
  ) => Effect.Effect<SessionSight, RpcFailure>
}

export class SessionGate extends Context.Tag("useroperations/SessionGate")<
  SessionGate,
  {
    /** One of the account's, which the owner may use and the bot whose key it is. */
    readonly open: (
      actor: Actor,
      sessionId: string
    ) => Effect.Effect<OperatedSession, SessionNotFound | DatabaseUnavailable>
    /** Whether the plan may be executed, if it enables or revokes a session. */
    readonly checkPlan: (planId: string) => Effect.Effect<void, SessionPlanNotAdmitted | DatabaseUnavailable>
  }
>() {}
