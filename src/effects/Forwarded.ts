/** Whether the forwarder executed the account's request: its transaction may succeed although the inner call did not. */
import { Either } from "effect"
import type { RawLog } from "../chain/ChainClient.ts"
import type { Address } from "../values/Scalars.ts"
import { FORWARDER } from "./Contracts.ts"
import { disproved, exactlyOne, type Verdict } from "./Judgement.ts"
import { type PublishedContract, sole } from "./Predicate.ts"

export interface Forwarded {
  readonly nonce: string
}

export const forwarded = (
  { nonce }: Forwarded,
  account: Address,
  forwarders: ReadonlyArray<PublishedContract>,
  logs: ReadonlyArray<RawLog>
): Verdict<unknown> =>
  Either.gen(function* () {
    const executed = yield* exactlyOne(logs, {
      emitter: yield* sole(forwarders, FORWARDER),
      event: "ExecutedForwardRequest",
      about: { signer: account, nonce },
      says: {},
      shows: ["success"]
    })
    if (executed.success === true) return executed
    return yield* disproved("the forwarder says that the forwarded call did not succeed")
  })
