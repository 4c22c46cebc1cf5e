/** Sessions as clients see them: what was compiled of what was asked for, and what became of it. */
import { Schema } from "effect"
import { Evidence } from "../values/Evidence.ts"
import {
  Address,
  Bytes32,
  ChainId,
  Hex,
  PlanId,
  Uint256,
  UnixMillis,
  UnixSeconds
} from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { SessionPolicy } from "./PolicyShape.ts"
import { AllocationGroup, SessionInput } from "./SessionInput.ts"

const checksummed = Schema.typeSchema(Address)
const exactOptional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

export const SessionId = PlanId.annotations({ identifier: "SessionId", description: "a lower-case UUID" })

export const SessionStatus = Schema.Literal(
  "revoked",
  "revoking",
  "stale",
  "expired",
  "active",
  "installing",
  "prepared"
).annotations({
  identifier: "SessionStatus",
  description:
    "prepared: nothing enables it yet; installing: the owners' plan that enables it is admitted, until its wallet is free again; active: its key may act; stale: invalidation says what keeps it from being used; revoking: the plan that revokes it is admitted; expired: its time is over, or it was given up before anything enabled it; unless reservationReleased says otherwise, only revoking it frees the wallet; revoked: its guard has it no more, for good."
})
export type SessionStatus = typeof SessionStatus.Type

export const CompiledSession = strict({
  guard: checksummed,
  policy: SessionPolicy,
  encodedPolicy: Hex,
  policyHash: Bytes32,
  permissionId: Bytes32,
  compiledHash: Bytes32.annotations({
    description: "what the owner acknowledges, the guard keeps and each operation presents"
  }),
  enableNonce: Uint256.annotations({ description: "the guard's for the wallet: it is enabled at no other" }),
  baseline: strict({ epoch: Uint256, history: Bytes32 }).annotations({
    description: "what the guard said of the wallet at the block of the preparation"
  }),
  expectedHistory: Bytes32.annotations({
    description: "what it says once exactly this was enabled upon that"
  })
}).annotations({
  identifier: "CompiledSession",
  description:
    "The policy as the guard takes it. policyHash is the Keccak-256 of encodedPolicy, permissionId that of the ABI words (chainId, guard, wallet, sessionKey, generation, nonce), compiledHash that of (chainId, guard, wallet, policyHash); compute all of it anew before anything is signed."
})
export type CompiledSession = typeof CompiledSession.Type

export const SessionCounter = strict({
  name: Schema.String.annotations({ description: "calls, gas, cost, action:<index> or allocation:<id>" }),
  used: Uint256,
  limit: Uint256,
  remaining: Uint256
}).annotations({ identifier: "SessionCounter" })
export type SessionCounter = typeof SessionCounter.Type

export const SessionObservation = strict({
  enabled: Schema.Boolean.annotations({ description: "whether the guard has the permission enabled" }),
  enableNonce: Uint256,
  epoch: Uint256,
  history: Bytes32,
  counters: Schema.Array(SessionCounter),
  evidence: Evidence,
  observedAt: UnixMillis,
  finality: strict({
    status: Schema.Literal("latest", "final"),
    finalBlock: Schema.NullOr(Uint256)
  })
}).annotations({
  identifier: "SessionObservation",
  description:
    "What the guard said of the session and of the wallet at one block. Final are blocks that the node calls finalized, or that have 256 confirmations where it calls none so."
})
export type SessionObservation = typeof SessionObservation.Type

export const LifecyclePlan = strict({
  planId: PlanId,
  planCommitment: Bytes32,
  ownerRequestDigest: Bytes32.annotations({
    description: "of the request by which the owner acknowledged the compiled hash"
  }),
  issuedAt: UnixMillis,
  expiresAt: UnixMillis
}).annotations({ identifier: "LifecyclePlan", description: "A plan by which the wallet's owners act." })
export type LifecyclePlan = typeof LifecyclePlan.Type

export const SupersededPlan = strict({
  kind: Schema.Literal("activation", "revocation"),
  ...LifecyclePlan.fields,
  supersededAt: UnixMillis
})
export type SupersededPlan = typeof SupersededPlan.Type

export const InvalidationReason = Schema.Literal(
  "configuration-changed",
  "counter-reset",
  "reorg",
  "grant-inactive",
  "binding-unlinked",
  "wallet-changed"
)
export type InvalidationReason = typeof InvalidationReason.Type

