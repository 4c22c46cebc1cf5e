/** An operator's permissions for a project, which the event repeats in full. */
import { Either, Schema } from "effect"
import { PERMISSIONS } from "../../../effects/Contracts.ts"
import { exactlyOne, is } from "../../../effects/Judgement.ts"
import { predicate } from "../../../effects/Predicate.ts"

const packed = (permissionIds: ReadonlyArray<string>): string =>
  String(permissionIds.reduce((bits, id) => bits | (1n << BigInt(id)), 0n))

export const setPermissions = predicate({
  name: "set_permissions",
  contractId: PERMISSIONS,
  signature: "setPermissionsFor(address,(address,uint64,uint8[]))",
  args: Schema.Struct({
    account: Schema.String,
    permissionsData: Schema.Struct({
      operator: Schema.String,
      projectId: Schema.String,
      permissionIds: Schema.Array(Schema.String)
    })
  }),
  judge: ({ args, account, target, logs }) => {
    const { operator, projectId, permissionIds } = args.permissionsData
    return Either.map(
      exactlyOne(logs, {
        emitter: target,
        event: "OperatorPermissionsSet",
        about: { operator, account: args.account, projectId },
        says: { permissionIds: is(permissionIds), packed: is(packed(permissionIds)), caller: is(account) },
        shows: ["operator", "account", "projectId", "permissionIds"]
      }),
      set => [set]
    )
  }
})
