/** What of a session follows from its request, the grant, the binding and the manifests, before any chain is asked. */
import { Effect } from "effect"
import type { BotGrant } from "../accounts/Account.ts"
import { GrantStore } from "../accounts/GrantStore.ts"
import { Principal } from "../accounts/Principal.ts"
import { GrantNotFound } from "../accounts/refusals.ts"
import { BindingStore, type StoredBinding } from "../smartaccounts/BindingStore.ts"
import type { NamedPin, SmartManifest } from "../smartaccounts/Manifest.ts"
import { Manifests } from "../smartaccounts/Manifests.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { checkAllocations } from "./CheckAllocations.ts"
import { ZERO_HASH } from "./Compile.ts"
import { compileActions } from "./CompileActions.ts"
import type { SessionAction } from "./PolicyShape.ts"
import { InvalidSession, SessionGrantUnsuitable, SessionsUnavailable } from "./refusals.ts"
import type { AskedAllocation, SessionReviewInput } from "./SessionInput.ts"

const DAY_SECONDS = 86_400

export interface AskedSession {
  readonly input: SessionReviewInput
  readonly binding: StoredBinding
  readonly manifest: SmartManifest
  readonly guard: NamedPin
  readonly grant: BotGrant
  /** In seconds. */
  readonly validUntil: number
  /** The zero hash where the wallet pays. */
  readonly paymasterCodeHash: Bytes32
  /** Those of the wallet's chain. */
  readonly allocations: ReadonlyArray<AskedAllocation>
  readonly actions: ReadonlyArray<SessionAction>
}

/** Wallets of such a manifest can have sessions. */
export const sessionGuard = ({ mode, pins }: SmartManifest): NamedPin | undefined =>
  mode === "execution" && pins.guard !== undefined ? { name: "guard", ...pins.guard } : undefined

const unsuitable = (reason: string) => new SessionGrantUnsuitable({ context: { reason } })

/** An owner names any of the account's, a bot its own. */
const grantFor = Effect.fnUntraced(function* (grantId: string, validUntil: number) {
  const actor = yield* Principal
  if (actor.kind === "bot" && actor.grantId !== grantId) return yield* new GrantNotFound()
  const grants = yield* (yield* GrantStore).list(actor.accountId)
  const grant = grants.find(({ id }) => id === grantId)
  if (grant === undefined) return yield* new GrantNotFound()
  if (grant.state !== "active") return yield* unsuitable("inactive")
  if (grant.scopes.length < 3) return yield* unsuitable("scopes")
  return grant.expiresAt < validUntil ? yield* unsuitable("expires") : grant
})

const paymasterCode = Effect.fnUntraced(function* (
  { gasBudget }: SessionReviewInput,
  { pins }: SmartManifest
) {
  const paymaster = gasBudget?.paymaster ?? null
  if (paymaster === null) return ZERO_HASH
  const pinned = pins.paymasters.find(({ address }) => address === paymaster)
  return pinned === undefined
    ? yield* new InvalidSession({
        context: {
          path: "gasBudget.paymaster",
          expected: "a paymaster that the wallet's manifest pins, or null"
        }
      })
    : pinned.runtimeCodeHash
})

export const askedSession = Effect.fn("AskedSession.read")(function* (input: SessionReviewInput) {
  const { accountId } = yield* Principal
  const { all, byId } = yield* Manifests
  if (!all.some(manifest => sessionGuard(manifest) !== undefined)) return yield* new SessionsUnavailable()
  const validUntil = input.validAfter + input.durationDays * DAY_SECONDS
  const binding = yield* (yield* BindingStore).find(accountId, input.bindingId)
  const grant = yield* grantFor(input.grantId, validUntil)
  const manifest = yield* byId(binding.manifestId)
  const guard = sessionGuard(manifest)
  if (guard === undefined) return yield* new SessionsUnavailable()
  const manifests = { own: manifest, all }
  const allocations = yield* checkAllocations(manifests, input.allocations)
  const ground = { manifests, wallet: binding.address, allocations }
  const actions = yield* compileActions(ground, input.actions)
  const paymasterCodeHash = yield* paymasterCode(input, manifest)
  const asked: AskedSession = {
    ...{ input, binding, manifest, guard, grant, validUntil, paymasterCodeHash, allocations, actions }
  }
  return asked
})
