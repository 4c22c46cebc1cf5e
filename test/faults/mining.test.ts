import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import { assert, it } from "vitest"
import { keptOpen } from "../support/KeptOpen.ts"
import { startMining } from "./crash/Mining.ts"

const PACE_MILLIS = 1
const ANSWER_MILLIS = 20
const BLOCKS = 10

it("a node that is slower than the pace of its blocks is asked for one at a time", async () => {
  let open = 0
  let most = 0
  let answered = 0
  let enough = () => {}
  const mined = new Promise<void>(resolve => {
    enough = resolve
  })
  const node = createServer(keptOpen, async (_request, response) => {
    open += 1
    most = Math.max(most, open)
    await setTimeout(ANSWER_MILLIS)
    open -= 1
    answered += 1
    if (answered === BLOCKS) enough()
    response.end("{}")
  })
  await new Promise<void>(resolve => node.listen(0, "127.0.0.1", resolve))
  const { port } = node.address() as AddressInfo
  const mining = startMining(`http://127.0.0.1:${port}`, PACE_MILLIS)
  await mined
  mining.stop()
  node.closeAllConnections()
  node.close()
  assert.strictEqual(most, 1)
})
