import {
  type Address,
  concatHex,
  decodeErrorResult,
  type Hex,
  isHex,
  parseAbi,
  parseEther,
  toHex
} from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import nestedCaller from "../../sandbox/artifacts/NestedCaller.json" with { type: "json" }
import {
  CREATE2_DEPLOYER,
  deployment,
  paymentContract,
  paymentData,
  prepaymentAbi
} from "../../sandbox/provider/PaymentContract.ts"
import { type Sandbox, startSandbox, stranger } from "./support/Sandbox.ts"

const UUID = "33333333-3333-4333-8333-333333333333"
const RECIPIENT: Address = "0x00000000000000000000000000000000000000b7"
const ETHER = parseEther("1")

const nestedAbi = parseAbi([
  "function payBackWith(bytes data)",
  "event NestedCaller_PaidBack(bool success)",
  "constructor()"
])

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.stop())

const place = async (recipient: Address): Promise<Address> => {
  const contract = paymentContract(recipient)
  await sandbox.mined(
    sandbox.client.sendTransaction({ account: stranger, to: CREATE2_DEPLOYER, data: deployment(contract) })
  )
  return contract.address
}

const now = async () => Number((await sandbox.client.getBlock()).timestamp)
const balance = (address: Address) => sandbox.client.getBalance({ address })

const pay = (to: Address, data: Hex, value = ETHER) =>
  sandbox.mined(sandbox.client.sendTransaction({ account: stranger, to, data, value }))

/** The name of the error that a call ends with, or its data where it has no name. */
const refusal = async (to: Address, data: Hex): Promise<string> => {
  const asked = sandbox.client.transport.request({
    method: "eth_call",
    params: [{ from: stranger.address, to, data, value: "0x1" }, "latest"]
  })
  const cause: unknown = await asked.then(
    () => "none",
    (error: unknown) => error
  )
  if (cause === "none") return "none"
  const raw = Object(cause).data ?? Object(Object(cause).cause).data
  if (!isHex(raw) || raw === "0x") return String(raw)
  return decodeErrorResult({ abi: prepaymentAbi, data: raw }).errorName
}

describe("payments of bundles", () => {
  let payments: Address

  beforeAll(async () => {
    payments = await place(RECIPIENT)
  })

  it("forwards the whole value and says exactly this", async () => {
    const deadline = (await now()) + 1000
    const before = await balance(RECIPIENT)
    const { logs } = await pay(payments, paymentData(UUID, deadline))
    assert.equal((await balance(RECIPIENT)) - before, ETHER)
    assert.equal(await balance(payments), 0n)
    assert.deepEqual(
      logs.map(({ address, topics, data }) => ({ address, topics, data })),
      [
        {
          address: payments.toLowerCase(),
          topics: [
            "0xb96b060a9c075a83da0cf1f9405deeb5df21df681a762de16c3d5eaf99531cd8",
            `0x${"3333333333334333833333333333333300000000000000000000000000000000"}`
          ],
          data: concatHex([toHex(ETHER, { size: 32 }), toHex(deadline, { size: 32 })])
        }
      ]
    )
  })

  it("refuses what comes after the deadline, and takes what comes in its second", async () => {
    const deadline = (await now()) + 1000
    await sandbox.client.setNextBlockTimestamp({ timestamp: BigInt(deadline) })
    await pay(payments, paymentData(UUID, deadline))
    assert.equal(await now(), deadline)
    await sandbox.pass(1)
    assert.equal(await refusal(payments, paymentData(UUID, deadline)), "DeadlineExceeded")
    assert.equal(await refusal(payments, paymentData(UUID, deadline + 1000)), "none")
  })

  it("takes exactly 68 bytes of calldata", async () => {
    const data = paymentData(UUID, (await now()) + 1000)
    assert.equal(data.length, 2 + 2 * 68)
    assert.equal(await refusal(payments, data), "none")
    assert.equal(await refusal(payments, `${data}00`), "CalldataLength")
    assert.equal(await refusal(payments, `0x${data.slice(2, -2)}`), "0x")
  })

  it("refuses bytes behind the bundle's id and a deadline wider than 40 bits", async () => {
    const data = paymentData(UUID, (await now()) + 1000)
    const idEnd = 2 + 2 * (4 + 16)
    assert.equal(await refusal(payments, `0x${data.slice(2, idEnd)}01${data.slice(idEnd + 2)}`), "0x")
    const wide = data.length - 2 * 6
    assert.equal(await refusal(payments, `0x${data.slice(2, wide)}01${data.slice(wide + 2)}`), "0x")
  })

  it("refuses where the recipient takes nothing", async () => {
    const refusing = await place(sandbox.at("JBPrices"))
    assert.equal(await refusal(refusing, paymentData(UUID, (await now()) + 1000)), "RecipientRefused")
  })
})

it("lets no recipient pay itself inside a payment", async () => {
  if (!isHex(nestedCaller.bytecode)) throw new Error("no code")
  const made = sandbox.client.deployContract({
    abi: nestedAbi,
    bytecode: nestedCaller.bytecode,
    account: stranger
  })
  const { contractAddress: recipient } = await sandbox.mined(made)
  if (!recipient) throw new Error("no contract was made")
  const payments = await place(recipient)
  const data = paymentData(UUID, (await now()) + 1000)
  await sandbox.mined(
    sandbox.client.writeContract({
      address: recipient,
      abi: nestedAbi,
      account: stranger,
      functionName: "payBackWith",
      args: [data]
    })
  )
  const { logs } = await pay(payments, data)
  const paidBack = logs.filter(({ address }) => address === recipient.toLowerCase())
  assert.deepEqual(
    paidBack.map(({ data: success }) => success),
    [toHex(0, { size: 32 })]
  )
  assert.lengthOf(
    logs.filter(({ address }) => address === payments.toLowerCase()),
    1
  )
  assert.equal(await balance(recipient), ETHER)
  assert.equal(await balance(payments), 0n)
})
