import { Either } from "effect"
import { assert, describe, it } from "vitest"
import { transactionTrace } from "../../src/chain/TraceReads.ts"

const HASH = `0x${"12".repeat(32)}` as const
const A = `0x${"0a".repeat(20)}`
const B = `0x${"0b".repeat(20)}`

const { decode, onNodeError } = transactionTrace(HASH)

const traced = (root: unknown) => {
  const outcome = Either.getOrThrow(decode(root))
  return outcome._tag === "Traced" ? outcome.calls : assert.fail("refused")
}

const call = (over: object = {}) => ({ type: "CALL", from: A, to: B, input: "0x01", output: "0x02", ...over })

describe("a trace of calls", () => {
  it("tells which call made which", () => {
    const calls = traced(
      call({
        value: "0x3e8",
        gas: "0x1",
        calls: [call({ input: "0x10", calls: [call({ input: "0x11" })] }), call({ input: "0x20" })]
      })
    )
    const lineOf = (input: string) => {
      const line: Array<string> = []
      for (let at = calls.find(each => each.input === input); at !== undefined; at = at.within)
        line.push(at.input)
      return line
    }
    assert.lengthOf(calls, 4)
    assert.deepInclude(calls[0], { value: 1000n })
    assert.deepStrictEqual(lineOf("0x11"), ["0x11", "0x10", "0x01"])
    assert.deepStrictEqual(lineOf("0x20"), ["0x20", "0x01"])
  })

  it("undoes whatever a failed call called", () => {
    const calls = traced(
      call({
        calls: [
          call({ input: "0x10", error: "whatever", calls: [call({ input: "0x11" })] }),
          call({ input: "0x20", error: null })
        ]
      })
    )
    assert.deepStrictEqual(
      new Map(calls.map(({ input, undone }) => [input, undone])),
      new Map([
        ["0x01", false],
        ["0x10", true],
        ["0x11", true],
        ["0x20", false]
      ])
    )
  })

  it("may leave out what a call has not", () => {
    const [created] = traced({ type: "CREATE", from: A })
    assert.deepInclude(created, { to: null, input: "0x", output: "0x" })
  })

  it("may be as deep as the machine calls, and wide", () => {
    let root: object = call()
    for (let depth = 0; depth < 10_000; depth++) root = call({ calls: [root] })
    assert.lengthOf(traced(root), 10_001)
    assert.lengthOf(traced(call({ calls: Array.from({ length: 50_000 }, () => call()) })), 50_001)
  })

  it("tells logs in the order in which they were written, each by its call", () => {
    const log = (data: string, position?: string) => ({ address: A, topics: [], data, position })
    const root = call({
      logs: [log("0x00", "0x0"), log("0x02", "0x1"), log("0x05", "0x2")],
      calls: [
        call({ input: "0x10", logs: [log("0x01")] }),
        call({ input: "0x20", logs: [log("0x04", "0x1")], calls: [call({ logs: [log("0x03")] })] })
      ]
    })
    const outcome = Either.getOrThrow(decode(root))
    const logs = outcome._tag === "Traced" ? outcome.logs : assert.fail("refused")
    assert.deepStrictEqual(
      logs.map(({ data, by }) => [data, by.input]),
      [
        ["0x00", "0x01"],
        ["0x01", "0x10"],
        ["0x02", "0x01"],
        ["0x03", "0x01"],
        ["0x04", "0x20"],
        ["0x05", "0x01"]
      ]
    )
  })

  it("is none where any part of it is not", () => {
    const wrong = [
      null,
      [],
      "0x",
      {},
      call({ from: "me" }),
      call({ to: 1 }),
      call({ input: "0xABC" }),
      call({ calls: {} }),
      call({ calls: [null] }),
      call({ error: 1 }),
      call({ value: "0x" }),
      call({ logs: [{ address: A, topics: [], data: "0x" }], calls: [call()] })
    ]
    for (const root of wrong) assert.isTrue(Either.isLeft(decode(root)), JSON.stringify(root))
  })

  it("is refused by nodes that trace nothing, whatever they say", () => {
    assert.deepStrictEqual(onNodeError?.({ code: -32_601, data: undefined }), {
      _tag: "Refused",
      code: -32_601
    })
  })
})
