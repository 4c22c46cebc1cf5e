/** What the sponsorship of calls rests on: OpenZeppelin's own forwarder, as the sandbox deploys it. */
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseEventLogs,
  zeroAddress
} from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { FORWARD_REQUEST } from "../support/ForwardRequest.ts"
import { beneficiary, holder, owner, type Sandbox, startSandbox, stranger } from "./support/Sandbox.ts"
import { deployScripted, tell } from "./support/Scripted.ts"

const abi = parseAbi([
  "struct Request { address from; address to; uint256 value; uint256 gas; uint48 deadline; bytes data; bytes signature; }",
  "function verify(Request request) view returns (bool)",
  "function execute(Request request) payable",
  "function executeBatch(Request[] requests, address refundReceiver) payable",
  "function nonces(address owner) view returns (uint256)",
  "function isTrustedForwarder(address forwarder) view returns (bool)",
  "event ExecutedForwardRequest(address indexed signer, uint256 nonce, bool success)",
  "error ERC2771ForwarderExpiredRequest(uint48 deadline)",
  "error ERC2771ForwarderInvalidSigner(address signer, address from)",
  "error ERC2771ForwarderMismatchedValue(uint256 requestedValue, uint256 msgValue)",
  "error ERC2771UntrustfulTarget(address target, address forwarder)",
  "error FailedCall()"
])

const GOOD: Hex = "0x11111111"
const REVERTING: Hex = "0x22222222"

let sandbox: Sandbox
let forwarder: Address
let target: Address

const trust = (to: Address, trusted: boolean) =>
  tell(sandbox, to, encodeFunctionData({ abi, functionName: "isTrustedForwarder", args: [forwarder] }), {
    data: encodeAbiParameters([{ type: "bool" }], [trusted])
  })

beforeAll(async () => {
  sandbox = await startSandbox()
  forwarder = sandbox.at("ERC2771Forwarder")
  target = (await deployScripted(sandbox)).address
  await trust(target, true)
  await tell(sandbox, target, GOOD, { data: "0x01" })
  await tell(sandbox, target, REVERTING, { reverts: true, data: "0xdeadbeef" })
})
afterAll(() => sandbox.stop())

type Signer = typeof holder

const nonceOf = ({ address }: Signer) =>
  sandbox.client.readContract({ address: forwarder, abi, functionName: "nonces", args: [address] })

const now = async () => Number((await sandbox.client.getBlock()).timestamp)

interface Change {
  readonly to?: Address
  readonly data?: Hex
  readonly value?: bigint
  readonly deadline?: number
  /** Behind the current nonce. */
  readonly later?: bigint
}

const requestOf = async (signer: Signer, change: Change = {}) => {
  const request = {
    from: signer.address,
    to: change.to ?? target,
    value: change.value ?? 0n,
    gas: 200_000n,
    deadline: change.deadline ?? (await now()) + 1000,
    data: change.data ?? GOOD
  }
  const signature = await signer.signTypedData({
    domain: { name: "Forwarder", version: "1", chainId: 31_337, verifyingContract: forwarder },
    types: FORWARD_REQUEST,
    primaryType: "ForwardRequest",
    message: { ...request, nonce: (await nonceOf(signer)) + (change.later ?? 0n) }
  })
  return { ...request, signature }
}

type Request = Awaited<ReturnType<typeof requestOf>>

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
  const { status, logs } = await sandbox.client.waitForTransactionReceipt({ hash })
  const events = parseEventLogs({ abi, eventName: "ExecutedForwardRequest", logs })
  return { status, events: events.map(({ args }) => args) }
}

const execute = (request: Request, value = request.value) =>
  send(encodeFunctionData({ abi, functionName: "execute", args: [request] }), value)

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
    for (const tell of [() => Promise.resolve(), () => trust(distrusting, false)]) {
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
