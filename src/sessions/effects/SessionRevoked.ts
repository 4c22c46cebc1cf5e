/** The guard ended the permission for good. */
import { Either, Schema } from "effect"
import { SESSION_GUARD } from "../../catalog/ExecutionContracts.ts"
import { exactlyOne } from "../../effects/Judgement.ts"
import { predicate } from "../../effects/Predicate.ts"
import { Bytes32 } from "../../values/Scalars.ts"

export const sessionRevoked = predicate({
  name: "sessionRevoked",
  contractId: SESSION_GUARD,
  signature: "revoke(bytes32)",
  args: Schema.Struct({ permissionId: Bytes32 }),
  judge: ({ args: { permissionId }, account, target, logs }) =>
    Either.map(
      exactlyOne(logs, {
        emitter: target,
        event: "SessionRevoked",
        about: { account, permissionId },
        says: {},
        shows: ["permissionId", "enableNonce", "epoch", "history"]
      }),
      revoked => [revoked]
    )
})
