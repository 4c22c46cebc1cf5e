/** What the sponsorship of calls rests on: OpenZeppelin's own forwarder, as the sandbox deploys it. */
import { type Address, encodeFunctionData, type Hex, parseEventLogs, zeroAddress } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import {
  forwarderAbi as abi,
  type Change,
  executeData,
  type Forwarding,
  forwarderNonce,
  GOOD,
  headTime,
  REVERTING,
  type SignedForwardRequest as Request,
  receiptOf,
  type Signer,
  signedRequest,
  startForwarding,
  trust
} from "./support/Forwarding.ts"
import { beneficiary, holder, owner, type Sandbox, stranger } from "./support/Sandbox.ts"
import { deployScripted, tell } from "./support/Scripted.ts"

let world: Forwarding
let sandbox: Sandbox
let forwarder: Address
let target: Address

beforeAll(async () => {
  world = await startForwarding()
  ;({ sandbox, forwarder, target } = world)
})
afterAll(() => sandbox.stop())

const nonceOf = (signer: Signer) => forwarderNonce(world, signer)
const requestOf = (signer: Signer, change: Change = {}) => signedRequest(world, signer, change)
const now = () => headTime(sandbox)

const verified = (request: Request) =>
  sandbox.client.readContract({ address: forwarder, abi, functionName: "verify", args: [request] })

const send = async (data: Hex, value = 0n) => {
  const hash = await sandbox.client.sendTransaction({
    account: stranger,
    to: forwarder,
    data,
    value,
    gas: 1_000_000n
  })
  const { status, logs } = await receiptOf(sandbox, hash)
  const events = parseEventLogs({ abi, eventName: "ExecutedForwardRequest", logs })
  return { status, events: events.map(({ args }) => args) }
}

const execute = (request: Request, value = request.value) => send(executeData(request), value)

const executeBatch = (requests: ReadonlyArray<Request>, refundReceiver: Address, value = 0n) =>
  send(encodeFunctionData({ abi, functionName: "executeBatch", args: [requests, refundReceiver] }), value)

const refused = async (request: Request, value = request.value): Promise<string> => {
  const simulated = sandbox.client.simulateContract({
    address: forwarder,
    abi,
    account: stranger,
    functionName: "execute",
    args: [request],
    value
  })
  const error: unknown = await simulated.catch((cause: unknown) => cause)
  return Object(Object(Object(error).cause).data).errorName ?? "none"
}

