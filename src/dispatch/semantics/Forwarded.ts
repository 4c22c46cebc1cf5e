/** Whether the forwarder executed the account's request: its transaction may succeed although the inner call did not. */

import { Either } from "effect"
import type { RawLog } from "../../chain/ChainClient.ts"
import type { Address } from "../../values/Scalars.ts"
import { FORWARDER } from "./Contracts.ts"
import { exactlyOne, is, type Verdict } from "./Judgement.ts"
import { type Published, sole } from "./Predicate.ts"

export interface Forwarded {
  readonly nonce: string
}

export const forwarded = (
  { nonce }: Forwarded,
  account: Address,
  forwarders: ReadonlyArray<Published>,
  logs: ReadonlyArray<RawLog>
): Verdict<unknown> =>
  Either.flatMap(sole(forwarders, FORWARDER), emitter =>
    exactlyOne(logs, {
      emitter,
      event: "ExecutedForwardRequest",
      about: { signer: account, nonce },
      says: { success: is(true) },
      shows: ["success"]
    })
  )
