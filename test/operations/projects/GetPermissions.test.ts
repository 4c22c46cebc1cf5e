import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runGetPermissions } from "../../../src/operations/projects/get_permissions/Run.ts"
import { contracts, cuts, pinnedCatalog } from "../support/Contracts.ts"
import { known } from "../support/Known.ts"
import { PROJECT } from "../support/Revnets.ts"

const OPERATOR = "0x00000000000000000000000000000000000000bb"
const ACCOUNT = "0x00000000000000000000000000000000000000AA"

const input = {
  project: { chainId: 1, projectId: String(PROJECT) },
  operator: OPERATOR,
  account: ACCOUNT,
  permissionIds: [2, 39, 255]
}

const bitmap = (projectId: bigint) => ({
  contract: "JBPermissions",
  function: "permissionsOf",
  args: [OPERATOR, ACCOUNT, projectId]
})

const check = (id: bigint) => ({
  contract: "JBPermissions",
  function: "hasPermission",
  args: [OPERATOR, ACCOUNT, PROJECT, id, true, true]
})

const chain = Effect.map(contracts, world =>
  world
    .says({ contract: "JBProjects", function: "ownerOf", args: [PROJECT] }, ACCOUNT)
    .says({ contract: "JBDirectory", function: "controllerOf", args: [PROJECT] }, world.at("JBController"))
    .says(bitmap(PROJECT), (1n << 2n) | (1n << 255n))
    .says(bitmap(0n), 0n)
    .says(check(2n), true)
    .says(check(39n), false)
    .says(check(255n), true)
)

describe("get_permissions", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("answers the bitmaps and each permission asked for, in two round trips", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const { answer, roundTrips, untold } = yield* world.answers(runGetPermissions, input)
        assert.deepStrictEqual([untold, roundTrips], [[], 2])
        assert.deepInclude(Object(answer), {
          operatorIsAccount: false,
          accountIsProjectOwner: known(true),
          projectOwner: known(ACCOUNT),
          controller: known(world.at("JBController")),
          registry: world.at("JBPermissions"),
          projectBitmap: known({ raw: String((1n << 2n) | (1n << 255n)), ids: [2, 255] }),
          wildcardBitmap: known({ raw: "0", ids: [] }),
          checks: [
            { id: 2, name: "QUEUE_RULESETS", granted: known(true) },
            { id: 39, name: "REPAY_LOAN", granted: known(false) },
            { id: 255, name: null, granted: known(true) }
          ]
        })
        assert.isTrue(Object(answer).coverage.complete)
      })
    )

    it.effect("says what it could not read, and asks for the owner once", () =>
      Effect.gen(function* () {
        const effects = yield* cuts(yield* chain, runGetPermissions, input)
        const lost = (name: string) => [...(effects[name] ?? [])].filter(line => !line.startsWith("coverage"))
        const names = [
          ["JBProjects.ownerOf", "accountIsProjectOwner", "projectOwner"],
          ["JBDirectory.controllerOf", "controller"],
          ["JBPermissions.permissionsOf", "projectBitmap"],
          ["JBPermissions.permissionsOf#2", "wildcardBitmap"],
          ["JBPermissions.hasPermission", "checks.0.granted"],
          ["JBPermissions.hasPermission#2", "checks.1.granted"],
          ["JBPermissions.hasPermission#3", "checks.2.granted"]
        ] as const
        assert.sameMembers(
          Object.keys(effects),
          names.map(([name]) => name)
        )
        for (const [name, ...fields] of names)
          assert.deepStrictEqual(
            lost(name),
            fields.map(field => `${field}: CALL_REVERTED`)
          )
        const { asked } = yield* (yield* chain).answers(runGetPermissions, input)
        assert.strictEqual(asked.filter(name => name === "JBProjects.ownerOf").length, 1)
      })
    )

    it.effect("takes distinct ids that a bitmap can hold", () =>
      Effect.sync(() => {
        for (const permissionIds of [[], [0], [256], [3, 3], Array.from({ length: 33 }, (_, id) => id + 1)])
          assert.strictEqual(runGetPermissions.prepare({ ...input, permissionIds })._tag, "Left")
      })
    )
  })
})
