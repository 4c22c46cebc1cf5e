/** Runs the calls of one chain as the wallet, in their order, and tells how much gas each request needs. */
import { Effect } from "effect"
import type { CallOutcome } from "../chain/ChainClient.ts"
import { gasEstimate, simulatedCall, simulation } from "../chain/PinnedReads.ts"
import { RpcInvalidResponse } from "../chain/refusals.ts"
import { refuseFailedCall } from "../dispatch/FailedCall.ts"
import type { Call } from "../plans/Plan.ts"
import type { PinnedSnapshot } from "../protocol/PinnedContracts.ts"
import type { Address } from "../values/Scalars.ts"
import { SponsorshipChainUnavailable } from "./refusals.ts"

const EXTRA_GAS = 25_000n

const requestOf = ({ to, data, value }: Call, from: Address) => ({ to, data, from, value: BigInt(value) })

const runOne = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, call: Call, wallet: Address) {
  const { ask, block } = snapshot
  const request = requestOf(call, wallet)
  const [outcome, estimate] = yield* Effect.all(
    [ask(simulatedCall(request, block.hash)), ask(gasEstimate(request, block.hash))],
    { concurrency: "unbounded" }
  )
  yield* refuseFailedCall(call, outcome)
  const estimated = yield* refuseFailedCall(call, estimate)
  return estimated._tag === "Estimated" ? [estimated.gas] : yield* new RpcInvalidResponse()
})

/** Each sees what those before it did. */
const runTogether = Effect.fnUntraced(function* (
  { ask, block, chainId }: PinnedSnapshot,
  calls: ReadonlyArray<Call>,
  wallet: Address
) {
  const requests = calls.map(call => requestOf(call, wallet))
  const simulated = yield* ask(simulation(requests, block.hash))
  if (simulated._tag === "Refused") return yield* new SponsorshipChainUnavailable({ context: { chainId } })
  return yield* Effect.forEach(simulated.calls, ({ status, returnData, gasUsed }, index) => {
    const call = calls[index]
    if (status === "success" || call === undefined) return Effect.succeed(gasUsed)
    const outcome: CallOutcome = { _tag: "Reverted", data: returnData }
    return Effect.as(refuseFailedCall(call, outcome), gasUsed)
  })
})

export const gasOfCalls = (snapshot: PinnedSnapshot, calls: ReadonlyArray<Call>, wallet: Address) => {
  const [only, ...others] = calls
  const run =
    only === undefined || others.length > 0
      ? runTogether(snapshot, calls, wallet)
      : runOne(snapshot, only, wallet)
  return Effect.map(run, all => all.map(gas => (gas * 6n) / 5n + EXTRA_GAS))
}
