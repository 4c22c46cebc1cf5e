/** An event with what the rows of it rest on. */
import type { Addresses } from "./Chain.ts"
import type { BlockFacts } from "./Facts.ts"
import type { ProtocolEvent } from "./ProtocolEvents.ts"
import type { Origin, Writer } from "./Writer.ts"

export interface Happened {
  readonly origin: Origin
  readonly facts: BlockFacts
  readonly addresses: Addresses
  /** What came after it in its transaction, soonest first. */
  readonly next: ReadonlyArray<ProtocolEvent>
  /** What came before it in its transaction. */
  readonly earlier: ReadonlyArray<ProtocolEvent>
}

export type EventOf<Contract extends ProtocolEvent["contract"]> = Extract<
  ProtocolEvent,
  { readonly contract: Contract }
>

export type Handler<Contract extends ProtocolEvent["contract"]> = (
  writer: Writer,
  event: EventOf<Contract>,
  happened: Happened
) => Promise<void>
