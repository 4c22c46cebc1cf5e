/** What is an answer of a bundler or a paymaster's service: a result or an error, with nothing or null in the place of the other. */
import { createServer } from "node:http"
import { Effect, Either } from "effect"
import { assert, describe, it } from "vitest"
import { rpcExchange } from "../../src/useroperations/RpcExchange.ts"
import { listen } from "../support/Listening.ts"

const answerTo = async (members: Readonly<Record<string, unknown>>, status = 200) => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { "content-type": "application/json" })
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...members }))
  })
  const port = await listen(server)
  try {
    const asked = Effect.flatMap(rpcExchange(new URL(`http://127.0.0.1:${port}`)), exchange =>
      Effect.either(exchange({ method: "eth_chainId", params: [] }, 10_000))
    )
    return Either.merge(await Effect.runPromise(Effect.scoped(asked)))
  } finally {
    server.close()
  }
}

const error = { code: -32_500, message: "AA25 invalid account nonce" }
const refused = { _tag: "Refused", code: -32_500, reason: "AA25", revert: undefined }

describe("an answer", () => {
  it.each([
    ["a result", { result: "0x1" }, { _tag: "Answered", result: "0x1" }],
    ["a result beside no error", { result: "0x1", error: null }, { _tag: "Answered", result: "0x1" }],
    ["a result that is null", { result: null }, { _tag: "Answered", result: null }],
    ["an error", { error }, refused],
    ["an error with data", { error: { ...error, data: "0xABcd" } }, { ...refused, revert: "0xabcd" }],
    [
      "an error with a revert's data",
      { error: { ...error, data: { revertData: "0xABCD" } } },
      { ...refused, revert: "0xabcd" }
    ],
    ["an error with data that is no bytes", { error: { ...error, data: "0xabc" } }, refused],
    ["an error beside no result", { error, result: null }, refused],
    ["neither", {}, "unreadable"],
    ["both", { error, result: "0x1" }, "unreadable"],
    ["no error and no result", { error: null }, "unreadable"],
    ["another question's", { id: 2, result: "0x1" }, "unreadable"]
  ])("of %s", async (_, members, expected) => {
    assert.deepStrictEqual<unknown>(await answerTo(members), expected)
  })

  it.each([
    [400, { error }, refused],
    [400, { result: "0x1" }, "unreachable"],
    [400, {}, "unreachable"],
    [429, { error }, "unreachable"],
    [500, { error }, "unreachable"]
  ])("under the status %i", async (status, members, expected) => {
    assert.deepStrictEqual<unknown>(await answerTo(members, status), expected)
  })
})
