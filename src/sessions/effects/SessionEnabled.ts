/** The guard took exactly the policy of the calldata, at the nonce that the owners named. */
import { Either, Schema } from "effect"
import { SESSION_GUARD } from "../../catalog/ExecutionContracts.ts"
import type { Emitter } from "../../effects/Events.ts"
import { doubted, exactlyOne, is } from "../../effects/Judgement.ts"
import { type EffectProof, predicate, type Scene } from "../../effects/Predicate.ts"
import { Hex, Uint256 } from "../../values/Scalars.ts"
import { compiledHashOf, permissionIdOf } from "../Compile.ts"
import type { Enabling } from "../Enabling.ts"
import { decodePolicy } from "../Policy.ts"

type Enabled = Pick<Scene<unknown>, "chainId" | "account" | "logs">

export const enabledAt = (
  guard: Emitter,
  { expectedEnableNonce, encoded }: Enabling,
  { chainId, account, logs }: Enabled
): EffectProof => {
  const policy = decodePolicy(encoded)
  if (policy === undefined) return doubted("the calldata holds no policy of a session")
  const place = { chainId, guard: guard.address, account }
  return Either.map(
    exactlyOne(logs, {
      emitter: guard,
      event: "SessionEnabled",
      about: { account, permissionId: permissionIdOf(place, policy) },
      says: {
        compiledHash: is(compiledHashOf(place, encoded)),
        enableNonce: is(String(expectedEnableNonce))
      },
      shows: ["permissionId", "compiledHash", "enableNonce", "epoch", "history"]
    }),
    enabled => [enabled]
  )
}

export const sessionEnabled = predicate({
  name: "sessionEnabled",
  contractId: SESSION_GUARD,
  signature: "enable(uint64,bytes)",
  args: Schema.Struct({ expectedEnableNonce: Uint256, encoded: Hex }),
  judge: ({ args: { expectedEnableNonce, encoded }, target, ...scene }) =>
    enabledAt(target, { expectedEnableNonce: BigInt(expectedEnableNonce), encoded }, scene)
})
