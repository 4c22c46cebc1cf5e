/** What the provider promised before it ended, it does afterwards. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, it } from "vitest"
import {
  type Forwarding,
  forwarderNonce,
  signedRequest,
  startForwarding
} from "../sandbox/support/Forwarding.ts"
import { holder } from "../sandbox/support/Sandbox.ts"
import { bundleIn, getBundle, hashesOf, pay, publish, spawnProvider } from "./support/Provider.ts"

let world: Forwarding
let directory: string

beforeAll(async () => {
  world = await startForwarding()
  directory = await mkdtemp(join(tmpdir(), "provider-"))
})
afterAll(async () => {
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
