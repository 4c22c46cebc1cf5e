/** Calls and hashes of code that travel in one program, against the same asked one by one of a real chain. */
import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import artifact from "../../sandbox/artifacts/PackedCalls.json" with { type: "json" }
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { call, code } from "../../src/chain/PinnedReads.ts"
import { NO_CODE, PACKED_CALLS, type PackedQuestions, packedReads } from "../../src/protocol/PackedCalls.ts"
import { codeHash } from "../../src/protocol/RuntimeCode.ts"
import { checksummed } from "../../src/values/Checksum.ts"
import { clientOver } from "../chain/ChainUnderTest.ts"
import { owner, type Sandbox, startSandbox } from "../sandbox/support/Sandbox.ts"
import { type Question, startRecordingProxy } from "../support/RecordingProxy.ts"
import { rpc } from "../support/Rpc.ts"
import { type NodeReply, scriptedChain } from "./support/ScriptedChain.ts"

const at = (text: string) => checksummed(`0x${text.padStart(40, "0")}`)

/** Gives back what it was called with. */
const ECHO = at("ec40")
/** Gives back 300 bytes. */
const LONG = at("10c9")
const REVERTING = at("bad1")
/** Runs for as long as there is gas. */
const ENDLESS = at("e4d1")
const NOBODY = at("abcdef0123")

const CODES: ReadonlyArray<readonly [Address, Hex]> = [
  [ECHO, "0x366000600037366000f3"],
  [LONG, "0x61012c6000f3"],
  [REVERTING, "0x60016000526001601ffd"],
  [ENDLESS, "0x5b600056"]
]

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox()
  for (const placed of CODES) await rpc(sandbox.url, "anvil_setCode", [...placed])
  await rpc(sandbox.url, "anvil_mine", ["0x1"])
})
afterAll(() => sandbox.stop())

const calls = (...all: ReadonlyArray<readonly [Address, Hex]>) => all.map(([to, data]) => ({ to, data }))

/** Through the program, one by one, and how many calls the node was asked for in each way. */
const bothWays = (questions: PackedQuestions, rewrite: (program: Hex) => Hex | undefined = () => undefined) =>
  Effect.gen(function* () {
    const proxy = yield* Effect.promise(() => startRecordingProxy({ upstream: sandbox.url }))
    const program = ({ params: [asked] }: Question, result: unknown) =>
      JSON.stringify(asked).includes(PACKED_CALLS) ? rewrite(`0x${String(result).slice(2)}`) : undefined
    const act = { kind: "rewrite", rewrite: program } as const
    proxy.fault({ method: "eth_call", phase: "after", times: 1_000, act })
    const counted = <A, E, R>(ask: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const before = proxy.records.length
        const answers = yield* ask
        return { answers, asked: proxy.records.length - before }
      })
    const answers = yield* Effect.gen(function* () {
      const { session, block } = yield* (yield* ChainClient).snapshot(31_337)
      const together = yield* counted(packedReads(session, questions, block.hash))
      const apart = yield* counted(
        Effect.all({
          outcomes: session.all(questions.calls.map(each => call(each, block.hash))),
          codeHashes: Effect.map(session.all(questions.codes.map(each => code(each, block.hash))), codes =>
            codes.map(codeHash)
          )
        })
      )
      return { together, apart }
    }).pipe(Effect.provide(clientOver({ chainId: 31_337, urls: [proxy.url] })), Effect.scoped)
    yield* Effect.promise(proxy.stop)
    return answers
  }).pipe(Effect.runPromise)

const told: PackedQuestions = {
  calls: calls([ECHO, "0x"], [ECHO, `0x${"ab".repeat(333)}`], [LONG, "0x01"], [NOBODY, "0x12345678"]),
  codes: [ECHO, NOBODY, owner.address, LONG]
}

describe("packed calls", () => {
  it("run the program that its source compiles to", () => {
    assert.strictEqual(PACKED_CALLS, artifact.bytecode)
  })

  it("tell in one call what each tells by itself", async () => {
    const { together, apart } = await bothWays(told)
    assert.deepStrictEqual<unknown>(together.answers, apart.answers)
    assert.deepStrictEqual([together.asked, apart.asked], [1, 8])
    const [, nobody, funded] = together.answers.codeHashes
    assert.deepStrictEqual([nobody, funded], [NO_CODE, NO_CODE])
  })

  it("ask by itself for what reverts or takes all the gas, and for nothing else", async () => {
    const { together, apart } = await bothWays({
      calls: calls([REVERTING, "0x"], [ECHO, "0x0102"], [ENDLESS, "0x"], [ECHO, "0x03"]),
      codes: [ENDLESS]
    })
    const { codeHashes, outcomes } = apart.answers
    assert.strictEqual(outcomes[2]?._tag, "Refused")
    assert.deepStrictEqual<unknown>(together.answers, {
      codeHashes,
      outcomes: outcomes.with(2, { _tag: "Reverted", data: "0x" })
    })
    assert.strictEqual(together.asked, 3)
    const [reverted, echoed] = together.answers.outcomes
    assert.deepStrictEqual(reverted, { _tag: "Reverted", data: "0x01" })
    assert.deepStrictEqual(echoed, { _tag: "Returned", data: "0x0102" })
  })

  it.each<readonly [number, boolean, string]>([
    [-32_000, true, "Reverted"],
    [-32_000, false, "Refused"],
    [-32_005, true, "Refused"]
  ])("refused alone with %s are told by whether they failed inside, %s: %s", async (code, runs, tag) => {
    const packed = (to: string): NodeReply =>
      to === ECHO.toLowerCase() ? { result: "0x02" } : { error: { code: 3 } }
    const script = { calls: () => ({ error: { code } }), ...(runs ? { packed } : {}) }
    const questions = { calls: calls([REVERTING, "0x"], [ECHO, "0x"]), codes: [] }
    const { outcomes } = await Effect.gen(function* () {
      const { session, block } = yield* (yield* ChainClient).snapshot(1)
      return yield* packedReads(session, questions, block.hash)
    }).pipe(Effect.provide(scriptedChain(script)), Effect.runPromise)
    assert.deepStrictEqual(
      outcomes.map(({ _tag }) => _tag),
      [tag, runs ? "Returned" : tag]
    )
  })

  it.each<readonly [string, (row: Hex) => Hex]>([
    ["nothing", () => "0x"],
    ["a row that ends early", row => `0x${row.slice(2, -2)}`],
    ["a row that goes on", row => `${row}00`],
    ["a row of sizes that lead nowhere", row => `0x01ffffffff${row.slice(12)}`],
    ["one answer less", row => `0x${row.slice(12)}`]
  ])("ask for each by itself where the program told %s", async (_, rewrite) => {
    const { together, apart } = await bothWays(told, rewrite)
    assert.deepStrictEqual<unknown>(together.answers, apart.answers)
    assert.strictEqual(together.asked, 9)
  })
})
