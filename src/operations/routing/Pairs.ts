/** The pools that a router would look at for pairs of tokens. */
import { Effect, Schema } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { observed, unknown } from "../../values/Observed.ts"
import { Address } from "../../values/Scalars.ts"
import { AT_ONCE } from "../shared/context/Core.ts"
import { recordedAddresses } from "../shared/context/Recorded.ts"
import { ReadPoolKey } from "./PoolReads.ts"
import type { Routed } from "./Router.ts"
import { AmountPreviewRequired } from "./refusals.ts"

const ROUTER = "JBRouterTerminal"

const NATIVE_TOKEN: Address = "0x000000000000000000000000000000000000EEEe"

const BestPool = Schema.Struct({ isV4: Schema.Boolean, v3Pool: Address, v4Key: ReadPoolKey })

/** The routers' only constant that a pair needs is asked of every recorded one before it is known which one routes. */
export const wrappedTokens = (snapshot: PinnedSnapshot, isNeeded: boolean) =>
  Effect.map(
    Effect.forEach(
      isNeeded ? recordedAddresses(snapshot, ROUTER) : [],
      address =>
        Effect.map(
          Effect.either(snapshot.readAt(ROUTER, address, "wrappedNativeToken", [], Address)),
          wrapped => [address, wrapped] as const
        ),
      AT_ONCE
    ),
    found => new Map(found)
  )

export type Wrapped = Effect.Effect.Success<ReturnType<typeof wrappedTokens>>

const bestPool = Effect.fnUntraced(function* (
  { readAt }: PinnedSnapshot,
  routed: Routed,
  known: Wrapped,
  tokens: readonly [tokenIn: Address, tokenOut: Address]
) {
  const router = yield* routed
  const wrapped = yield* known.get(router) ?? readAt(ROUTER, router, "wrappedNativeToken", [], Address)
  const [tokenIn, tokenOut] = tokens.map(token => (token === NATIVE_TOKEN ? wrapped : token))
  return yield* readAt(ROUTER, router, "discoverBestPool", [tokenIn ?? "", tokenOut ?? ""], BestPool)
})

const NO_QUOTE = unknown(new AmountPreviewRequired())

interface Pair {
  readonly tokenIn: Address
  readonly tokenOut: Address
}

export const readPairs = (
  snapshot: PinnedSnapshot,
  routed: Routed,
  wrapped: Wrapped,
  pairs: ReadonlyArray<Pair>
) =>
  Effect.forEach(
    pairs,
    ({ tokenIn, tokenOut }) =>
      Effect.map(observed(bestPool(snapshot, routed, wrapped, [tokenIn, tokenOut])), pool => ({
        tokenIn,
        tokenOut,
        pool,
        quote: NO_QUOTE
      })),
    AT_ONCE
  )
