/** Whether an account may act for the owner of a shop's hook. */
import { Effect } from "effect"
import type { DependentCall, Word } from "../../protocol/DependentCalls.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { Address } from "../../values/Scalars.ts"
import { currentAddressOf } from "../context/Core.ts"
import { hasPermission } from "../context/Permissions.ts"
import { PermissionDenied } from "../rulesets/refusals.ts"

export const ADJUST_721_TIERS = 24

interface Acting {
  readonly account: Address
  readonly projectId: string
}

/** Words of what the controller tells of the current ruleset. */
const RULESET_ID = 1
const DATA_HOOK = 26

/** Where the project's hook may stand: as its data hook, or behind the contract that is. */
const hookCalls = (snapshot: PinnedSnapshot, projectId: string): ReadonlyArray<DependentCall> => {
  const called = (contract: string, signature: string, words: DependentCall["words"] = []) => {
    const to = currentAddressOf(snapshot, contract)
    return to === undefined ? [] : [{ to, signature, words }]
  }
  const current = called("JBController", "currentRulesetOf(uint256)", [projectId])
  if (current.length === 0) return []
  return [
    ...current,
    ...called("REVOwner", "tiered721HookOf(uint256)", [projectId]),
    ...called("JBOmnichainDeployer", "tiered721HookOf(uint256,uint256)", [
      projectId,
      { call: 0, index: RULESET_ID }
    ])
  ]
}

const TRUE = "1"

/** What `requireHookOwner` will ask, foretold while the hook is still being looked for. */
export const hookOwnerCalls = (
  snapshot: PinnedSnapshot,
  { account, projectId }: Acting
): ReadonlyArray<DependentCall> => {
  const permissions = currentAddressOf(snapshot, "JBPermissions")
  const hooks = hookCalls(snapshot, projectId)
  if (permissions === undefined) return []
  const owned = hooks.flatMap((_, call): ReadonlyArray<DependentCall> => {
    const hook: Word = { call, index: call === 0 ? DATA_HOOK : 0 }
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
