/** The gateway that holds failed routed payments, and what waits in it. */
import { Effect, Schema } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { observed } from "../../values/Observed.ts"
import { Address, Bytes32, checksummed, Uint256 } from "../../values/Scalars.ts"
import { AT_ONCE, EACH_AT_ONCE } from "../context/Core.ts"
import type { PendingFailure } from "./Declarations.ts"
import { readForeign } from "./ForeignReads.ts"
import { UnsupportedGateway } from "./refusals.ts"

/**
 * deploy-all-v6 at commit a6ab40c, a rollout later than the pinned catalog: one address on seven chains, with
 * the router that it was deployed for. It is trusted to be read from, never to be paid through.
 */
const GATEWAY: Address = "0x4a56AEf5b6A5b9742AbB02cA67C5a85ba183D901"
const ITS_ROUTER = checksummed("0x62e2fe718ca3008a6a322deec9903286463f1add")

export const isGateway = (terminal: Address): boolean => terminal === GATEWAY

const output = (type: string, name = "") => ({ name, type })

const addressOf = (snapshot: PinnedSnapshot, gateway: Address, signature: string) =>
  Effect.map(
    readForeign(snapshot, gateway, { signature, outputs: [output("address")], as: Schema.Tuple(Address) }),
    ([address]) => address
  )

/** Behind a gateway that names a recorded router and the canonical directory, as section 3.4 wants it. */
export const routerBehind = Effect.fn("Gateway.router")(function* (
  snapshot: PinnedSnapshot,
  gateway: Address
) {
  const answers = yield* Effect.all(
    {
      router: addressOf(snapshot, gateway, "ROUTER()"),
      directory: addressOf(snapshot, gateway, "DIRECTORY()")
    },
    EACH_AT_ONCE
  )
  const [router, directory] = [yield* answers.router, yield* answers.directory]
  const isRecorded =
    router === ITS_ROUTER ||
    snapshot.deploymentsOf("JBRouterTerminal").some(({ address }) => address === router)
  if (isRecorded && directory === (yield* snapshot.addressOf("JBDirectory"))) return router
  return yield* new UnsupportedGateway({ context: { gateway, router, directory } })
})

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
