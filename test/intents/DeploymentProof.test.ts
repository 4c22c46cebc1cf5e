import { Either } from "effect"
import fc from "fast-check"
import { toEventSelector, toFunctionSelector } from "viem"
import { assert, describe, it } from "vitest"
import type { RawLog } from "../../src/chain/ChainClient.ts"
import type { TracedCall } from "../../src/chain/TraceReads.ts"
import { createdProject, isLaunch, launchOn, tracedLaunch } from "../../src/intents/DeploymentProof.ts"
import { anAddress, someBytes } from "../support/Encodings.ts"

const PROJECTS = "0x6017D1fbA9dC279Bfa0b03fD931C22E242aB3691"
const FORWARDER = "0x3Ba60B60933916a7C87D0860DCeE62a0Ce34e3E2"
const SENDER = "5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"
const TO = "0x3fcEc3572e84B624477Bcff4e2Cf1F7dEaB648f1"
const ID = 7n

const lower = (text: string): `0x${string}` => `0x${text.slice(2).toLowerCase()}`
const word = (value: bigint): `0x${string}` => `0x${value.toString(16).padStart(64, "0")}`

const launch = { chainId: 1, to: TO, data: "0xd0e30db0ff" } as const
const contracts = { projects: PROJECTS, forwarders: [FORWARDER] } as const

const frame = (over: Partial<TracedCall> = {}): TracedCall => ({
  kind: "CALL",
  from: `0x${"01".repeat(20)}`,
  to: lower(TO),
  value: 0n,
  input: launch.data,
  output: "0x",
  undone: false,
  within: undefined,
  ...over
})

const creation = (within: TracedCall | undefined, over: Partial<TracedCall> = {}) =>
  frame({
    from: lower(TO),
    to: lower(PROJECTS),
    input: `${toFunctionSelector("createFor(address)")}${"00".repeat(32)}`,
    output: word(ID),
    within,
    ...over
  })

const judged = (calls: ReadonlyArray<TracedCall>) =>
  Either.getOrElse(tracedLaunch(launch, ID, calls, contracts), () => undefined)

describe("the trace of a launch", () => {
  it("shows the creation within it, however deep", () => {
    const made = frame()
    const between = frame({ kind: "DELEGATECALL", to: lower(FORWARDER), within: made })
    for (const parent of [made, between])
      assert.deepStrictEqual(judged([creation(parent), parent, made]), { forwarded: false })
  })

  it("through the forwarder has 20 more bytes, and no other number", () => {
    const sent = (input: string, from: string = FORWARDER) =>
      judged([creation(frame({ from: lower(from), input: `0x${input.slice(2)}` }))])
    assert.deepStrictEqual(sent(`${launch.data}${SENDER}`), { forwarded: true })
    assert.deepStrictEqual(sent(launch.data), { forwarded: false })
    assert.isUndefined(sent(`${launch.data}${SENDER}`, TO))
    assert.isUndefined(sent(`${launch.data}${SENDER}00`))
    assert.isUndefined(sent(`${launch.data}${SENDER.slice(2)}`))
    assert.isUndefined(sent(`0xd0e30db0fe${SENDER}`))
  })

  it("proves nothing once any part of it is another", () => {
    const made = frame()
    const wrongLaunches: ReadonlyArray<Partial<TracedCall>> = [
      { kind: "DELEGATECALL" },
      { kind: "STATICCALL" },
      { kind: "CALLCODE" },
      { kind: "CREATE" },
      { undone: true },
      { to: lower(PROJECTS) },
      { to: null },
      { input: "0xd0e30db0" },
      { input: "0xd0e30db0ff00" }
    ]
    for (const over of wrongLaunches)
      assert.isUndefined(judged([creation(frame(over))]), JSON.stringify(over))
    const wrongCreations: ReadonlyArray<Partial<TracedCall>> = [
      { kind: "DELEGATECALL" },
      { undone: true },
      { to: lower(FORWARDER) },
      { output: word(ID + 1n) },
      { output: "0x" },
      { output: `${word(ID)}00` },
      { input: "0x12345678" },
      { within: undefined }
    ]
    for (const over of wrongCreations)
      assert.isUndefined(judged([made, creation(made, over)]), JSON.stringify(over))
    assert.deepStrictEqual(judged([made, creation(made)]), { forwarded: false })
  })

  it("is never found among calls of other contracts with other bytes", () => {
    const calls = fc.array(fc.record({ to: anAddress, input: someBytes(64), from: anAddress }), {
      maxLength: 8
    })
    fc.assert(
      fc.property(calls, others => {
        const chain = others.reduce<TracedCall | undefined>(
          (within, { to, input, from }) => frame({ to: lower(to), input, from: lower(from), within }),
          undefined
        )
        assert.isUndefined(judged([creation(chain)]))
      })
    )
  })
})

describe("the created project", () => {
  const log = (over: Partial<RawLog> = {}): RawLog => ({
    address: lower(PROJECTS),
    blockHash: word(1n),
    blockNumber: "0x1",
    data: word(1n),
    logIndex: "0x0",
    topics: [toEventSelector("Create(uint256,address,address)"), word(ID), word(1n)],
    transactionHash: word(2n),
    transactionIndex: "0x0",
    ...over
  })
  const of = (logs: ReadonlyArray<RawLog>) => createdProject(logs, PROJECTS)

  it("is the one that the canonical contract tells of", () => {
    const big = 2n ** 256n - 1n
    assert.deepStrictEqual(of([log()]), Either.right(ID))
    assert.deepStrictEqual(
      of([log({ topics: [...log().topics.slice(0, 1), word(big), word(1n)] })]),
      Either.right(big)
    )
    const foreign = log({ address: lower(TO) })
    assert.deepStrictEqual(of([foreign, log(), foreign]), Either.right(ID))
  })

  it("is none where there is none, several or an unreadable one", () => {
    const other = toEventSelector("Transfer(address,address,uint256)")
    const wrong = [
      [],
      [log({ address: lower(TO) })],
      [log({ topics: [other, word(ID), word(1n)] })],
      [log(), log({ logIndex: "0x1" })],
      [log({ topics: log().topics.slice(0, 2) })],
      [log({ topics: [...log().topics, word(3n)] })],
      [log({ data: "0x" })]
    ]
    for (const logs of wrong) assert.isTrue(Either.isLeft(of(logs)), JSON.stringify(logs))
  })
})

describe("the launch of a chain", () => {
  const call = (chainId: number, data: `0x${string}`) => ({ chainId, to: TO, data }) as const
  const draft = {
    format: "a/1",
    deploymentVersion: "6",
    chainIds: [1, 10],
    deploymentCalls: [call(1, "0x00000001"), call(1, "0x00000002"), call(10, "0x00000003")],
    jb: {}
  }

  it("is its last call", () => {
    assert.strictEqual(launchOn(1, draft)?.data, "0x00000002")
    assert.strictEqual(launchOn(10, draft)?.data, "0x00000003")
    assert.isUndefined(launchOn(5, draft))
  })

  it("is the transaction itself where destination and bytes are the same", () => {
    const sent = { hash: word(1n), to: TO, input: launch.data } as const
    assert.isTrue(isLaunch(launch, sent))
    assert.isFalse(isLaunch(launch, null))
    assert.isFalse(isLaunch(launch, { ...sent, to: null }))
    assert.isFalse(isLaunch(launch, { ...sent, to: PROJECTS }))
    assert.isFalse(isLaunch(launch, { ...sent, input: "0xd0e30db0" }))
  })
})
