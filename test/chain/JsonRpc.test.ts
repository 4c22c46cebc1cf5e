import { assert, describe, it } from "@effect/vitest"
import {
  answersTo,
  errorInPlace,
  type RpcAnswer,
  type RpcQuestion,
  rpcAnswerTo
} from "../../src/chain/JsonRpc.ts"

const question: RpcQuestion = { id: 7, method: "eth_chainId", params: [] }
const answer = { jsonrpc: "2.0", id: 7, result: "0x1" }
const error = { jsonrpc: "2.0", id: 7, error: { code: 3, message: "any text", data: "0x" } }

describe("a JSON-RPC answer", () => {
  it("is a result or an error without its text", () => {
    assert.deepStrictEqual(rpcAnswerTo(question, answer), { _tag: "Result", result: "0x1" })
    assert.deepStrictEqual(rpcAnswerTo(question, { ...answer, result: null }), {
      _tag: "Result",
      result: null
    })
    assert.deepStrictEqual(rpcAnswerTo(question, { ...answer, error: null }), {
      _tag: "Result",
      result: "0x1"
    })
    assert.deepStrictEqual(rpcAnswerTo(question, error), { _tag: "NodeError", code: 3, data: "0x" })
  })

  it.each<[string, unknown]>([
    ["another id", { ...answer, id: 8 }],
    ["an id of another type", { ...answer, id: "7" }],
    ["no id", { ...error, id: null }],
    ["another version", { ...answer, jsonrpc: "1.0" }],
    ["neither result nor error", { jsonrpc: "2.0", id: 7 }],
    ["both result and error", { ...answer, ...error }],
    ["an error of text alone", { ...error, error: "refused" }],
    ["an error without a code", { ...error, error: { message: "refused" } }],
    ["an array", [answer]],
    ["null", null],
    ["text", "0x1"]
  ])("is none with %s", (_, body) => {
    assert.isUndefined(rpcAnswerTo(question, body))
  })
})

describe("answers to a batch", () => {
  const questions = [question, { ...question, id: 8 }]
  const second = { ...answer, id: 8, result: "0x2" }

  it("come in the order of the questions", () => {
    const read: ReadonlyArray<RpcAnswer> = [
      { _tag: "Result", result: "0x1" },
      { _tag: "Result", result: "0x2" }
    ]
    assert.deepStrictEqual(answersTo(questions, [second, answer]), read)
  })

  it.each<[string, unknown]>([
    ["too few", [answer]],
    ["too many", [answer, second, { ...second, id: 9 }]],
    ["one twice", [answer, answer]],
    ["a stranger", [answer, { ...second, id: 9 }]],
    ["a misshapen one", [answer, { ...second, jsonrpc: "1.0" }]],
    ["an empty one", [answer, { jsonrpc: "2.0", id: 8 }]],
    ["no array", answer]
  ])("are none with %s", (_, body) => {
    assert.isUndefined(answersTo(questions, body))
  })

  it("may be one error in their place, kept without its text", () => {
    assert.deepInclude(errorInPlace({ ...error, id: null }), { code: 3, data: "0x" })
    assert.notInclude(JSON.stringify(errorInPlace(error)), "any text")
    assert.deepInclude(errorInPlace([error]), { code: 3, data: "0x" })
    for (const body of [[error, error], [answer], [], answer, null, "no", {}])
      assert.isUndefined(errorInPlace(body))
  })
})
