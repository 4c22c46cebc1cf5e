/** A provider that answers publications as it is told to, keeps what left for it, and has forgotten every bundle. */
import { randomUUID } from "node:crypto"
import { createServer, type ServerResponse } from "node:http"
import type { ProviderTransaction } from "../../../src/sponsorship/PrepaidProvider.ts"
import { close, listen } from "../../support/Listening.ts"

export interface ProviderRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: {
    readonly transactions: ReadonlyArray<ProviderTransaction>
    readonly virtual_nonce_mode: string
  }
}

export type Script = (response: ServerResponse, request: ProviderRequest) => void

export const answerOf = ({ body }: ProviderRequest, over: Readonly<Record<string, unknown>> = {}) => ({
  bundle_uuid: randomUUID(),
  tx_uuids: body.transactions.map(() => randomUUID()),
  payment_info: [
    {
      chain: 31337,
      target: "0x1311a7D9a0e8d2fDE2D955D80f12C65a56D445b2",
      token: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE",
      amount: "2500000000000000",
      calldata: "0x103903a7",
      payment_deadline: 1_990_000_000
    }
  ],
  ...over
})

export const answering =
  (value: (request: ProviderRequest) => unknown, status = 200): Script =>
  (response, request) => {
    response.writeHead(status, { "content-type": "application/json" })
    response.end(JSON.stringify(value(request)))
  }

export const startScriptedProvider = async () => {
  const requests: Array<ProviderRequest> = []
  const scripted: Array<Script> = []
  const server = createServer((incoming, response) => {
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
    incoming.on("end", () => {
      const { method = "", url: path = "", headers } = incoming
      if (method === "GET") {
        response.writeHead(404).end()
        return
      }
      const request = { method, path, headers, body: JSON.parse(Buffer.concat(chunks).toString()) }
      requests.push(request)
      const script = scripted.shift() ?? answering(answerOf)
      script(response, request)
    })
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  return {
    url,
    requests,
    /** How often the call of this request's `execute` left. */
    timesSent: (data: string) =>
      requests.flatMap(({ body }) => body.transactions).filter(sent => sent.data === data).length,
    /** What the next request meets. */
    next: (script: Script) => {
      scripted.push(script)
    },
    stop: () => close(server)
  }
}
