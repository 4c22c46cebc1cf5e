/** What every plan that chooses for a project's payments rests on: who may choose, and which hooks are in use. */
import { Effect, Either } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import type { RulesetWithMetadata } from "../../protocol/ProjectRecords.ts"
import { type Address, ZERO_ADDRESS } from "../../values/Scalars.ts"
import { AT_ONCE, currentAddressOf, readCore } from "../shared/context/Core.ts"
import {
  type DataHooks,
  type ForeseenHooks,
  foreseeHooks,
  inspectHooks
} from "../shared/context/DataHooks.ts"
import { authorityOf } from "../shared/context/Permissions.ts"
import { BuybackNotConfigured, PermissionRequired, UnsupportedBuybackImplementation } from "./refusals.ts"

export interface Chooser {
  readonly account: Address
  readonly project: { readonly projectId: string }
}

export const requireAuthority = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  { account, project: { projectId } }: Chooser,
  permissionId: number
) {
  const { by } = yield* authorityOf(snapshot, account, projectId, permissionId)
  if (by === null) return yield* new PermissionRequired({ context: { account, projectId, permissionId } })
  return by
})

const isRecorded = (snapshot: PinnedSnapshot, hook: Address): boolean =>
  snapshot.deploymentsOf("JBBuybackHook").some(({ address }) => address === hook)

/** An unknown hook behind the registry is a buyback hook; elsewhere it may be anything. */
const inspected = (
  snapshot: PinnedSnapshot,
  projectId: string,
  current: RulesetWithMetadata,
  foreseen: ForeseenHooks
) =>
  Effect.all(
    [
      inspectHooks(snapshot, projectId, "pay", current, foreseen),
      inspectHooks(snapshot, projectId, "cashOut", current, foreseen)
    ],
    AT_ONCE
  ).pipe(
    Effect.mapError(refusal => {
      const { dataHook: hook, registry } = refusal.context ?? {}
      return refusal._tag === "UNSUPPORTED_CONFIGURATION" && registry !== undefined
        ? new UnsupportedBuybackImplementation({ context: { hook, registry } })
        : refusal
    })
  )

type Inspected = ReturnType<typeof inspected>

export interface HooksInUse {
  readonly current: RulesetWithMetadata
  readonly foreseen: ForeseenHooks
  /** For payments, then for cash-outs. */
  readonly inspected: Inspected
}

/** One round trip, and another for the inspection of a shop. */
export const hooksInUse = Effect.fn("Routing.hooksInUse")(function* (
  snapshot: PinnedSnapshot,
  projectId: string
) {
  const { core, foreseen } = yield* Effect.all(
    { core: readCore(snapshot, projectId), foreseen: foreseeHooks(snapshot, projectId) },
    AT_ONCE
  )
  const { current } = core
  const found: HooksInUse = {
    current,
    foreseen,
    inspected: yield* Effect.cached(inspected(snapshot, projectId, current, foreseen))
  }
  return found
})

/** A hook that came after the pinned inventory can be read, but its calls cannot be planned or verified. */
const buybackOf = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  [pay, cashOut]: readonly [DataHooks, DataHooks]
) {
  const hook = pay.buyback ?? cashOut.buyback
  if (hook === null) return yield* new BuybackNotConfigured()
  if (isRecorded(snapshot, hook)) return hook
  return yield* new UnsupportedBuybackImplementation({ context: { hook } })
})

export interface BuybackInUse {
  readonly hook: Address
  readonly proved: Effect.Effect<
    unknown,
    Effect.Effect.Error<Inspected> | BuybackNotConfigured | UnsupportedBuybackImplementation
  >
}

/** A revnet's hook is the registered one, so that its shop can be proved while something else is asked. */
export const buybackInUse = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  { current, foreseen, inspected }: HooksInUse
) {
  const proved = Effect.flatMap(inspected, parts => buybackOf(snapshot, parts))
  const isRevnet = current.metadata.dataHook === currentAddressOf(snapshot, "REVOwner")
  const registered = Either.getOrElse(foreseen.registered, () => ZERO_ADDRESS)
  const inUse: BuybackInUse =
    isRevnet && isRecorded(snapshot, registered)
      ? { hook: registered, proved }
      : { hook: yield* proved, proved: Effect.void }
  return inUse
})
