/** Stands before a service and, while told to, loses, withholds or alters its answers after the service has acted on the requests. */
import { createServer } from "node:http"
import { keptOpen } from "../../support/KeptOpen.ts"

export interface LosingProxy {
  readonly url: string
  readonly lose: (pattern: RegExp | undefined) => void
  /** The next such request is never answered, and `before` never passed on; resolves when it is there. */
  readonly withhold: (pattern: RegExp, phase: "before" | "after") => Promise<void>
  /** Before the next such request is passed on. */
  readonly during: (pattern: RegExp, work: () => Promise<unknown>) => void
  readonly alter: (change: ((text: string) => string) | undefined) => void
  readonly stop: () => Promise<void>
}

interface Withheld {
  readonly pattern: RegExp
  readonly phase: "before" | "after"
  readonly reached: () => void
}

/** Of the connection and of the body as it came: both are other ones here. */
const OF_THE_WAY = /^(connection|keep-alive|transfer-encoding|content-length|content-encoding|date)$/

export const losingProxy = async (serviceUrl: string): Promise<LosingProxy> => {
  let losing: RegExp | undefined
  let altering: (text: string) => string = text => text
  let withheld: Withheld | undefined
  let meanwhile: { readonly pattern: RegExp; readonly work: () => Promise<unknown> } | undefined
  const isWithheld = (asked: string, phase: Withheld["phase"]): boolean => {
    const { pattern, reached } = withheld?.phase === phase ? withheld : {}
    if (pattern?.test(asked) !== true) return false
    withheld = undefined
    reached?.()
    return true
  }
  const server = createServer(keptOpen, async (request, response) => {
    const parts: Array<Uint8Array> = []
    for await (const part of request) parts.push(part)
    const body = new Uint8Array(Buffer.concat(parts))
    const { method = "", url = "", headers } = request
    if (meanwhile?.pattern.test(`${method} ${url}`) === true) {
      const { work } = meanwhile
      meanwhile = undefined
      await work()
    }
    if (isWithheld(`${method} ${url}`, "before")) return undefined
    const passed = Object.entries(headers).filter(
      ([name]) => name.startsWith("x-") || /^(content-type|idempotency-key)$/.test(name)
    )
    const answer = await fetch(`${serviceUrl}${url}`, {
      method,
      headers: passed.map(([name, value]): [string, string] => [name, String(value)]),
      ...(body.length > 0 && { body })
    })
    if (losing?.test(`${method} ${url}`) === true) return response.destroy()
    if (isWithheld(`${method} ${url}`, "after")) return undefined
    const text = altering(await answer.text())
    const told = [...answer.headers].filter(([name]) => !OF_THE_WAY.test(name))
    return response.writeHead(answer.status, Object.fromEntries(told)).end(text)
  })
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    lose: pattern => {
      losing = pattern
    },
    withhold: (pattern, phase) =>
      new Promise<void>(reached => {
        withheld = { pattern, phase, reached }
      }),
    during: (pattern, work) => {
      meanwhile = { pattern, work }
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
