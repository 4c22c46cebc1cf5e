/** What the provider promised before it ended, it does afterwards. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, it } from "vitest"
import {
  type Forwarding,
  forwarderNonce,
  receiptOf,
  signedRequest,
  startForwarding
} from "../sandbox/support/Forwarding.ts"
import { holder } from "../sandbox/support/Sandbox.ts"
import { until } from "../support/Until.ts"
import {
  bundleIn,
  endProviders,
  getBundle,
  hashesOf,
  pay,
  publish,
  spawnProvider
} from "./support/Provider.ts"

let world: Forwarding
let directory: string

beforeAll(async () => {
  world = await startForwarding()
  directory = await mkdtemp(join(tmpdir(), "provider-"))
})
afterAll(async () => {
  await endProviders()
  await world.sandbox.stop()
  await rm(directory, { recursive: true })
})

it("executes what was paid while it was gone, once, and ends when it is told to", async () => {
  const file = join(directory, "restarted")
  const first = await spawnProvider(world.sandbox.url, file)
  const published = await publish(first, world, [await signedRequest(world, holder)])
  assert.isNull(await first.end("SIGKILL"))
  const nonce = await forwarderNonce(world, holder)
  await pay(world, published)
  const second = await spawnProvider(world.sandbox.url, file)
  const executed = hashesOf(await bundleIn(second, published.bundle_uuid, ["Success"]))
  await second.end("SIGKILL")
  const third = await spawnProvider(world.sandbox.url, file)
  assert.deepEqual(hashesOf(await bundleIn(third, published.bundle_uuid, ["Success"])), executed)
  assert.equal(await forwarderNonce(world, holder), nonce + 1n)
  assert.equal(await third.end("SIGTERM"), 0)
})

it("leaves out a line that it did not finish, and forgets bundles of another chain", async () => {
  const file = join(directory, "torn")
  const first = await spawnProvider(world.sandbox.url, file)
  const { bundle_uuid } = await publish(first, world, [await signedRequest(world, holder)])
  await first.end("SIGKILL")
  await writeFile(file, '{"uuid":"torn', { flag: "a" })
  const second = await spawnProvider(world.sandbox.url, file)
  assert.equal((await getBundle(second.url, bundle_uuid)).status, 200)
  await second.end("SIGKILL")
  const kept = await readFile(file, "utf8")
  assert.notInclude(kept, "torn")
  await writeFile(file, kept.replace(/0x[0-9a-f]{64}/, `0x${"00".repeat(32)}`))
  const third = await spawnProvider(world.sandbox.url, file)
  assert.equal((await getBundle(third.url, bundle_uuid)).status, 404)
  await third.end("SIGKILL")
})

it("signs anew where another transaction of its key took the nonce", async () => {
  const file = join(directory, "displaced")
  const { client } = world.sandbox
  const first = await spawnProvider(world.sandbox.url, file)
  const published = await publish(first, world, [await signedRequest(world, holder)])
  await pay(world, published)
  const [before = "0x"] = hashesOf(await bundleIn(first, published.bundle_uuid, ["Success"]))
  const { from } = await receiptOf(world.sandbox, before)
  await first.end("SIGTERM")
  await client.transport.request({ method: "anvil_rollback", params: [1] })
  await client.impersonateAccount({ address: from })
  await world.sandbox.mined(client.sendTransaction({ account: from, to: from }))
  await client.stopImpersonatingAccount({ address: from })
  const second = await spawnProvider(world.sandbox.url, file)
  const [after = "0x"] = await until(
    async () => hashesOf(await bundleIn(second, published.bundle_uuid, ["Success"])),
    ([hash]) => hash !== before
  )
  assert.equal((await receiptOf(world.sandbox, after)).status, "success")
  await second.end("SIGTERM")
})

it("puts the code of its contract back", async () => {
  const file = join(directory, "code")
  const first = await spawnProvider(world.sandbox.url, file)
  const { payment_info } = await publish(first, world, [await signedRequest(world, holder)])
  await first.end("SIGTERM")
  const [{ target: address } = assert.fail()] = payment_info
  const code = await world.sandbox.client.getCode({ address })
  await world.sandbox.client.setCode({ address, bytecode: "0x00" })
  const second = await spawnProvider(world.sandbox.url, file)
  assert.equal(await world.sandbox.client.getCode({ address }), code)
  await second.end("SIGTERM")
})
