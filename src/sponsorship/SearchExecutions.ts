/** Looks through a chain's blocks for executed requests of several wallets at once. */
import { Array, Effect, Option, Order } from "effect"
import type { ChainSession } from "../chain/ChainClient.ts"
import { searchEvents } from "../dispatch/SearchEvents.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import { EXECUTED_TOPIC, type ExecutedRequest, executedBy, signerTopic } from "./ForwardedCalls.ts"

/** Wallets whose searches begin within so many blocks are looked for by the same questions. */
const NEAR = 2_000n

export interface Searched {
  readonly executed: ReadonlyArray<ExecutedRequest>
  /** The last block that was looked at. */
  readonly to: bigint
}

/** Who is looked for, and from which block on. */
interface SoughtSigner {
  readonly forwarder: Hex
  readonly signer: Address
  readonly from: bigint
}

const searchNear = Effect.fnUntraced(function* <Sought extends SoughtSigner>(
  session: ChainSession,
  sought: Array.NonEmptyReadonlyArray<Sought>,
  to: bigint
) {
  const [{ forwarder }] = sought
  const from = Array.min(
    Array.map(sought, each => each.from),
    Order.bigint
  )
  const topics = [EXECUTED_TOPIC, sought.map(({ signer }) => signerTopic(signer))]
  const found = yield* searchEvents(session, { address: forwarder, topics, from, to })
  return sought.map(each => {
    const searched = Option.map(
      found,
      ({ logs, to }): Searched => ({ executed: executedBy(logs, forwarder, each.signer), to })
    )
    return [each, searched] as const
  })
})

/** None of those of whom the node gives no logs. */
export const searchExecutions = <Sought extends SoughtSigner>(
  session: ChainSession,
  sought: ReadonlyArray<Sought>,
  to: bigint
) => {
  const near = Array.groupBy(sought, ({ forwarder, from }) => `${forwarder}/${from / NEAR}`)
  return Effect.map(
    Effect.forEach(Object.values(near), each => searchNear(session, each, to), { concurrency: "unbounded" }),
    found => new Map(found.flat())
  )
}
