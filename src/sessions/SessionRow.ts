/** Stored sessions, decoded once. */
import { Effect, Schema } from "effect"
import { checksummed } from "../values/Checksum.ts"
import { rowDecoder } from "../values/Conforms.ts"
import { Evidence } from "../values/Evidence.ts"
import { Address, Bytes32, LowerAddress } from "../values/Scalars.ts"
import {
  CompiledSession,
  LifecyclePlan,
  SessionInvalidation,
  SessionObservation,
  SupersededPlan
} from "./Session.ts"
import { SessionInput } from "./SessionInput.ts"

const CheckedAddress = Schema.typeSchema(Address)

/** What is kept of it beside the columns: all that is shown, as it was compiled. */
const SessionTerms = Schema.Struct({
  asked: Schema.typeSchema(SessionInput),
  sessionKey: CheckedAddress,
  manifestId: Schema.String,
  validUntil: Schema.Number,
  allocationManifestHash: Bytes32,
  compiled: CompiledSession,
  /** As its manifest pinned it; older rows have none. */
  guardCodeHash: Schema.optionalWith(Bytes32, { exact: true }),
  /** The block that it was compiled at. */
  evidence: Evidence
})
export type SessionTerms = typeof SessionTerms.Type

/** What its guard said of it and of the wallet, beside what is shown of that. */
const SeenSession = Schema.Struct({
  shown: SessionObservation,
  status: Schema.Literal("none", "enabled", "revoked"),
  /** The guard's own of the permission. */
  compiledHash: Bytes32,
  live: Schema.NullOr(Bytes32),
  /** From this block on it was seen to say so. */
  since: Schema.Struct({ number: Schema.String, hash: Bytes32 })
})
export type SeenSession = typeof SeenSession.Type

const SessionRow = Schema.Struct({
  id: Schema.String,
  account_id: Schema.String,
  principal: Schema.String,
  binding: Bytes32,
  chain_id: Schema.Number,
  wallet: LowerAddress,
  terms: SessionTerms,
  created_at: Schema.Number,
  updated_at: Schema.Number,
  revision: Schema.Number,
  observation: Schema.NullOr(SeenSession),
  observed_at: Schema.NullOr(Schema.Number),
  was_enabled: Schema.Boolean,
  invalidation: Schema.NullOr(SessionInvalidation),
  released_at: Schema.NullOr(Schema.Number),
  now: Schema.Number,
  grant_ended_at: Schema.NullOr(Schema.Number),
  unlinked_at: Schema.NullOr(Schema.Number),
  bound_manifest: Schema.String,
  bound_state: Bytes32,
  bound_owners: Schema.Array(CheckedAddress),
  activation: Schema.NullOr(LifecyclePlan),
  revocation: Schema.NullOr(LifecyclePlan),
  superseded: Schema.Array(SupersededPlan)
})

export interface StoredSession extends SessionTerms {
  readonly id: string
  readonly accountId: string
  readonly principalId: string
  readonly bindingId: Bytes32
  readonly chainId: number
  readonly wallet: Address
  readonly createdAt: number
  readonly updatedAt: number
  readonly revision: number
  readonly observation: SeenSession | undefined
  /** In milliseconds of the database: it is no older than that. */
  readonly observedAt: number | undefined
  readonly wasEnabled: boolean
  readonly invalidation: SessionInvalidation | undefined
  readonly releasedAt: number | undefined
  /** The database's time when the row was read. */
  readonly now: number
  /** When its grant was revoked or ran out; undefined while it is active. */
  readonly grantEndedAt: number | undefined
  readonly unlinkedAt: number | undefined
  /** Of the wallet, as its owners signed for it last. */
  readonly boundManifestId: string
  readonly boundState: Bytes32
  readonly boundOwners: ReadonlyArray<Address>
  /** The current ones, which stand for no execution. */
  readonly activation: LifecyclePlan | undefined
  readonly revocation: LifecyclePlan | undefined
  readonly superseded: ReadonlyArray<SupersededPlan>
}

const decode = rowDecoder(SessionRow)

export const sessionFromRow = (row: unknown): Effect.Effect<StoredSession> =>
  Effect.map(Effect.orDie(decode(row)), stored => ({
    ...stored.terms,
    id: stored.id,
    accountId: stored.account_id,
    principalId: stored.principal,
    bindingId: stored.binding,
    chainId: stored.chain_id,
    wallet: checksummed(stored.wallet),
    createdAt: stored.created_at,
    updatedAt: stored.updated_at,
    revision: stored.revision,
    observation: stored.observation ?? undefined,
    observedAt: stored.observed_at ?? undefined,
    wasEnabled: stored.was_enabled,
    invalidation: stored.invalidation ?? undefined,
    releasedAt: stored.released_at ?? undefined,
    now: stored.now,
    grantEndedAt: stored.grant_ended_at ?? undefined,
    unlinkedAt: stored.unlinked_at ?? undefined,
    boundManifestId: stored.bound_manifest,
    boundState: stored.bound_state,
    boundOwners: stored.bound_owners,
    activation: stored.activation ?? undefined,
    revocation: stored.revocation ?? undefined,
    superseded: stored.superseded
  }))
