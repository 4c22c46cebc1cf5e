import { assert, it } from "@effect/vitest"
import { Effect, Layer, Tracer } from "effect"
import type { ChainSession } from "../../src/chain/ChainClient.ts"
import { sendOnce } from "../../src/direct/SendRaw.ts"
import type { SignedTransaction } from "../../src/direct/SignedTransaction.ts"
import { Broadcast } from "../../src/dispatch/Broadcast.ts"
import { DispatchLease } from "../../src/dispatch/DispatchLease.ts"
import { quietTracer } from "../../src/telemetry/QuietTracer.ts"

interface Told {
  readonly name: string
  readonly attributes: Record<string, unknown>
}

/** Keeps what would be exported. */
const keeping = (told: Array<Told>): Tracer.Tracer =>
  Tracer.make({
    context: work => work(),
    span: (name, parent, context, links, startTime, kind) => {
      const attributes: Told["attributes"] = {}
      told.push({ name, attributes })
      return {
        _tag: "Span",
        name,
        spanId: "00f067aa0ba902b7",
        traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
        parent,
        context,
        links: [...links],
        status: { _tag: "Started", startTime },
        attributes: new Map(),
        sampled: true,
        kind,
        end: () => {},
        attribute: (key, value) => {
          attributes[key] = value
        },
        event: () => {},
        addLinks: () => {}
      }
    }
  })

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const transaction: SignedTransaction = {
  hash: `0x${"12".repeat(32)}`,
  type: "eip1559",
  chainId: 1,
  sender: ADDRESS,
  nonce: 0n,
  to: ADDRESS,
  data: "0x",
  value: 0n,
  gas: 21_000n,
  maximumFeePerGas: 1n,
  accessList: [],
  maximumCost: 21_000n,
  raw: "0x02"
}

const session: ChainSession = {
  chainId: 1,
  endpoint: "1",
  all: () => Effect.dieMessage("nothing is read"),
  sendRaw: () => Effect.dieMessage("the node is gone")
}

it.live("a broadcast tells the transaction's hash and nothing that is not on the list", () => {
  const told: Array<Told> = []
  const lease = { planId: "5f0c8a52-0b1c-4f0a-9f53-000000000001", step: 0, token: "a-token" }
  const settled = Layer.succeed(DispatchLease, { settle: () => Effect.dieMessage("nothing is settled") })
  const sent = Effect.flatMap(Broadcast, ({ send }) =>
    send({ hash: transaction.hash, send: sendOnce(session, transaction) }, lease)
  ).pipe(
    Effect.annotateSpans({ token: lease.token }),
    Effect.withTracer(quietTracer(keeping(told))),
    Effect.exit,
    Effect.provide(Layer.provide(Broadcast.layer, settled))
  )
  return Effect.map(sent, () =>
    assert.deepStrictEqual(told, [
      {
        name: "broadcast",
        attributes: { "transaction.hash": transaction.hash, "error.type": "RuntimeException" }
      }
    ])
  )
})
