/** A way to a node on which a test can hold one call, and act while the service waits for its answer. */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { keptOpen } from "./KeptOpen.ts"

interface Hold {
  readonly method: string
  readonly reached: () => void
  readonly released: Promise<void>
}

export interface NodeGate {
  readonly url: string
  /** Where calls go on to. */
  readonly to: (upstream: string) => void
  /** Lets the node answer the next call of the method, but keeps the answer back while `act` runs. */
  readonly during: (method: string, act: () => Promise<void>) => Promise<void>
  readonly stop: () => Promise<void>
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export const startNodeGate = async (): Promise<NodeGate> => {
  let upstream = ""
  let hold: Hold | undefined
  const pass = async (body: string): Promise<string> => {
    const headers = { "content-type": "application/json" }
    const text = await (await fetch(upstream, { method: "POST", headers, body })).text()
    if (hold === undefined || !body.includes(`"${hold.method}"`)) return text
    const { reached, released } = hold
    hold = undefined
    reached()
    await released
    return text
  }
  const server = createServer(keptOpen, async (request, response) => {
    const text = await textOf(request).then(pass)
    response.writeHead(200, { "content-type": "application/json" }).end(text)
  })
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const port = (address: AddressInfo | string | null) =>
    address !== null && typeof address === "object" ? address.port : 0
  const during = async (method: string, act: () => Promise<void>) => {
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await new Promise<void>(reached => {
      hold = { method, reached, released }
    })
    await act().finally(release)
  }
  return {
    url: `http://127.0.0.1:${port(server.address())}`,
    to: url => {
      upstream = url
    },
    during,
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  }
}
