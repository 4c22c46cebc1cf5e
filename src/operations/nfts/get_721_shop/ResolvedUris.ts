/** What a shop's resolver tells of each tier; what it does not tell, or at too great a length, is unknown of that tier alone. */
import { Effect, Either, Schema } from "effect"
import { ReadLimitExceeded } from "../../../projects/refusals.ts"
import type { PinnedSnapshot, ReadFailure } from "../../../protocol/PinnedContracts.ts"
import { type Observed, observed } from "../../../values/Observed.ts"
import type { Address } from "../../../values/Scalars.ts"
import { AT_ONCE } from "../../shared/context/Core.ts"

/** As JSON, so that the tiers of a page fit the answer together. */
const MAXIMUM_BYTES = 131_072

const Resolved = Schema.Struct({ resolvedUri: Schema.String })

const bounded = ({ resolvedUri }: typeof Resolved.Type): Either.Either<string, ReadLimitExceeded> =>
  Buffer.byteLength(JSON.stringify(resolvedUri)) <= MAXIMUM_BYTES
    ? Either.right(resolvedUri)
    : Either.left(
        new ReadLimitExceeded({
          detail: "The resolved URI is longer than what is answered.",
          context: { limitBytes: MAXIMUM_BYTES }
        })
      )

/** A node's answers may be too large together, and each by itself not. */
const isOfTheBatch = (failure: ReadFailure): boolean =>
  failure._tag === "RPC_INVALID_RESPONSE" && failure.retryable !== false

/** In the order of the ids; one round trip where the answers fit one. */
export const resolvedUris = Effect.fn("Shops.resolvedUris")(function* (
  { read }: PinnedSnapshot,
  hook: Address,
  ids: ReadonlyArray<string>
) {
  const ask = (id: string) => Effect.either(read("JB721TiersHookStore", "tierOf", [hook, id, true], Resolved))
  const together = yield* Effect.forEach(ids, id => Effect.map(ask(id), told => ({ id, told })), AT_ONCE)
  return yield* Effect.forEach(
    together,
    Effect.fnUntraced(function* ({ id, told }) {
      const alone = Either.isLeft(told) && isOfTheBatch(told.left) ? yield* ask(id) : told
      const uri: Observed<string> = yield* observed(Either.flatMap(alone, bounded))
      return uri
    })
  )
})
