/** What the provider does with a bundle when it was told to do something else than it was paid for. */
import { type Hex, isAddressEqual, parseEventLogs } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { BundleAnswer, PublicationAnswer } from "../../sandbox/provider/Answers.ts"
import type { Conduct } from "../../sandbox/provider/Faults.ts"
import {
  executeData,
  type Forwarding,
  forwarderAbi,
  forwarderNonce,
  REVERTING,
  receiptOf,
  type Signer,
  signedRequest,
  startForwarding
} from "../sandbox/support/Forwarding.ts"
import { beneficiary, holder, owner } from "../sandbox/support/Sandbox.ts"
import { until } from "../support/Until.ts"
import {
  arm,
  bundleIn,
  bundleOf,
  getBundle,
  hashesOf,
  pay,
  publish,
  type Reached,
  startProvider,
  statesOf
} from "./support/Provider.ts"

let world: Forwarding
let provider: Reached

beforeAll(async () => {
  world = await startForwarding()
  provider = await startProvider(world)
})
afterAll(async () => {
  await provider.stop()
  await world.sandbox.stop()
})

const nonces = () => Promise.all([holder, beneficiary].map((signer: Signer) => forwarderNonce(world, signer)))

const published = async (conduct: Conduct, data?: Hex): Promise<PublicationAnswer> => {
  await arm(provider, { lie: conduct, path: "publication" })
  return publish(provider, world, [
    await signedRequest(world, holder, data === undefined ? {} : { data }),
    await signedRequest(world, beneficiary)
  ])
}

/** So that what was to be done before is done. */
const honest = async () => {
  const other = await publish(provider, world, [await signedRequest(world, owner)])
  await pay(world, other)
  await bundleIn(provider, other.bundle_uuid, ["Success"])
}

const paidFor = async (answer: PublicationAnswer, states: ReadonlyArray<string>): Promise<BundleAnswer> => {
  await pay(world, answer)
  await honest()
  return bundleIn(provider, answer.bundle_uuid, states)
}

const eventsOf = async (hash: Hex | undefined) => {
  const { logs } = await receiptOf(world.sandbox, hash ?? assert.fail("no hash"))
  const events = parseEventLogs({ abi: forwarderAbi, eventName: "ExecutedForwardRequest", logs })
  return events.map(({ args }) => args)
}

describe("the provider", () => {
  it("executes unpaid", async () => {
    const { bundle_uuid } = await published("executes-unpaid")
    await bundleIn(provider, bundle_uuid, ["Success", "Success"])
  })

  it("executes twice, and speaks of the second time", async () => {
    const [before] = await nonces()
    const bundle = await paidFor(await published("executes-twice"), ["Failed", "Failed"])
    for (const hash of hashesOf(bundle))
      assert.equal((await receiptOf(world.sandbox, hash ?? "0x")).status, "reverted")
    assert.equal((await nonces())[0], (before ?? 0n) + 1n)
  })

  it("executes never", async () => {
    const before = await nonces()
    await paidFor(await published("executes-never"), ["Pending", "Pending"])
    assert.deepEqual(await nonces(), before)
  })

  it("executes the first of two", async () => {
    const [first = 0n, second] = await nonces()
    await paidFor(await published("executes-first-only"), ["Success", "Pending"])
    assert.deepEqual(await nonces(), [first + 1n, second])
  })

  it("executes in a batch, which succeeds though a request does not", async () => {
    const [nonce, other] = await nonces()
    const bundle = await paidFor(await published("executes-batched", REVERTING), ["Success", "Success"])
    const [hash, same] = hashesOf(bundle)
    assert.equal(hash, same)
    assert.deepEqual(await eventsOf(hash), [
      { signer: holder.address, nonce, success: false },
      { signer: beneficiary.address, nonce: other, success: true }
    ])
  })

  it("executes inside a call of another contract", async () => {
    const [nonce] = await nonces()
    const [hash] = hashesOf(await paidFor(await published("executes-nested"), ["Success", "Success"]))
    const { to } = await world.sandbox.client.getTransaction({ hash: hash ?? "0x" })
    assert.isFalse(isAddressEqual(to ?? "0x", world.forwarder))
    assert.deepEqual(await eventsOf(hash), [{ signer: holder.address, nonce, success: true }])
  })

  it("executes what a reorganisation takes away for ever, and still speaks of it", async () => {
    await arm(provider, { lie: "executes-reorged", path: "publication" })
    const request = await signedRequest(world, holder)
    const answer = await publish(provider, world, [request])
    const before = await nonces()
    await pay(world, answer)
    const [hash] = hashesOf(await bundleIn(provider, answer.bundle_uuid, ["Success"]))
    await until(nonces, now => now.join() === before.join())
    await honest()
    const found = await world.sandbox.client
      .getTransactionReceipt({ hash: hash ?? "0x" })
      .catch(() => undefined)
    assert.isUndefined(found)
    assert.deepEqual(statesOf(await bundleOf(provider, answer.bundle_uuid)), ["Success"])
    const sent = { account: owner, to: world.forwarder, data: executeData(request) }
    await world.sandbox.mined(world.sandbox.client.sendTransaction(sent))
  })

  it("takes the payment and vanishes", async () => {
    const before = await nonces()
    const { bundle_uuid, ...answer } = await published("vanishes")
    assert.equal((await getBundle(provider.url, bundle_uuid)).status, 200)
    await pay(world, { bundle_uuid, ...answer })
    await until(
      () =>
        getBundle(provider.url, bundle_uuid).then(
          () => "there",
          () => "gone"
        ),
      state => state === "gone"
    )
    await honest()
    assert.deepEqual(await nonces(), before)
  })
})
