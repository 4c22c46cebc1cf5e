/** Tells a caller whose authentication failed how the service read the request. */
import { Effect } from "effect"
import { signedFields } from "../auth/Authenticate.ts"
import { ChainClient } from "../chain/ChainClient.ts"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import { Settings } from "../settings/Settings.ts"
import { type Diagnosis, diagnose } from "../signatures/Diagnosis.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { declaresBody, NO_BODY } from "./BufferedRequest.ts"
import { type Exchange, header } from "./Exchange.ts"

/** Nothing where the body was never read: half a view would mislead. */
export const diagnosisOf = (
  exchange: Exchange,
  refusal: AnyRefusal
): Effect.Effect<Diagnosis | undefined, never, Settings | DatabaseClock | ChainClient> => {
  const headers = exchange.signed
  const body = exchange.body ?? (declaresBody(exchange) ? undefined : NO_BODY)
  if (
    headers === undefined ||
    body === undefined ||
    !["INVALID_SIGNATURE", "AUTH_EXPIRED"].includes(refusal._tag)
  )
    return Effect.succeed(undefined)
  return Effect.gen(function* () {
    const { audience } = yield* Settings
    const clock = yield* DatabaseClock
    const chains = yield* (yield* ChainClient).chains
    const sent = {
      method: exchange.method,
      target: exchange.target,
      contentType: header(exchange, "content-type") ?? "",
      body
    }
    return diagnose({
      signed: { ...signedFields(headers, sent), audience },
      chainId: headers.authorityChainId,
      otherChainIds: chains.map(({ id }) => id),
      body,
      signature: headers.signature,
      serverTime: Math.floor((yield* clock.estimate) / 1000)
    })
  })
}
