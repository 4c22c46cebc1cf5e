/** Stands before a service and, while told to, loses or alters its answers after the service has acted on the requests. */
import { createServer } from "node:http"
import { keptOpen } from "../../support/KeptOpen.ts"

export interface LosingProxy {
  readonly url: string
  readonly lose: (pattern: RegExp | undefined) => void
  readonly alter: (change: ((text: string) => string) | undefined) => void
  readonly stop: () => Promise<void>
}

export const losingProxy = async (serviceUrl: string): Promise<LosingProxy> => {
  let losing: RegExp | undefined
  let altering: (text: string) => string = text => text
  const server = createServer(keptOpen, async (request, response) => {
    const parts: Array<Uint8Array> = []
    for await (const part of request) parts.push(part)
    const body = new Uint8Array(Buffer.concat(parts))
    const { method = "", url = "", headers } = request
    const passed = Object.entries(headers).filter(
      ([name]) => name.startsWith("x-") || /^(content-type|idempotency-key)$/.test(name)
    )
    const answer = await fetch(`${serviceUrl}${url}`, {
      method,
      headers: passed.map(([name, value]): [string, string] => [name, String(value)]),
      ...(body.length > 0 && { body })
    })
    if (losing?.test(`${method} ${url}`) === true) return response.destroy()
    const text = altering(await answer.text())
    return response
      .writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" })
      .end(text)
  })
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    lose: pattern => {
      losing = pattern
    },
    alter: (change = text => text) => {
      altering = change
    },
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
