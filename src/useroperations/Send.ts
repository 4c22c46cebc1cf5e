/** Sends a claimed operation once and records what is known of it; the room owns the sending, so that a client that leaves stops nothing. */
import { Context, Effect, Fiber, FiberSet, Layer, Option, Schedule } from "effect"
import { DispatchPersistenceUncertain } from "../dispatch/refusals.ts"
import { countSubmission, type MeasuredTransport } from "../dispatch/TransportMetrics.ts"
import { unheardClaims } from "../dispatch/UnheardClaims.ts"
import { failpoint } from "../values/Failpoint.ts"
import { withinGrace } from "../values/Grace.ts"
import { Bundler } from "./Bundler.ts"
import type { PlacedOperation } from "./HandleOps.ts"
import {
  OperationSendStore,
  type SendOutcome,
  type SendRequest,
  type SendToken
} from "./OperationSendStore.ts"

const AWAITED = "20 seconds"
const GRACE = "12 seconds"
const SETTLING = Schedule.intersect(Schedule.exponential("100 millis"), Schedule.recurs(5))

type OperationTransport = Extract<MeasuredTransport, "user-operation" | "session">

export class Send extends Context.Tag("useroperations/Send")<
  Send,
  {
    /** Ends once the outcome is stored, or after twenty seconds, while the sending goes on. */
    readonly send: (
      placed: PlacedOperation,
      token: SendToken,
      transport: OperationTransport
    ) => Effect.Effect<void, DispatchPersistenceUncertain>
    /** Where the claim is found to stand of which nobody was told. */
    readonly sendUnheard: (
      request: SendRequest,
      placed: PlacedOperation,
      token: SendToken,
      transport: OperationTransport
    ) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.scoped(
    Send,
    Effect.gen(function* () {
      const bundler = yield* Bundler
      const store = yield* OperationSendStore
      const fibers = yield* FiberSet.make<void, DispatchPersistenceUncertain>()
      const unheard = yield* unheardClaims
      yield* Effect.addFinalizer(() => withinGrace(FiberSet.awaitEmpty(fibers), GRACE))

      /** Another hash than the operation's own says nothing. */
      const sent = (placed: PlacedOperation) =>
        Effect.map(
          bundler.send(placed),
          (told): SendOutcome => (Option.contains(told, placed.operationHash) ? "accepted" : "unknown")
        )

      const sendAndSettle = (placed: PlacedOperation, token: SendToken, transport: OperationTransport) =>
        failpoint("operation.sent").pipe(
          Effect.zipRight(sent(placed)),
          Effect.zipLeft(failpoint("operation.answered")),
          Effect.tap(outcome => Effect.retry(store.settle(token, outcome), SETTLING)),
          Effect.tap(outcome => countSubmission(transport, outcome)),
          Effect.zipLeft(failpoint("operation.settled")),
          Effect.asVoid,
          Effect.mapError(
            () => new DispatchPersistenceUncertain({ context: { operationId: token.operationId } })
          )
        )

      return {
        send: Effect.fn("Send.send")(function* (placed, token, transport) {
          const sending = Effect.interruptible(sendAndSettle(placed, token, transport))
          const fiber = yield* FiberSet.run(fibers, sending)
          yield* Effect.interruptible(Effect.timeoutOption(Fiber.await(fiber), AWAITED))
          yield* Effect.transposeOption(yield* fiber.poll)
        }),
        sendUnheard: (request, placed, token, transport) =>
          unheard(store.stands(request, token), FiberSet.run(fibers, sendAndSettle(placed, token, transport)))
      }
    })
  )
}
