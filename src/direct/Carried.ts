/** A step's own transaction carries it, and all that this did is the step's. */
import { Effect } from "effect"
import type { Tracking } from "../dispatch/Transport.ts"
import { transactionOf } from "../plans/Binding.ts"

export const locate: Tracking["locate"] = (_, steps) =>
  Effect.succeed(steps.map(({ binding }) => transactionOf(binding)?.hash))

export const walletNonce: Tracking["walletNonce"] = binding => {
  const nonce = transactionOf(binding)?.transaction.nonce
  return nonce === undefined ? undefined : BigInt(nonce)
}

export const prove: Tracking["prove"] = (_, __, { status, logs }) =>
  Effect.succeed({ _tag: "Proved", status, logs })
