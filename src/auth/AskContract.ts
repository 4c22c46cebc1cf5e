/** Lets an owner's contract be asked about a signature: it costs a chain's calls before anybody is known. */
import { Effect } from "effect"
import { ServiceBusy } from "../accounts/refusals.ts"
import { workingFor } from "../chain/Work.ts"
import { Settings } from "../settings/Settings.ts"
import type { Border } from "./Border.ts"
import type { SignedHeaders } from "./SignedRequest.ts"

export const makeAskContract = <Exchange>(border: Border<Exchange>) =>
  Effect.gen(function* () {
    const { chains } = yield* Settings
    const configured = new Set(chains.map(({ chainId }) => chainId))
    const acceptedLately = yield* makeAcceptedLately
    const askingWithin = makeContractPlaces()

    /** The address pays once it has a place, before the asking begins; who asks no chain needs none. */
    const letAsk =
      (exchange: Exchange, { authorityChainId, accountId }: SignedHeaders, address: string) =>
      <A, E>(ask: Effect.Effect<A, E>) =>
        configured.has(authorityChainId)
          ? askingWithin(
              { chainId: authorityChainId, accountId, address },
              Effect.zipRight(
                border.charge(exchange, address),
                workingFor({ kind: "verification", address, wasAccepted: acceptedLately.has(address) })(ask)
              )
            )
          : ask

    return { letAsk, accepted: acceptedLately.add }
  })

const KEPT_MILLIS = 3_600_000
/** The longest ago is forgotten first. */
const MOST = 1_000

/** From where contract signatures were accepted lately: what is kept for their next ones, forged ones from elsewhere cannot use up. */
export interface AcceptedLately {
  readonly add: (address: string) => void
  readonly has: (address: string) => boolean
}

const makeAcceptedLately: Effect.Effect<AcceptedLately> = Effect.map(Effect.clock, clock => {
  const acceptedAt = new Map<string, number>()
  return {
    add: address => {
      acceptedAt.delete(address)
      acceptedAt.set(address, clock.unsafeCurrentTimeMillis())
      const [oldest] = acceptedAt.keys()
      if (acceptedAt.size > MOST && oldest !== undefined) acceptedAt.delete(oldest)
    },
    has: address => {
      const at = acceptedAt.get(address)
      return at !== undefined && clock.unsafeCurrentTimeMillis() - at < KEPT_MILLIS
    }
  }
})

export interface AskedContract {
  readonly chainId: number
  readonly accountId: string
  /** The client address or network that asks. */
  readonly address: string
}

interface Bound {
  readonly per: string
  readonly limit: number
  readonly of: (asked: AskedContract) => string
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

/** Bounds the contract signatures that are asked about at a time; whose key signed needs no place here, and who waits for a chain holds none of theirs. */
const makeContractPlaces = () => {
  const taken = new Map<string, number>()
  const countOf = (key: string): number => taken.get(key) ?? 0
  const change = (asked: AskedContract, by: 1 | -1) => {
    for (const { of } of BOUNDS) {
      const count = countOf(of(asked)) + by
      if (count === 0) taken.delete(of(asked))
      else taken.set(of(asked), count)
    }
  }
  const enter = (asked: AskedContract) =>
    Effect.suspend(() => {
      const full = BOUNDS.find(({ limit, of }) => countOf(of(asked)) >= limit)
      return full === undefined ? Effect.sync(() => change(asked, 1)) : Effect.fail(busy(full))
    })
  /** Holds a place of each while it asks. */
  return <A, E>(asked: AskedContract, ask: Effect.Effect<A, E>): Effect.Effect<A, E | ServiceBusy> =>
    Effect.acquireUseRelease(
      enter(asked),
      () => ask,
      () => Effect.sync(() => change(asked, -1))
    )
}
