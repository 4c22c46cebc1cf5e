import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { authorityOf } from "../../../src/operations/shared/context/Permissions.ts"
import { type Contracts, pinnedCatalog } from "../support/Contracts.ts"
import { ACCOUNT, paidProject } from "../support/Payments.ts"
import { PROJECT, STRANGER } from "../support/Revnets.ts"

const ownerOf = { contract: "JBProjects", function: "ownerOf", args: [PROJECT] }
const granted = {
  contract: "JBPermissions",
  function: "hasPermission",
  args: [ACCOUNT, STRANGER, PROJECT, 5n, true, true]
}

const authority = (chain: Contracts) =>
  Effect.gen(function* () {
    const { snapshotOf } = yield* Effect.fromNullable(chain.pinned)
    return yield* authorityOf(yield* snapshotOf(1), ACCOUNT, String(PROJECT), 5)
  })

describe("who may act for a project", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("is its owner, or whom the owner granted the permission", () =>
      Effect.gen(function* () {
        const world = (yield* paidProject).says(ownerOf, STRANGER).says(granted, true)
        assert.deepStrictEqual(yield* authority(world), { owner: STRANGER, by: "permission" })
        world.says(granted, false)
        assert.deepStrictEqual(yield* authority(world), { owner: STRANGER, by: null })
        world.says(ownerOf, ACCOUNT)
        assert.deepStrictEqual(yield* authority(world), { owner: ACCOUNT, by: "owner" })
      })
    )
  })
})
