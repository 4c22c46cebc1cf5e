/** The bundler of the races takes many operations at once, and has its chain take one after the other. */
import { createServer } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, assert, it } from "vitest"
import { close, listen } from "../support/Listening.ts"
import { rpc } from "../support/Rpc.ts"
import { answerJson } from "../support/WireFaults.ts"
import { startPromptBundler } from "./operating/PromptBundler.ts"

const AT_ONCE = 8
const TAKES_MILLIS = 5

let sending = 0
let most = 0

const chain = createServer(async (request, response) => {
  sending++
  most = Math.max(most, sending)
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  const { id } = JSON.parse(Buffer.concat(chunks).toString())
  await sleep(TAKES_MILLIS)
  sending--
  answerJson(response, JSON.stringify({ jsonrpc: "2.0", id, result: "0x" }))
})
const bundler = await startPromptBundler(`http://127.0.0.1:${await listen(chain)}`)

afterAll(async () => {
  await bundler.stop()
  await close(chain)
})

const operationOf = (nonce: number) => ({
  sender: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  nonce: `0x${nonce.toString(16)}`,
  callData: "0x",
  callGasLimit: "0x1",
  verificationGasLimit: "0x1",
  preVerificationGas: "0x1",
  maxFeePerGas: "0x1",
  maxPriorityFeePerGas: "0x1",
  signature: "0x"
})

it("one sender's transactions never ask for a nonce at once", async () => {
  const all = Array.from({ length: AT_ONCE }, (_, nonce) => operationOf(nonce))
  const hashes = await Promise.all(all.map(one => rpc(bundler.url, "eth_sendUserOperation", [one])))
  assert.strictEqual(most, 1)
  assert.strictEqual(new Set(hashes).size, AT_ONCE)
  assert.strictEqual(bundler.sent.length, AT_ONCE)
})
