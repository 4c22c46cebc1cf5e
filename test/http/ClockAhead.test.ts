/** A replica whose clock is ahead takes fresh heads for old ones: it says so, for its nodes are well. */
import { Effect, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { setClock } from "../support/Clocks.ts"
import { fakeNode } from "../support/FakeNode.ts"
import { startService } from "../support/Service.ts"

const AHEAD_SECONDS = 70

/** Of a node with a fresh head, as a replica sees it whose clock is so much ahead. */
const factsWith = (aheadSeconds: number) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const node = yield* fakeNode()
        node.mine(BigInt(Math.floor(Date.now() / 1_000)))
        const chains = [{ chainId: 1, confirmations: 1, urls: [Redacted.make(node.url)] }]
        return yield* Effect.promise(async () => {
          const service = await startService({
            settings: { chains },
            clock: setClock(() => aheadSeconds * 1_000)
          })
          try {
            const { parts } = await (await fetch(`${service.opsUrl}/readyz`)).json()
            return parts.find(({ name }: { name: string }) => name === "chain:1")
          } finally {
            await service.stop()
          }
        })
      })
    )
  )

describe("the part of a chain in readiness", () => {
  it("tells of the machine's clock where that is why no node serves", async () => {
    const { state, facts } = await factsWith(AHEAD_SECONDS)
    assert.strictEqual(state, "unhealthy")
    assert.closeTo(facts.headAgeSeconds, AHEAD_SECONDS, 5)
    assert.closeTo(facts.clockAheadSeconds, AHEAD_SECONDS, 3)
  })

  it("tells nothing of the clock where that is right, or its nodes serve", async () => {
    for (const ahead of [0, 20]) {
      const { state, facts } = await factsWith(ahead)
      assert.strictEqual(state, "healthy")
      assert.notProperty(facts, "clockAheadSeconds")
    }
  })
})
