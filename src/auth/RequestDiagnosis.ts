/** Tells a caller whose authentication failed how the service read the request. */
import { Effect } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import { Settings } from "../settings/Settings.ts"
import { type Diagnosis, diagnose } from "../signatures/Diagnosis.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import type { Transmission } from "./Authenticate.ts"
import { headerOf, signedFields } from "./SignedRequest.ts"

const DIAGNOSED: ReadonlyArray<AnyRefusal["_tag"]> = [
  "INVALID_SIGNATURE",
  "VERIFIER_UNAVAILABLE",
  "AUTH_EXPIRED"
]

/** Nothing where the body was never read: half a view would mislead. */
export const diagnosisOf = (
  transmission: Transmission,
  otherwise: Uint8Array | undefined,
  refusal: AnyRefusal
): Effect.Effect<Diagnosis | undefined, never, Settings | DatabaseClock | ChainClient> => {
  const { signed, body = otherwise, method, target } = transmission
  if (signed === undefined || body === undefined || !DIAGNOSED.includes(refusal._tag))
    return Effect.succeed(undefined)
  return Effect.gen(function* () {
    const { audience } = yield* Settings
    const clock = yield* DatabaseClock
    const chains = yield* (yield* ChainClient).chains
    const sent = { method, target, contentType: headerOf(transmission.headers, "content-type") ?? "", body }
    return diagnose({
      signed: { ...signedFields(signed, sent), audience },
      chainId: signed.authorityChainId,
      otherChainIds: chains.map(({ id }) => id),
      body,
      signature: signed.signature,
      serverTime: Math.floor((yield* clock.estimate) / 1000)
    })
  })
}
