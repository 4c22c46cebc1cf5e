/** What the protocol's permission ids are called, and whether an account may act for a project. */
import { Effect, Schema } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { Address } from "../../../values/Scalars.ts"
import { currentAddressOf } from "./Core.ts"

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
