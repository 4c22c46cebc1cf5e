/** A service that answers from a script and remembers what it was sent. */
import type { Fetch } from "../../../src/client/Exchange.ts"

export interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: string
}

export type Scripted = Response | Error | ((sent: Sent) => Response)

export const json = (status: number, value: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { "content-type": status < 400 ? "application/json" : "application/problem+json", ...headers }
  })

export const problem = (
  status: number,
  code: string,
  over: Record<string, unknown> = {},
  headers: Record<string, string> = {}
): Response =>
  json(
    status,
    {
      type: `http://service.test/docs/errors#${code.toLowerCase()}`,
      title: code,
      status,
      detail: "a scripted refusal",
      code,
      requestId: "00000000-0000-4000-8000-000000000000",
      retryable: status === 429 || status >= 500,
      ...over
    },
    headers
  )

export const scriptedFetch = (script: ReadonlyArray<Scripted>) => {
  const sent: Array<Sent> = []
  const fetch: Fetch = async (url, init) => {
    const body = init.body instanceof Uint8Array ? new TextDecoder().decode(init.body) : ""
    const request = { url, method: init.method ?? "", headers: new Headers(init.headers), body }
    const next = script[sent.length]
    sent.push(request)
    if (next === undefined) throw new Error(`the script has no answer ${sent.length}`)
    if (next instanceof Error) throw next
    return typeof next === "function" ? next(request) : next
  }
  return { fetch, sent }
}
