/** The transactions that carry a bundle: one for each request in order, or what it was told to do instead. */
import type { Address, Hex } from "viem"
import type { Conduct } from "./Faults.ts"
import { batchData, outerGas } from "./Forwarder.ts"
import { nestedData } from "./NestedCaller.ts"
import type { Published } from "./Publication.ts"

export interface Send {
  readonly to: Address
  readonly data: Hex
  readonly value: string
  readonly gas: string
  /** Indexes of the requests that it carries. */
  readonly carries: ReadonlyArray<number>
  state: "waiting" | "sent" | "success" | "failed"
  raw?: Hex
  hash?: Hex
  nonce?: number
  block?: number
}

const sent = (carries: ReadonlyArray<number>, to: Address, data: Hex, value: bigint, gas: bigint): Send => ({
  to,
  data,
  value: String(value),
  gas: String(gas),
  carries,
  state: "waiting"
})

const direct = ({ request, execution }: Published, index: number): Send =>
  sent([index], request.target, request.data, execution.value, outerGas(execution))

const nested =
  (caller: Address) =>
  ({ request, execution }: Published, index: number): Send =>
    sent(
      [index],
      caller,
      nestedData(request.target, request.data),
      execution.value,
      outerGas(execution) + 200_000n
    )

/** Of the first forwarder: the batch is one call of it. */
const batched = (published: ReadonlyArray<Published>, refunds: Address): ReadonlyArray<Send> => {
  const target = published[0]?.request.target
  if (target === undefined) return []
  const total = (of: (each: Published) => bigint) => published.reduce((sum, each) => sum + of(each), 0n)
  const data = batchData(
    published.map(({ request }) => request.data),
    refunds
  )
  const value = total(({ execution }) => execution.value)
  return [
    sent(
      published.map((_, index) => index),
      target,
      data,
      value,
      total(({ execution }) => outerGas(execution))
    )
  ]
}

export const sendsOf = (
  published: ReadonlyArray<Published>,
  conduct: Conduct | undefined,
  { provider, nestedCaller }: { readonly provider: Address; readonly nestedCaller: Address }
): ReadonlyArray<Send> => {
  switch (conduct) {
    case "executes-never":
    case "vanishes":
      return []
    case "executes-first-only":
      return published.slice(0, 1).map(direct)
    case "executes-twice":
      return published.flatMap((each, index) => [direct(each, index), direct(each, index)])
    case "executes-batched":
      return batched(published, provider)
    case "executes-nested":
      return published.map(nested(nestedCaller))
    default:
      return published.map(direct)
  }
}
