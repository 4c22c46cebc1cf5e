/** What a forwarder was called with is read in its one canonical writing, and a request is told by all that was signed of it. */
import { encodeFunctionData, type Hex } from "viem"
import { assert, describe, it } from "vitest"
import type { RawLog } from "../../src/chain/ChainClient.ts"
import {
  EXECUTED_TOPIC,
  executedBy,
  forwarderCall,
  type PublishedRequest,
  signerTopic,
  timesIn
} from "../../src/sponsorship/ForwardedCalls.ts"
import { forwarderAbi } from "../sandbox/support/Forwarding.ts"

const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const TARGET = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"
const FORWARDER = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const WORD: Hex = `0x${"12".repeat(32)}`
const SIGNATURE: Hex = `0x${"34".repeat(65)}`

const published: PublishedRequest = {
  account: WALLET,
  call: {
    ...{ chainId: 31_337, to: TARGET, data: "0x01020304", value: "7", label: "", dependsOn: [] },
    decoded: { contractId: "", abiHash: "", function: "", args: [] }
  },
  request: {
    ...{ forwarder: FORWARDER, forwarderCodeHash: WORD, nonce: "3", gas: "90000", deadline: 1_900_000_000 },
    ...{
      sinceBlock: 1,
      searchedBlock: null,
      searchedHash: null,
      hint: null,
      providerState: null,
      isDead: false
    }
  }
}

interface Request {
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  readonly gas: bigint
  readonly deadline: number
  readonly data: Hex
  readonly signature: Hex
}

const request: Request = {
  ...{ from: WALLET, to: TARGET, value: 7n, gas: 90_000n, deadline: 1_900_000_000, data: "0x01020304" },
  signature: SIGNATURE
}

const executeOf = (over: Readonly<Record<string, unknown>> = {}): Hex =>
  encodeFunctionData({ abi: forwarderAbi, functionName: "execute", args: [{ ...request, ...over }] })

const batchOf = (...requests: ReadonlyArray<Request>): Hex =>
  encodeFunctionData({ abi: forwarderAbi, functionName: "executeBatch", args: [requests, WALLET] })

const timesOf = (input: Hex): number | undefined => {
  const called = forwarderCall(input)
  return called && timesIn(called, published)
}

describe("a forwarder's call", () => {
  it("asks for the request, whoever's signature it brings", () => {
    assert.strictEqual(timesOf(executeOf()), 1)
    assert.strictEqual(timesOf(executeOf({ signature: `0x${"56".repeat(65)}` })), 1)
    assert.strictEqual(forwarderCall(executeOf())?.kind, "execute")
  })

  it.each(["from", "to"])("with another %s asks for another request", member => {
    assert.strictEqual(timesOf(executeOf({ [member]: "0x0000000000000000000000000000000000000001" })), 0)
  })

  it.each(["value", "gas"])("with another %s asks for another request", member => {
    assert.strictEqual(timesOf(executeOf({ [member]: 8n })), 0)
  })

  it("with another deadline or other data asks for another request", () => {
    assert.strictEqual(timesOf(executeOf({ deadline: 1_900_000_001 })), 0)
    assert.strictEqual(timesOf(executeOf({ data: "0x01020305" })), 0)
    assert.strictEqual(timesOf(executeOf({ data: "0x0102030400" })), 0)
  })

  it("of a batch tells how often it is there", () => {
    const other: Request = { ...request, gas: 1n }
    assert.strictEqual(timesOf(batchOf(other, request)), 1)
    assert.strictEqual(timesOf(batchOf(request, request)), 2)
    assert.strictEqual(timesOf(batchOf(other)), 0)
    assert.strictEqual(forwarderCall(batchOf(request))?.kind, "executeBatch")
  })

  it("is none where it is another function, cut, longer, or not written canonically", () => {
    const data = executeOf()
    assert.isUndefined(forwarderCall("0x"))
    assert.isUndefined(forwarderCall(`0x12345678${data.slice(10)}`))
    assert.isUndefined(forwarderCall(`0x${data.slice(2, -2)}`))
    assert.isUndefined(forwarderCall(`${data}00`))
    assert.isUndefined(forwarderCall(`${data}${"00".repeat(32)}`))
    const stray: Hex = `0x${data.slice(2, -2)}01`
    assert.isUndefined(forwarderCall(stray))
  })
})

describe("what a forwarder says that it executed", () => {
  const log: RawLog = {
    ...{ address: FORWARDER, blockHash: WORD, blockNumber: "0x1", logIndex: "0x0", transactionHash: WORD },
    ...{ transactionIndex: "0x0", topics: [EXECUTED_TOPIC, signerTopic(WALLET)] },
    data: `0x${"3".padStart(64, "0")}${"1".padStart(64, "0")}`
  }

  it("is the signer's nonce, and whether the call succeeded", () => {
    const failed: RawLog = { ...log, data: `0x${"4".padStart(64, "0")}${"0".padStart(64, "0")}` }
    assert.deepStrictEqual(
      executedBy([log, failed], FORWARDER, WALLET).map(({ nonce, isSuccess }) => [nonce, isSuccess]),
      [
        ["3", true],
        ["4", false]
      ]
    )
  })

  it("is nothing in a log of another contract, event or signer, or that cannot be read", () => {
    const others: ReadonlyArray<RawLog> = [
      { ...log, address: TARGET },
      { ...log, topics: [WORD, signerTopic(WALLET)] },
      { ...log, topics: [EXECUTED_TOPIC, signerTopic(TARGET)] },
      { ...log, topics: [EXECUTED_TOPIC] },
      { ...log, data: `0x${"3".padStart(64, "0")}${"2".padStart(64, "0")}` },
      { ...log, data: `0x${"3".padStart(64, "0")}` }
    ]
    assert.deepStrictEqual(executedBy(others, FORWARDER, WALLET), [])
  })
})
