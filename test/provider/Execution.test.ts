/** Requests are executed once they are paid for, in their order, and not before. */
import { parseEventLogs } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { outerGas } from "../../sandbox/provider/Forwarder.ts"
import { paymentData } from "../../sandbox/provider/PaymentContract.ts"
import {
  executeData,
  type Forwarding,
  forwarderAbi,
  forwarderNonce,
  REVERTING,
  receiptOf,
  signedRequest,
  startForwarding
} from "../sandbox/support/Forwarding.ts"
import { beneficiary, holder, owner, stranger } from "../sandbox/support/Sandbox.ts"
import { until } from "../support/Until.ts"
import {
  bundleIn,
  bundleOf,
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

const executions = async (hash: `0x${string}` | undefined) => {
  const { logs } = await receiptOf(world.sandbox, hash ?? "0x")
  return parseEventLogs({ abi: forwarderAbi, eventName: "ExecutedForwardRequest", logs }).map(
    ({ args }) => args
  )
}

/** So that what was to be done before is done. */
const another = async () => {
  const published = await publish(provider, world, [await signedRequest(world, stranger)])
  await pay(world, published)
  await bundleIn(provider, published.bundle_uuid, ["Success"])
}

describe("a bundle", () => {
  it("is quoted at 1.2 times its gas at today's price, and its value", async () => {
    const request = await signedRequest(world, owner, { value: 7n })
    const price = await world.sandbox.client.getGasPrice()
    const { payment_info } = await publish(provider, world, [request])
    const cost = (outerGas(request) * price * 12n) / 10n + 7n
    assert.deepEqual(
      payment_info.map(({ amount }) => amount),
      [String(cost)]
    )
  })

  it("is executed in order once it is paid for", async () => {
    const nonce = await forwarderNonce(world, holder)
    const requests = [await signedRequest(world, holder), await signedRequest(world, holder, { later: 1n })]
    const published = await publish(provider, world, requests)
    const before = await bundleOf(provider, published.bundle_uuid)
    assert.deepEqual(statesOf(before), ["Pending", "Pending"])
    assert.deepEqual(
      before.transactions.map(({ request, tx_uuid }) => [request.data, tx_uuid]),
      requests.map((request, index) => [executeData(request), published.tx_uuids?.[index]])
    )
    await pay(world, published)
    const [first, second] = hashesOf(await bundleIn(provider, published.bundle_uuid, ["Success", "Success"]))
    assert.notEqual(first, second)
    assert.deepEqual(await executions(first), [{ signer: holder.address, nonce, success: true }])
    assert.deepEqual(await executions(second), [{ signer: holder.address, nonce: nonce + 1n, success: true }])
    const { input } = await world.sandbox.client.getTransaction({ hash: first ?? "0x" })
    assert.equal(input, executeData(requests[0] ?? assert.fail()))
  })

  it("is not executed unpaid, underpaid, or paid with another deadline", async () => {
    const nonce = await forwarderNonce(world, beneficiary)
    const unpaid = await publish(provider, world, [await signedRequest(world, beneficiary)])
    const underpaid = await publish(provider, world, [await signedRequest(world, beneficiary)])
    const other = await publish(provider, world, [await signedRequest(world, beneficiary)])
    const [{ amount, payment_deadline } = assert.fail()] = other.payment_info
    await pay(world, underpaid, { amount: BigInt(amount) / 2n })
    const later = paymentData(other.bundle_uuid, Number(payment_deadline) + 1)
    assert.equal((await pay(world, other, { calldata: later })).status, "success")
    await another()
    for (const { bundle_uuid } of [unpaid, underpaid, other])
      assert.deepEqual(statesOf(await bundleOf(provider, bundle_uuid)), ["Pending"])
    assert.equal(await forwarderNonce(world, beneficiary), nonce)
    await pay(world, underpaid)
    await bundleIn(provider, underpaid.bundle_uuid, ["Success"])
  })

  it("says of a request that reverted that it failed, and goes on", async () => {
    const requests = [
      await signedRequest(world, holder, { data: REVERTING }),
      await signedRequest(world, beneficiary)
    ]
    const published = await publish(provider, world, requests)
    await pay(world, published)
    const [failed] = hashesOf(await bundleIn(provider, published.bundle_uuid, ["Failed", "Success"]))
    assert.equal((await receiptOf(world.sandbox, failed ?? "0x")).status, "reverted")
  })

  it("fails where somebody else executed the request", async () => {
    const request = await signedRequest(world, holder)
    const published = await publish(provider, world, [request])
    await world.sandbox.mined(
      world.sandbox.client.sendTransaction({
        account: stranger,
        to: world.forwarder,
        data: executeData(request)
      })
    )
    await pay(world, published)
    await bundleIn(provider, published.bundle_uuid, ["Failed"])
  })

  it.each([0, 70])(
    "is sent again, byte by byte, where a reorganisation took it away %d blocks before that was noticed",
    async blocks => {
      const { client } = world.sandbox
      const published = await publish(provider, world, [await signedRequest(world, holder)])
      await pay(world, published)
      const [hash = "0x"] = hashesOf(await bundleIn(provider, published.bundle_uuid, ["Success"]))
      const { blockHash } = await receiptOf(world.sandbox, hash)
      await client.increaseTime({ seconds: 5 })
      await client.transport.request({ method: "anvil_rollback", params: [1] })
      if (blocks > 0) await client.mine({ blocks })
      await until(
        () => client.getTransactionReceipt({ hash }).catch(() => undefined),
        receipt => receipt !== undefined && receipt.blockHash !== blockHash
      )
      assert.deepEqual(hashesOf(await bundleIn(provider, published.bundle_uuid, ["Success"])), [hash])
      await another()
    }
  )

  it("is another each time, since nothing tells one publication from its repetition", async () => {
    const request = await signedRequest(world, holder)
    const [first, second] = [
      await publish(provider, world, [request]),
      await publish(provider, world, [request])
    ]
    assert.notEqual(first.bundle_uuid, second.bundle_uuid)
  })
})

it("puts its contract back where a reorganisation took it away", async () => {
  const young = await startForwarding()
  const { client, stop } = young.sandbox
  const other = await startProvider(young)
  const published = await publish(other, young, [await signedRequest(young, holder)])
  const [{ target: address } = assert.fail()] = published.payment_info
  const code = await client.getCode({ address })
  assert.isDefined(code)
  await client.transport.request({ method: "anvil_rollback", params: [1] })
  await until(
    () => client.getCode({ address }),
    found => found === code
  )
  await pay(young, published)
  await bundleIn(other, published.bundle_uuid, ["Success"])
  await other.stop()
  await stop()
})
