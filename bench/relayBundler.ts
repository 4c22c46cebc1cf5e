/** A bundler that answers everything after a fixed time and carries nothing out; GET says how long it took over all requests. */
import { createServer } from "node:http"
import { Schema } from "effect"
import { operationHash } from "../src/values/PackedOperation.ts"
import { UserOperation } from "../src/values/UserOperation.ts"
import { INSTANT_CHAIN } from "../test/support/InstantForwarder.ts"
import { instantWalletManifest } from "../test/support/InstantWallets.ts"
import { keptOpen } from "../test/support/KeptOpen.ts"

const ANSWER_MILLIS = Number(process.env.ANSWER_MILLIS ?? 20)
const FEES = { maxFeePerGas: "0x3b9aca00", maxPriorityFeePerGas: "0x3b9aca00" }

const place = { chainId: INSTANT_CHAIN, entryPoint: instantWalletManifest.pins.entryPoint.address }
const read = Schema.decodeUnknownSync(UserOperation)
const stats = { requests: 0, busyMillis: 0 }

const ANSWERS: Readonly<Record<string, (operation: unknown) => unknown>> = {
  eth_chainId: () => `0x${place.chainId.toString(16)}`,
  eth_supportedEntryPoints: () => [place.entryPoint],
  pimlico_getUserOperationGasPrice: () => ({ slow: FEES, standard: FEES, fast: FEES }),
  eth_estimateUserOperationGas: () => ({
    preVerificationGas: "0xc350",
    verificationGasLimit: "0x186a0",
    callGasLimit: "0x30d40"
  }),
  eth_sendUserOperation: operation => operationHash(read(operation), place),
  eth_getUserOperationReceipt: () => null
}

const server = createServer(keptOpen, async (request, response) => {
  const arrived = performance.now()
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  const isAsked = request.method === "POST"
  const say = () => {
    if (!isAsked) return stats
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString())
    return { jsonrpc: "2.0", id, result: ANSWERS[method]?.(params[0]) ?? null }
  }
  const body = JSON.stringify(say())
  const left = ANSWER_MILLIS - (performance.now() - arrived)
  if (isAsked) await new Promise(resolve => setTimeout(resolve, Math.max(0, left)))
  response
    .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
    .end(body)
  if (!isAsked) return
  stats.requests += 1
  stats.busyMillis += performance.now() - arrived
})
server.listen(Number(process.env.PORT), "127.0.0.1")
