import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { InFlight } from "../../src/http/Connections.ts"
import { makeExchange } from "../../src/http/Exchange.ts"

const exchangeAt = (startedMillis: number) => {
  const request = new IncomingMessage(new Socket())
  return makeExchange(request, new ServerResponse(request), `at ${startedMillis}`, startedMillis)
}

it.effect("gives up what is past sixty seconds, and that alone", () =>
  Effect.gen(function* () {
    const inFlight = new InFlight()
    const [late, due, gone, settled] = [exchangeAt(0), exchangeAt(1), exchangeAt(0), exchangeAt(0)]
    const fibers = yield* Effect.forEach([late, due, gone, settled], () => Effect.fork(Effect.never))
    settled.settled = true
    for (const [index, exchange] of [late, due, gone, settled].entries()) {
      const fiber = fibers[index]
      if (fiber !== undefined) inFlight.add(exchange, fiber)
    }
    inFlight.remove(gone)
    const told: Array<string> = []
    yield* inFlight.endOverdue(60_001, exchange => void told.push(exchange.id))
    assert.deepStrictEqual(told, ["at 0"])
    const exit = yield* Fiber.await(fibers[0] ?? Fiber.void)
    assert.isTrue(Exit.isInterrupted(exit))
    assert.strictEqual((yield* Fiber.status(fibers[1] ?? assert.fail()))._tag, "Suspended")
  })
)
