/** Looks through a chain's blocks for a wallet's executed requests. */
import { Effect, Option } from "effect"
import type { ChainSession } from "../chain/ChainClient.ts"
import type { LogQuery } from "../chain/Reads.ts"
import { searchEvents } from "../dispatch/SearchEvents.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import { EXECUTED_TOPIC, type ExecutedRequest, executedBy, signerTopic } from "./ForwardedCalls.ts"

export interface Searched {
  readonly executed: ReadonlyArray<ExecutedRequest>
  /** The last block that was looked at. */
  readonly to: bigint
}

/** Blocks of one chain, and who is looked for in them. */
export interface Search extends Pick<LogQuery, "from" | "to"> {
  readonly forwarder: Hex
  readonly signer: Address
}

/** None where the node gives no logs. */
export const searchExecutions = (session: ChainSession, { forwarder, signer, from, to }: Search) =>
  Effect.map(
    searchEvents(session, { address: forwarder, topics: [EXECUTED_TOPIC, signerTopic(signer)], from, to }),
    Option.map(({ logs, to }): Searched => ({ executed: executedBy(logs, forwarder, signer), to }))
  )
