import { TransactionConnection } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Stream } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { gasPrice } from "../../src/chain/Reads.ts"
import { fakeNode } from "../support/FakeNode.ts"
import { clientOver } from "./ChainUnderTest.ts"

const connection: Connection = {
  execute: () => Effect.succeed([]),
  executeRaw: () => Effect.void,
  executeStream: () => Stream.empty,
  executeValues: () => Effect.succeed([]),
  executeUnprepared: () => Effect.succeed([])
}

const inTransaction = Effect.provideService(TransactionConnection, [connection, 0])

describe("inside a database transaction", () => {
  it.effect("every way to the chain dies before anything leaves", () =>
    Effect.gen(function* () {
      const node = yield* fakeNode()
      const use = Effect.gen(function* () {
        const client = yield* ChainClient
        const { session, block, calls, codes } = yield* client.snapshot(1)
        const before = node.roundTrips()
        const ways: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
          client.session(1),
          client.begin(1, [gasPrice]),
          client.snapshot(1),
          client.snapshot(1, 0n),
          client.health,
          session.all([gasPrice]),
          session.sendRaw("0x01"),
          calls([{ to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", data: "0x" }]),
          codes(["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]),
          client.snapshotOf(session, block).calls([])
        ]
        for (const way of ways) {
          const exit = yield* Effect.exit(inTransaction(way))
          assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
        }
        assert.strictEqual(node.roundTrips(), before)
        assert.strictEqual((yield* client.health)[0]?.state, "healthy")
      })
      yield* Effect.provide(use, clientOver({ chainId: 1, urls: [node.url] }))
    }).pipe(Effect.scoped)
  )
})
