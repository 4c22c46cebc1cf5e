/** What owners are to execute so that a session is enabled or revoked, at one head of the wallet's chain. */
import { Effect, Option } from "effect"
import { ChainClient, type ChainSession } from "../chain/ChainClient.ts"
import { batched } from "../chain/GatheredSession.ts"
import { simulatedCall } from "../chain/PinnedReads.ts"
import { refuseFailedCall } from "../dispatch/FailedCall.ts"
import type { Call } from "../plans/Plan.ts"
import type { PlanDraft, WalletDraft } from "../plans/PlanDraft.ts"
import { evidenceOf } from "../protocol/BlockEvidence.ts"
import { BindingStore } from "../smartaccounts/BindingStore.ts"
import { type BoundWallet, boundWalletAt } from "../smartaccounts/BoundWallet.ts"
import { draftFor } from "../smartaccounts/PlanForWallet.ts"
import { SmartAccountUnsupported } from "../smartaccounts/refusals.ts"
import { SessionNotActive } from "../useroperations/refusals.ts"
import { ZERO_HASH } from "./Compile.ts"
import { guardReads, type ToldByGuard } from "./GuardReads.ts"
import { PERMISSION_STATUS } from "./GuardState.ts"
import { activationCall, revocationCall } from "./LifecycleCalls.ts"
import type { LifecycleKind } from "./LifecycleStore.ts"
import { SessionRetirementRequired } from "./refusals.ts"
import type { StoredSession } from "./SessionRow.ts"
import { refuseUnlisted } from "./UnlistedGuard.ts"
import { refuseUnusedSignature } from "./UnusedSignature.ts"

const OPERATIONS = { activation: "session_activation", revocation: "session_revocation" } as const

const LIFECYCLE_GAS = 3_000_000n

/** The wallet as it is bound, and what its guard keeps, at one block. */
interface LifecycleGround {
  readonly session: ChainSession
  readonly wallet: BoundWallet
  readonly told: ToldByGuard
}

/** Two round trips. */
const groundOf = Effect.fnUntraced(function* (stored: StoredSession) {
  const binding = yield* (yield* BindingStore).find(stored.accountId, stored.bindingId)
  const snapshot = yield* (yield* ChainClient).snapshot(stored.chainId)
  const session = batched(snapshot.session)
  const evidence = evidenceOf(snapshot.block)
  const { guard, permissionId } = stored.compiled
  const permission = { wallet: stored.wallet, permissionId }
  const wallet = yield* boundWalletAt({ session, evidence }, binding)
  const pin = wallet.manifest.pins.guard
  const told =
    pin === undefined || pin.address !== guard
      ? Option.none()
      : yield* guardReads(session, evidence.blockHash, pin, permission)
  if (Option.isNone(told)) return yield* new SmartAccountUnsupported({ context: { check: "pin:guard" } })
  const ground: LifecycleGround = { session, wallet, told: told.value }
  return ground
})

const WARNINGS = {
  activation: [
    "From its execution on, the session's key acts for the wallet within this policy, without its owners, until they revoke it or its time is over.",
    "What the key used up never comes back, also where a call failed."
  ],
  revocation: [
    "What the session's key did before this is executed stays done.",
    "The session's names are used up: it is never enabled again."
  ]
} as const

const INSTALLS =
  "The wallet gets a module by this, so that it is in another state than its owners bound: bind it anew afterwards."

const draftOf = (
  { id, compiled, asked }: StoredSession,
  kind: LifecycleKind,
  { wallet }: LifecycleGround,
  call: Call,
  more: ReadonlyArray<string> = []
): WalletDraft => {
  const { permissionId, compiledHash } = compiled
  const draft: PlanDraft = {
    operation: OPERATIONS[kind],
    account: wallet.address,
    summary: {
      kind: OPERATIONS[kind],
      ...{ sessionId: id, permissionId, compiledHash },
      generation: asked.generation
    },
    calls: [call],
    evidence: [wallet.inspection.evidence],
    warnings: [...WARNINGS[kind], ...more]
  }
  return draftFor(draft, wallet)
}

const runs = Effect.fnUntraced(function* ({ session, wallet }: LifecycleGround, call: Call) {
  const { address, inspection } = wallet
  const request = { to: call.to, data: call.data, from: address, value: 0n, gas: LIFECYCLE_GAS }
  const [outcome] = yield* session.all([simulatedCall(request, inspection.evidence.blockHash)])
  yield* refuseFailedCall(call, outcome)
})

/** The guard takes a policy at the nonce that it had when the session was prepared, and while nothing lives. */
const refuseUntimely = (
  { compiled }: StoredSession,
  { told: { state, administration } }: LifecycleGround
): Effect.Effect<void, SessionNotActive | SessionRetirementRequired> => {
  if (state.status === PERMISSION_STATUS.revoked)
    return Effect.fail(new SessionNotActive({ context: { state: "revoked" } }))
  if (administration.live !== ZERO_HASH)
    return Effect.fail(new SessionRetirementRequired({ context: { permissionId: administration.live } }))
  return String(administration.enableNonce) === compiled.enableNonce
    ? Effect.void
    : Effect.fail(new SessionNotActive({ context: { state: "stale" } }))
}

export const activationDraft = Effect.fn("Lifecycle.activation")(function* (stored: StoredSession) {
  const ground = yield* groundOf(stored)
  yield* refuseUntimely(stored, ground)
  yield* refuseUnlisted(stored.compiled.guard, ground.wallet, ground.told.administration)
  yield* refuseUnusedSignature(ground.session, ground.wallet, stored)
  const { installed } = ground.told.administration
  const call = yield* activationCall(stored, installed)
  yield* runs(ground, call)
  return draftOf(stored, "activation", ground, call, installed ? [] : [INSTALLS])
})

/** Of what is not enabled yet, it cannot be run before that is. */
export const revocationDraft = Effect.fn("Lifecycle.revocation")(function* (stored: StoredSession) {
  const ground = yield* groundOf(stored)
  if (ground.told.state.status === PERMISSION_STATUS.revoked)
    return yield* new SessionNotActive({ context: { state: "revoked" } })
  const call = yield* revocationCall(stored)
  if (ground.told.state.status === PERMISSION_STATUS.enabled) yield* runs(ground, call)
  return draftOf(stored, "revocation", ground, call)
})
