/** What the protocol's permission ids are called, and whether an account may act for a project. */
import { Effect, Schema } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { Address } from "../../values/Scalars.ts"
import { currentAddressOf } from "./Core.ts"

/** In the order of their ids, the first of which is 1. */
const NAMES = [
  "ROOT",
  "QUEUE_RULESETS",
  "LAUNCH_RULESETS",
  "CASH_OUT_TOKENS",
  "SEND_PAYOUTS",
  "MIGRATE_TERMINAL",
  "SET_PROJECT_URI",
  "DEPLOY_ERC20",
  "SET_TOKEN",
  "MINT_TOKENS",
  "BURN_TOKENS",
  "CLAIM_TOKENS",
  "TRANSFER_CREDITS",
  "SET_CONTROLLER",
  "SET_TERMINALS",
  "ADD_TERMINALS",
  "SET_PRIMARY_TERMINAL",
  "USE_ALLOWANCE",
  "SET_SPLIT_GROUPS",
  "ADD_PRICE_FEED",
  "ADD_ACCOUNTING_CONTEXTS",
  "SET_TOKEN_METADATA",
  "SIGN_FOR_ERC20",
  "ADJUST_721_TIERS",
  "SET_721_METADATA",
  "MINT_721",
  "SET_721_DISCOUNT_PERCENT",
  "SET_BUYBACK_TWAP",
  "SET_BUYBACK_POOL",
  "SET_BUYBACK_HOOK",
  "SET_ROUTER_TERMINAL",
  "MAP_SUCKER_TOKEN",
  "DEPLOY_SUCKERS",
  "SET_SUCKER_PEER",
  "SUCKER_SAFETY",
  "SET_SUCKER_DEPRECATION",
  "OPEN_LOAN",
  "REALLOCATE_LOAN",
  "REPAY_LOAN"
] as const

export const permissionName = (id: number): string | null => NAMES[id - 1] ?? null

const PERMISSIONS = 256

export const permissionIdsIn = (bitmap: string): ReadonlyArray<number> => {
  const bits = BigInt(bitmap)
  return Array.from({ length: PERMISSIONS }, (_, id) => id).filter(id => ((bits >> BigInt(id)) & 1n) === 1n)
}

export const hasPermission = (
  { read }: PinnedSnapshot,
  operator: Address,
  account: Address,
  projectId: string,
  permissionId: number
) =>
  read(
    "JBPermissions",
    "hasPermission",
    [operator, account, projectId, String(permissionId), true, true],
    Schema.Boolean
  )

/** One round trip, after which `authorityOf` takes none. */
export const foreseeAuthority = (
  snapshot: PinnedSnapshot,
  account: Address,
  projectId: string,
  permissionId: number
): Effect.Effect<void> => {
  const projects = currentAddressOf(snapshot, "JBProjects")
  const permissions = currentAddressOf(snapshot, "JBPermissions")
  if (projects === undefined || permissions === undefined) return Effect.void
  const owner = { call: 0, index: 0 }
  return snapshot.foresee([
    { to: projects, signature: "ownerOf(uint256)", words: [projectId] },
    {
      to: permissions,
      signature: "hasPermission(address,address,uint256,uint256,bool,bool)",
      words: [account, owner, projectId, String(permissionId), 1n, 1n]
    }
  ])
}

interface Authority {
  readonly owner: Address
  readonly by: "owner" | "permission" | null
}

/** Two round trips, one for the owner. */
export const authorityOf = Effect.fn("Context.authority")(function* (
  snapshot: PinnedSnapshot,
  account: Address,
  projectId: string,
  permissionId: number
) {
  const owner = yield* snapshot.read("JBProjects", "ownerOf", [projectId], Address)
  if (account === owner) return { owner, by: "owner" } satisfies Authority
  const granted = yield* hasPermission(snapshot, account, owner, projectId, permissionId)
  return { owner, by: granted ? "permission" : null } satisfies Authority
})
