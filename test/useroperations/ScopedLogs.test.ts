/** Which logs of a bundle are an operation's, in a bundle as large as bundlers make them. */
import { Either } from "effect"
import { assert, describe, it } from "vitest"
import type { RawLog } from "../../src/chain/ChainClient.ts"
import { OPERATION_TOPIC } from "../../src/useroperations/OperationEvents.ts"
import { scopedLogs } from "../../src/useroperations/ScopedLogs.ts"
import { keccak256Utf8 } from "../../src/values/Keccak.ts"
import type { Hex } from "../../src/values/Scalars.ts"

const ENTRY_POINT = `0x${"ee".repeat(20)}` as const
const OPERATIONS = 128
const LOGS_EACH = 6

const word = (value: number): string => value.toString(16).padStart(64, "0")
const topic = (value: number): Hex => `0x${word(value)}`

const log = (address: Hex, topics: ReadonlyArray<Hex>, data: Hex) => ({ address, topics, data })

const operationOf = (index: number) => [
  ...Array.from({ length: LOGS_EACH }, () =>
    log(`0x${"aa".repeat(20)}`, [topic(7), topic(index)], `0x${word(index).repeat(4)}`)
  ),
  log(
    ENTRY_POINT,
    [OPERATION_TOPIC, topic(index + 1), topic(index), topic(0)],
    `0x${word(0)}${word(1)}${word(5)}${word(5)}`
  )
]

const bundle = (each: typeof operationOf): ReadonlyArray<RawLog> =>
  [
    log(ENTRY_POINT, [keccak256Utf8("BeforeExecution()")], "0x"),
    ...Array.from({ length: OPERATIONS }, (_, index) => each(index)).flat()
  ].map((one, index) => ({
    ...one,
    ...{ blockHash: topic(1), transactionHash: topic(2), blockNumber: "0x1", transactionIndex: "0x0" },
    logIndex: `0x${index.toString(16)}`
  }))

const facts = {
  entryPoint: ENTRY_POINT,
  operationHash: topic(65),
  sender: `0x${word(64).slice(24)}`,
  nonce: "0",
  paymaster: null,
  maximumCost: "5"
} as const

const scopeIn = (logs: ReadonlyArray<RawLog>) =>
  Either.match(scopedLogs(logs, facts), {
    onLeft: doubt => doubt,
    onRight: scoped => scoped.logs.map(({ topics }) => topics[1])
  })

describe("in a bundle of 128", () => {
  it("an operation's logs are told from all others'", () => {
    assert.deepStrictEqual(
      scopeIn(bundle(operationOf)),
      Array.from({ length: LOGS_EACH }, () => topic(64))
    )
  })

  it("they are judged up to 512 KiB of what the logs say", () => {
    const long = (index: number) =>
      operationOf(index).map(one =>
        one.topics.length === 2 ? { ...one, data: `0x${"00".repeat(700)}` as const } : one
      )
    assert.strictEqual(scopeIn(bundle(long)), "RECEIPT_LOGS_TOO_MANY")
  })
})
