/** What waits in the gateway that holds failed routed payments. */
import { Effect, Schema } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { observed } from "../../values/Observed.ts"
import { type Address, Bytes32, Uint256 } from "../../values/Scalars.ts"
import { AT_ONCE } from "../shared/context/Core.ts"
import { readForeign } from "../shared/context/ForeignReads.ts"
import type { PendingFailure } from "./get_routing/Declaration.ts"

const output = (type: string, name = "") => ({ name, type })

const FAILURE = [output("bytes32"), output("uint32"), output("uint48"), output("uint64")]

const Failure = Schema.Tuple(Bytes32, Uint256, Uint256, Uint256)

const failureOf = (snapshot: PinnedSnapshot, gateway: Address, id: Bytes32) =>
  Effect.map(
    readForeign(snapshot, gateway, {
      signature: "pendingCallFailureOf(bytes32)",
      words: [id],
      outputs: FAILURE,
      as: Failure
    }),
    ([errorHash, count, lastFailureAt, highestGasLimit]): typeof PendingFailure.Type => ({
      errorHash,
      count,
      lastFailureAt,
      highestGasLimit
    })
  )

const pendingCall = (snapshot: PinnedSnapshot, gateway: Address, id: Bytes32) =>
  Effect.all(
    {
      id: Effect.succeed(id),
      commitment: observed(
        Effect.map(
          readForeign(snapshot, gateway, {
            signature: "pendingCallCommitmentOf(bytes32)",
            words: [id],
            outputs: [output("bytes32")],
            as: Schema.Tuple(Bytes32)
          }),
          ([commitment]) => commitment
        )
      ),
      failure: observed(failureOf(snapshot, gateway, id))
    },
    AT_ONCE
  )

export const pendingCalls = (snapshot: PinnedSnapshot, gateway: Address, ids: ReadonlyArray<Bytes32>) =>
  Effect.all(
    {
      gateway: Effect.succeed(gateway),
      count: observed(
        Effect.map(
          readForeign(snapshot, gateway, {
            signature: "pendingCallCount()",
            outputs: [output("uint256")],
            as: Schema.Tuple(Uint256)
          }),
          ([count]) => count
        )
      ),
      calls: Effect.forEach(ids, id => pendingCall(snapshot, gateway, id), AT_ONCE)
    },
    AT_ONCE
  )
