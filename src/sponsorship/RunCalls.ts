/** Runs calls of one chain in their order at one block, each on what those before it did. */
import { Effect } from "effect"
import type { CallOutcome, CallRequest } from "../chain/ChainClient.ts"
import { isLimiting } from "../chain/JsonRpc.ts"
import { gasEstimate, simulatedCall, simulation } from "../chain/PinnedReads.ts"
import { RpcInvalidResponse } from "../chain/refusals.ts"
import { refuseFailedCall } from "../dispatch/FailedCall.ts"
import type { Call } from "../plans/Plan.ts"
import { nodeRefused } from "../protocol/Answers.ts"
import type { PinnedSnapshot } from "../protocol/PinnedContracts.ts"
import type { Address } from "../values/Scalars.ts"
import { SponsorshipChainUnavailable } from "./refusals.ts"

const EXTRA_GAS = 25_000n

/** What is sent for a planned call. */
export interface Running {
  readonly call: Call
  readonly request: CallRequest
}

/** How much gas each used. */
const runTogether = Effect.fnUntraced(function* (
  { ask, block, chainId }: PinnedSnapshot,
  running: ReadonlyArray<Running>
) {
  const simulated = yield* ask(
    simulation(
      running.map(({ request }) => request),
      block.hash
    )
  )
  if (simulated._tag === "Refused")
    return yield* isLimiting(simulated.code)
      ? nodeRefused(simulated.code)
      : new SponsorshipChainUnavailable({ context: { chainId } })
  const results = simulated.calls
  return yield* Effect.forEach(
    running,
    Effect.fnUntraced(function* ({ call }, index: number) {
      const ran = results[index]
      if (ran === undefined) return yield* new RpcInvalidResponse()
      const { status, returnData, gasUsed } = ran
      const reverted: CallOutcome = { _tag: "Reverted", data: returnData }
      if (status === "reverted") yield* refuseFailedCall(call, reverted)
      return gasUsed
    })
  )
})

/** Refuses what does not go through. */
export const runCalls = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  running: ReadonlyArray<Running>
) {
  const [only, ...others] = running
  if (only === undefined) return
  if (others.length > 0) return yield* Effect.asVoid(runTogether(snapshot, running))
  yield* refuseFailedCall(only.call, yield* snapshot.ask(simulatedCall(only.request, snapshot.block.hash)))
})

const estimateOne = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, running: Running) {
  const { request, call } = running
  const { hash } = snapshot.block
  const [ran, estimate] = yield* snapshot.askAll([simulatedCall(request, hash), gasEstimate(request, hash)])
  yield* refuseFailedCall(call, ran)
  const estimated = yield* refuseFailedCall(call, estimate)
  return estimated._tag === "Estimated" ? [estimated.gas] : yield* new RpcInvalidResponse()
})

/** How much gas each request needs, by its call as the wallet. */
export const gasOfCalls = (snapshot: PinnedSnapshot, calls: ReadonlyArray<Call>, wallet: Address) => {
  const running = calls.map(call => {
    const { to, data, value } = call
    return { call, request: { to, data, from: wallet, value: BigInt(value) } }
  })
  const [only, ...others] = running
  const used =
    only === undefined || others.length > 0 ? runTogether(snapshot, running) : estimateOne(snapshot, only)
  return Effect.map(used, all => all.map(gas => (gas * 6n) / 5n + EXTRA_GAS))
}
