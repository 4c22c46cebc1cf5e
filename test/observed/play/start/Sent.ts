/** A transaction of the start: who sends what where. */
import type { Address, Hex } from "viem"
import { PROTOCOL_OWNER } from "../Placed.ts"

export interface Sent {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
}

export const sent = (to: Address, data: Hex, from: Address = PROTOCOL_OWNER, value = 0n): Sent => ({
  from,
  to,
  data,
  value
})
