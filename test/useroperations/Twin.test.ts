/** Two equal requests, of which one is refused by what the other brought about: it is told of the operation, as any repeat. */
import { afterAll, assert, it } from "vitest"
import { startNodeGate } from "../support/NodeGate.ts"
import { chainSettings } from "../support/Sandbox.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { startOperatingBench, timesSent } from "./support/Operating.ts"
import { sendingOn } from "./support/Sending.ts"

const bench = await startOperatingBench()
const { prepared, send, heldAnswer } = sendingOn(bench)
const gate = await startNodeGate()
gate.to(bench.chain.url)
const replica = await bench.replica({ chains: chainSettings(gate.url) })

afterAll(async () => {
  await replica.stop()
  await gate.stop()
  await bench.stop()
})

it("a request whose twin was admitted while it was looked at is told of it, though its wallet can pay no more", async () => {
  const one = await prepared()
  const idempotencyKey = freshNonce()
  const { reached, letGo } = heldAnswer()
  let first: Promise<Response> | undefined
  const held = gate.during("eth_getBlockByNumber", async () => {
    first = send(one, { idempotencyKey })
    await reached
    await bench.sandbox.client.setBalance({ address: one.wallet.address, value: 0n })
  })
  const second = await send(one, { idempotencyKey }, replica)
  await held
  assert.strictEqual(second.status, 202, await second.clone().text())
  assert.strictEqual(second.headers.get("idempotent-replayed"), "true")
  letGo()
  assert.strictEqual((await first)?.status, 202)
  assert.strictEqual(timesSent(bench, one.operation), 1)
})
