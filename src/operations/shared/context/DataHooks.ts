/** Which hooks may act on a payment or a cash out under a ruleset; a hook that is not known is refused. */
import { Effect } from "effect"
import { UnsupportedConfiguration } from "../../../projects/refusals.ts"
import type { ContractName } from "../../../protocol/ContractFunction.ts"
import type { PinnedSnapshot, ReadFailure } from "../../../protocol/PinnedContracts.ts"
import type { RulesetWithMetadata } from "../../../protocol/ProjectRecords.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { Address, ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { AT_ONCE, currentAddressOf } from "./Core.ts"
import type { HookKind } from "./HookKind.ts"
import { omnichainCalls, readOmnichainHooks } from "./OmnichainHooks.ts"
import { recordedAddresses } from "./Recorded.ts"
import type { Invalid721Identity, Unsupported721Hook } from "./refusals.ts"
import { type Verified721, verify721 } from "./Shop.ts"

export interface ActingHook {
  readonly kind: typeof HookKind.Type
  readonly hook: Address
}

export interface DataHooks {
  /** From the ruleset's data hook inwards. */
  readonly chain: ReadonlyArray<ActingHook>
  readonly buyback: Address | null
  readonly shop: Verified721 | null
}

export type HookRefusal = ReadFailure | UnsupportedConfiguration | Unsupported721Hook | Invalid721Identity

type Inspected = Effect.Effect<DataHooks, HookRefusal>

export type HookUse = "pay" | "cashOut"

const NO_HOOKS: DataHooks = { chain: [], buyback: null, shop: null }

/** What the inspection may need of contracts that are known by name; asked beside the reads that tell whether it does. */
export const foreseeHooks = (snapshot: PinnedSnapshot, projectId: string) => {
  const { read } = snapshot
  return eachAtOnce({
    omnichain: snapshot.foresee(omnichainCalls(snapshot, projectId)),
    registered: read("JBBuybackHookRegistry", "hookOf", [projectId], Address),
    revnetBuyback: read("REVOwner", "BUYBACK_HOOK", [], Address),
    revnetShop: read("REVOwner", "tiered721HookOf", [projectId], Address)
  })
}

export type ForeseenHooks = Effect.Effect.Success<ReturnType<typeof foreseeHooks>>

interface Place {
  readonly snapshot: PinnedSnapshot
  readonly projectId: string
  readonly use: HookUse
  readonly rulesetId: string
  readonly foreseen: ForeseenHooks
}

const isRecorded = (snapshot: PinnedSnapshot, contract: ContractName, address: Address): boolean =>
  recordedAddresses(snapshot, contract).includes(address)

const custom = (hook: Address, why: string, behind?: { readonly registry: Address }) =>
  new UnsupportedConfiguration({
    detail: `The data hook ${hook} ${why}.`,
    context: { dataHook: hook, ...behind }
  })

const within = (kind: ActingHook["kind"], hook: Address, parts: ReadonlyArray<DataHooks>): DataHooks => ({
  chain: [{ kind, hook }, ...parts.flatMap(({ chain }) => chain)],
  buyback: parts.find(({ buyback }) => buyback !== null)?.buyback ?? null,
  shop: parts.find(({ shop }) => shop !== null)?.shop ?? null
})

const ofBuyback = (hook: Address): DataHooks => ({ ...within("buyback", hook, []), buyback: hook })

const registryHooks = ({ snapshot, foreseen }: Place, registry: Address): Inspected =>
  Effect.flatMap(foreseen.registered, hook => {
    if (hook === ZERO_ADDRESS) return Effect.succeed(within("buybackRegistry", registry, []))
    return isRecorded(snapshot, "JBBuybackHook", hook)
      ? Effect.succeed(within("buybackRegistry", registry, [ofBuyback(hook)]))
      : custom(hook, "is no recorded buyback hook", { registry })
  })

const shopHooks = ({ snapshot, projectId }: Place, hook: Address): Inspected =>
  hook === ZERO_ADDRESS
    ? Effect.succeed(NO_HOOKS)
    : Effect.map(verify721(snapshot, projectId, hook), shop => ({ ...within("nft", hook, []), shop }))

const revnetHooks = (place: Place, owner: Address): Inspected =>
  Effect.flatMap(Effect.all([place.foreseen.revnetBuyback, place.foreseen.revnetShop]), ([registry, shop]) =>
    registry === currentAddressOf(place.snapshot, "JBBuybackHookRegistry")
      ? Effect.map(Effect.all([shopHooks(place, shop), registryHooks(place, registry)], AT_ONCE), parts =>
          within("revnet", owner, parts)
        )
      : custom(registry, "of the revnet is not the canonical buyback registry")
  )

/** The extra hook of a cash out is left alone where the 721 hook handles it. */
const omnichainHooks = Effect.fnUntraced(function* (place: Place, deployer: Address) {
  const { projectId, rulesetId, snapshot, use } = place
  const { tiered, extra } = yield* readOmnichainHooks(snapshot, projectId, rulesetId)
  const hasShop = tiered.hook !== ZERO_ADDRESS
  const shopActs = hasShop && (use === "pay" || tiered.useDataHookForCashOut)
  const extraActs = use === "pay" ? extra.useDataHookForPay : extra.useDataHookForCashOut && !shopActs
  const parts = [
    ...(shopActs ? [shopHooks(place, tiered.hook)] : []),
    ...(extraActs && extra.dataHook !== ZERO_ADDRESS ? [inspected(place, extra.dataHook, 1)] : [])
  ]
  return within("omnichain", deployer, yield* Effect.all(parts, AT_ONCE))
})

const inspected = (place: Place, hook: Address, depth: 0 | 1): Inspected => {
  const { snapshot } = place
  if (isRecorded(snapshot, "JBBuybackHook", hook)) return Effect.succeed(ofBuyback(hook))
  if (hook === currentAddressOf(snapshot, "JBBuybackHookRegistry")) return registryHooks(place, hook)
  if (hook === currentAddressOf(snapshot, "REVOwner")) return revnetHooks(place, hook)
  if (depth === 0 && hook === currentAddressOf(snapshot, "JBOmnichainDeployer"))
    return omnichainHooks(place, hook)
  return shopHooks(place, hook).pipe(
    Effect.catchTags({
      UNSUPPORTED_721_HOOK: () => custom(hook, "is not one that the service knows"),
      DEPLOYMENT_UNAVAILABLE: () => custom(hook, "is not one that the service knows")
    })
  )
}

/** One round trip. */
export const inspectHooks = (
  snapshot: PinnedSnapshot,
  projectId: string,
  use: HookUse,
  { ruleset, metadata }: RulesetWithMetadata,
  foreseen: ForeseenHooks
): Inspected => {
  const acts = use === "pay" ? metadata.useDataHookForPay : metadata.useDataHookForCashOut
  const place: Place = { snapshot, projectId, use, rulesetId: ruleset.id, foreseen }
  return acts ? inspected(place, metadata.dataHook, 0) : Effect.succeed(NO_HOOKS)
}
