import { createServer } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ClientMisuse, NodeFailure } from "../../src/client/Errors.ts"
import { nextNonce, nodeAt, requireChain } from "../../src/client/Node.ts"
import { keptOpen } from "../support/KeptOpen.ts"
import { close, listen } from "../support/Listening.ts"

let answer = ""
let moved: string | undefined
let authorization: string | undefined
const server = createServer(keptOpen, ({ headers }, response) => {
  authorization = headers.authorization
  return moved === undefined ? response.end(answer) : response.writeHead(307, { location: moved }).end()
})
let origin = ""

beforeAll(async () => {
  origin = `http://127.0.0.1:${await listen(server)}`
})

afterAll(() => close(server))

const failureOf = async (told: string): Promise<string> => {
  answer = told
  const failure = await nextNonce(nodeAt(`${origin}/v2/secret`), "0x").then(
    () => assert.fail("it resolved"),
    (caught: unknown) => caught
  )
  assert.instanceOf(failure, NodeFailure)
  return failure.message
}

describe("a node that the caller names", () => {
  it("gives numbers", async () => {
    answer = `{"jsonrpc":"2.0","id":1,"result":"0x2a"}`
    assert.strictEqual(await nextNonce(nodeAt(origin), "0x"), 42)
    await requireChain(nodeAt(origin), 42)
    assert.match(
      String(await requireChain(nodeAt(origin), 1).catch(String)),
      /serves chain 42; the call is on chain 1/
    )
  })

  it("is told of by its origin alone where it fails", async () => {
    const messages = [
      await failureOf(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"busy"}}`),
      await failureOf("<html>"),
      await failureOf("{}"),
      await failureOf(`{"result":"many"}`)
    ]
    assert.deepStrictEqual(messages, [
      `The node at ${origin} refused eth_getTransactionCount: -32000 busy`,
      `The node at ${origin} answered 200 without JSON.`,
      `The node at ${origin} does not speak JSON-RPC.`,
      "The node gave no nonce."
    ])
  })

  it("is given the name and the password of its URL, which is told without them", async () => {
    answer = `{"result":"0x2a"}`
    await nextNonce(nodeAt(origin), "0x")
    assert.isUndefined(authorization)
    const url = origin.replace("//", "//m%C3%A9:p%40ss%25@")
    assert.strictEqual(await nextNonce(nodeAt(url), "0x"), 42)
    assert.strictEqual(authorization, `Basic ${Buffer.from("mé:p@ss%").toString("base64")}`)
    answer = "<html>"
    const failure = await nextNonce(nodeAt(url), "0x").catch(String)
    assert.include(failure, `The node at ${origin} answered 200 without JSON.`)
  })

  it("is not followed where it leads elsewhere", async () => {
    moved = `${origin}/elsewhere`
    assert.strictEqual(await failureOf("{}"), `The node at ${origin} answered 307 without JSON.`)
    moved = undefined
  })

  it("has a URL", () => {
    assert.throws(() => nodeAt("nowhere"), ClientMisuse)
    assert.throws(() => nodeAt("file:///etc/passwd"), ClientMisuse)
  })
})
