/** Bounds the contract signatures that are asked about at a time; whose key signed needs no place here, and who waits for a chain holds none of theirs. */
import { Effect } from "effect"
import { ServiceBusy } from "../accounts/refusals.ts"

export interface Asked {
  readonly chainId: number
  readonly accountId: string
  /** The client address or network that asks. */
  readonly address: string
}

interface Bound {
  readonly per: string
  readonly limit: number
  readonly of: (asked: Asked) => string
}

/** One address fills neither an account's places nor a chain's. */
const BOUNDS: ReadonlyArray<Bound> = [
  { per: "client address", limit: 8, of: ({ address }) => `address ${address}` },
  { per: "account", limit: 16, of: ({ accountId }) => `account ${accountId}` },
  { per: "chain", limit: 32, of: ({ chainId }) => `chain ${chainId}` }
]

const busy = ({ per, limit }: Bound) =>
  new ServiceBusy({
    detail: `As many contract signatures of this ${per} are being verified as are at a time.`,
    retryAfterSeconds: 1,
    context: { limit, per }
  })

export const makeContractPlaces = () => {
  const taken = new Map<string, number>()
  const countOf = (key: string): number => taken.get(key) ?? 0
  const change = (asked: Asked, by: 1 | -1) => {
    for (const { of } of BOUNDS) {
      const count = countOf(of(asked)) + by
      if (count === 0) taken.delete(of(asked))
      else taken.set(of(asked), count)
    }
  }
  const enter = (asked: Asked) =>
    Effect.suspend(() => {
      const full = BOUNDS.find(({ limit, of }) => countOf(of(asked)) >= limit)
      return full === undefined ? Effect.sync(() => change(asked, 1)) : Effect.fail(busy(full))
    })
  /** Holds a place of each while it asks. */
  return <A, E>(asked: Asked, ask: Effect.Effect<A, E>): Effect.Effect<A, E | ServiceBusy> =>
    Effect.acquireUseRelease(
      enter(asked),
      () => ask,
      () => Effect.sync(() => change(asked, -1))
    )
}
