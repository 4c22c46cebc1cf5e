/** Whether an account may act for the owner of a shop's hook. */
import { Effect } from "effect"
import type { DependentCall, Word } from "../../../protocol/DependentCalls.ts"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { Address } from "../../../values/Scalars.ts"
import { PermissionDenied } from "../../configuration/refusals.ts"
import { currentAddressOf } from "../../shared/context/Core.ts"
import { hasPermission } from "../../shared/context/Permissions.ts"
import { DATA_HOOK, hookCalls } from "../HookCalls.ts"

export const ADJUST_721_TIERS = 24

interface Acting {
  readonly account: Address
  readonly projectId: string
}

const TRUE = "1"

/** What `requireHookOwner` will ask, foretold while the hook is still being looked for. */
export const hookOwnerCalls = (
  snapshot: PinnedSnapshot,
  { account, projectId }: Acting
): ReadonlyArray<DependentCall> => {
  const [controller, permissions] = (["JBController", "JBPermissions"] as const).map(name =>
    currentAddressOf(snapshot, name)
  )
  if (controller === undefined || permissions === undefined) return []
  const ruleset = { to: controller, signature: "currentRulesetOf(uint256)", words: [projectId] }
  const hooks = [ruleset, ...hookCalls(snapshot, projectId)]
  const owned = hooks.flatMap((_, call): ReadonlyArray<DependentCall> => {
    const hook = call === 0 ? DATA_HOOK : { call, index: 0 }
    const owner: Word = { call: hooks.length + 2 * call, index: 0 }
    const words = [account, owner, projectId, String(ADJUST_721_TIERS), TRUE, TRUE]
    return [
      { to: hook, signature: "owner()" },
      {
        to: permissions,
        signature: "hasPermission(address,address,uint256,uint256,bool,bool)",
        words
      }
    ]
  })
  return [...hooks, ...owned]
}

/** Two round trips, unless they were foretold. */
export const requireHookOwner = Effect.fn("Shops.requireHookOwner")(function* (
  snapshot: PinnedSnapshot,
  hook: Address,
  { account, projectId }: Acting
) {
  const owner = yield* snapshot.readAt("JB721TiersHook", hook, "owner", [], Address)
  if (owner === account) return "owner" as const
  if (yield* hasPermission(snapshot, account, owner, projectId, ADJUST_721_TIERS))
    return "permission" as const
  return yield* new PermissionDenied({ context: { account, projectId, permissionId: ADJUST_721_TIERS } })
})