describe("the forwarder", () => {
  it("verifies a request of the current nonce alone", async () => {
    const current = await requestOf(holder)
    assert.isTrue(await verified(current))
    assert.isFalse(await verified(await requestOf(holder, { later: 1n })))
    await execute(current)
    assert.isFalse(await verified(current))
    assert.isFalse(await verified(await requestOf(holder, { later: -1n })))
    assert.isTrue(await verified(await requestOf(holder)))
  })

  it("executes for anybody, with one event of signer and nonce", async () => {
    const nonce = await nonceOf(holder)
    const { status, events } = await execute(await requestOf(holder))
    assert.equal(status, "success")
    assert.deepEqual(events, [{ signer: holder.address, nonce, success: true }])
    assert.equal(await nonceOf(holder), nonce + 1n)
  })

  it("reverts with a call that reverts, and keeps the nonce", async () => {
    const nonce = await nonceOf(holder)
    const request = await requestOf(holder, { data: REVERTING })
    assert.isTrue(await verified(request))
    assert.equal(await refused(request), "FailedCall")
    assert.deepEqual(await execute(request), { status: "reverted", events: [] })
    assert.equal(await nonceOf(holder), nonce)
    assert.isTrue(await verified(request), "and may execute later")
    await tell(sandbox, target, REVERTING, { data: "0x" })
    assert.equal((await execute(request)).status, "success")
    await tell(sandbox, target, REVERTING, { reverts: true, data: "0xdeadbeef" })
  })

  it("says in a batch that refunds which request failed, and consumes its nonce", async () => {
    const [nonce, other] = [await nonceOf(holder), await nonceOf(beneficiary)]
    const requests = [await requestOf(holder, { data: REVERTING }), await requestOf(beneficiary)]
    const { status, events } = await executeBatch(requests, stranger.address)
    assert.equal(status, "success")
    assert.deepEqual(events, [
      { signer: holder.address, nonce, success: false },
      { signer: beneficiary.address, nonce: other, success: true }
    ])
    assert.equal(await nonceOf(holder), nonce + 1n)
    assert.isFalse(await verified(requests[0] ?? assert.fail()))
  })

  it("leaves out of a batch what is not to be executed, and says nothing of it", async () => {
    const executed = await requestOf(holder)
    await execute(executed)
    const { status, events } = await executeBatch([executed, await requestOf(beneficiary)], stranger.address)
    assert.equal(status, "success")
    assert.deepEqual(
      events.map(({ signer }) => signer),
      [beneficiary.address]
    )
  })

  it("says the same in a batch that refunds nobody, where no value was lost", async () => {
    const nonce = await nonceOf(holder)
    const { status, events } = await executeBatch([await requestOf(holder, { data: REVERTING })], zeroAddress)
    assert.equal(status, "success")
    assert.deepEqual(events, [{ signer: holder.address, nonce, success: false }])
    assert.equal(await nonceOf(holder), nonce + 1n)
  })

  it("reverts a batch that refunds nobody where a request is invalid, or value was lost", async () => {
    const nonce = await nonceOf(beneficiary)
    const good = await requestOf(beneficiary)
    const invalid = await requestOf(holder, { later: 1n })
    const losing = await requestOf(holder, { data: REVERTING, value: 5n })
    assert.deepEqual(await executeBatch([good, invalid], zeroAddress), { status: "reverted", events: [] })
    assert.deepEqual(await executeBatch([good, losing], zeroAddress, 5n), { status: "reverted", events: [] })
    assert.equal(await nonceOf(beneficiary), nonce)
    assert.isTrue(await verified(good))
  })

  it("reverts with the same request a second time", async () => {
    const request = await requestOf(holder)
    assert.equal((await execute(request)).status, "success")
    assert.equal(await refused(request), "ERC2771ForwarderInvalidSigner")
    assert.deepEqual(await execute(request), { status: "reverted", events: [] })
  })

  it("executes in the second of the deadline, and not after it", async () => {
    const deadline = (await now()) + 1000
    const [request, late] = [
      await requestOf(holder, { deadline }),
      await requestOf(beneficiary, { deadline })
    ]
    await sandbox.client.setNextBlockTimestamp({ timestamp: BigInt(deadline) })
    assert.equal((await execute(request)).status, "success")
    assert.equal(await now(), deadline)
    await sandbox.pass(1)
    assert.isFalse(await verified(late))
    assert.equal(await refused(late), "ERC2771ForwarderExpiredRequest")
  })

  it("refuses a target that does not trust it, one that cannot say so, and an account without code", async () => {
    const distrusting = (await deployScripted(sandbox)).address
    await tell(sandbox, distrusting, GOOD, { data: "0x01" })
    for (const tell of [() => Promise.resolve(), () => trust(world, distrusting, false)]) {
      await tell()
      const request = await requestOf(holder, { to: distrusting })
      assert.isFalse(await verified(request))
      assert.equal(await refused(request), "ERC2771UntrustfulTarget")
    }
    assert.isFalse(await verified(await requestOf(holder, { to: owner.address })))
  })

  it("wants exactly the request's value", async () => {
    const request = await requestOf(holder, { value: 5n })
    assert.equal(await refused(request, 4n), "ERC2771ForwarderMismatchedValue")
    assert.equal(await refused(request, 6n), "ERC2771ForwarderMismatchedValue")
    assert.equal((await execute(request)).status, "success")
  })
})