export const SessionInvalidation = strict({
  reason: InvalidationReason,
  permanent: Schema.Boolean,
  observedAt: UnixMillis
}).annotations({
  identifier: "SessionInvalidation",
  description:
    "What keeps the session from being used here. It revokes nothing onchain. configuration-changed: the guard says of the wallet what this session did not bring about; counter-reset: a counter was lower than before; reorg: what was seen is its chain's no more, until what is seen then is final; the others last as long as they say."
})
export type SessionInvalidation = typeof SessionInvalidation.Type

const { allocations, actions, gasBudget, ...unchanged } = SessionInput.fields

/** With addresses as they are shown. */
const asAsked = {
  ...unchanged,
  gasBudget: Schema.typeSchema(gasBudget),
  allocations: Schema.typeSchema(allocations),
  actions: Schema.typeSchema(actions)
}

export const PublicSession = strict({
  id: SessionId,
  ...asAsked,
  wallet: checksummed,
  chainId: ChainId,
  sessionKey: checksummed,
  validUntil: UnixSeconds,
  allocationManifestHash: Bytes32.annotations({
    description: "0x and the SHA-256 of the canonical JSON of the allocations as they were asked for"
  }),
  compiled: CompiledSession,
  state: SessionStatus,
  createdAt: UnixMillis,
  updatedAt: UnixMillis,
  revision: Schema.NonNegativeInt,
  activation: exactOptional(LifecyclePlan),
  revocation: exactOptional(LifecyclePlan),
  superseded: Schema.Array(SupersededPlan).annotations({
    description: "the 32 newest of those that another one replaced, the last replaced last"
  }),
  observation: exactOptional(SessionObservation),
  invalidation: exactOptional(SessionInvalidation),
  reservationReleased: Schema.Boolean.annotations({
    description: "whether the wallet may have another generation, as far as this one is concerned"
  }),
  revokeTransaction: strict({
    chainId: ChainId,
    wallet: checksummed,
    to: checksummed,
    value: Schema.Literal("0"),
    data: Hex,
    operation: Schema.Literal(0)
  }).annotations({
    description:
      "the Safe transaction of the wallet that revokes it: the owners can execute it without this service, and without any bundler"
  })
}).annotations({
  identifier: "Session",
  description:
    "What a bot's key may do for a wallet once the wallet's owners enabled exactly this policy at its guard. Preparing it gives no authority; unlinking, expiry and revoking the grant take none away onchain."
})
export type PublicSession = typeof PublicSession.Type

export const SessionQuota = strict({
  sessionId: SessionId,
  state: SessionStatus,
  counters: Schema.NullOr(Schema.Array(SessionCounter)).annotations({
    description: "null where the guard has not enabled it, or could not be believed"
  }),
  observation: Schema.NullOr(SessionObservation),
  approvedGroups: Schema.Array(Schema.typeSchema(AllocationGroup)),
  reservationReleased: Schema.Boolean,
  executionAuthority: Schema.Literal(false),
  balanceSource: Schema.Literal("onchain-only"),
  atomicAcrossChains: Schema.Literal(false)
}).annotations({
  identifier: "SessionQuota",
  description: "What is left of a session by its guard's counters; it promises no balance."
})
export type SessionQuota = typeof SessionQuota.Type

const { gas, ...policyWithoutGas } = SessionPolicy.fields

export const SessionReview = strict({
  status: Schema.Literal("reviewable-not-activated"),
  policy: strict({ ...policyWithoutGas, gas: exactOptional(gas) }).annotations({
    description: "without gas where no gas budget was given"
  }),
  words: Schema.Array(Schema.String).annotations({
    description: "one sentence for each right, from the policy alone"
  }),
  compiled: exactOptional(CompiledSession).annotations({ description: "where a gas budget was given" }),
  walletStateHash: Bytes32,
  manifestRevision: Bytes32,
  evidence: Evidence,
  warnings: Schema.Array(Schema.String),
  ownerApproval: strict({
    required: Schema.Literal(true),
    signer: Schema.Literal("wallet-owner-threshold"),
    action: Schema.Literal("enable-exact-policy")
  })
}).annotations({
  identifier: "SessionReview",
  description: "What a session would allow. Nothing is stored, reserved or enabled by it."
})
export type SessionReview = typeof SessionReview.Type
