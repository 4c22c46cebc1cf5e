/** One request to one process over a kept connection, and what became of it when no answer came. */
import { Agent, request } from "node:http"
import type { Plan } from "../../../src/plans/Plan.ts"
import type { Ready } from "../races/Signed.ts"

export interface Reply {
  readonly status: number
  readonly code: string | undefined
  readonly body: {
    readonly id?: string
    readonly calls?: Plan["calls"]
    readonly plan?: Plan
    readonly bot?: { readonly id: string }
  }
}

export type Outcome =
  | { readonly kind: "answered"; readonly reply: Reply }
  /** Nobody listens there, so nothing was lost. */
  | { readonly kind: "refused" }
  /** The connection ended without an answer. */
  | { readonly kind: "silent" }

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

const headersOf = ({ init }: Ready): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(init.headers ?? {}).map(([name, value]) => [name, String(value)])),
  ...(typeof init.body === "string" ? { "Content-Length": String(Buffer.byteLength(init.body)) } : {})
})

export const exchange = (url: string, ready: Ready): Promise<Outcome> =>
  new Promise(resolve => {
    const silent = (error: NodeJS.ErrnoException) =>
      resolve(error.code === "ECONNREFUSED" ? { kind: "refused" } : { kind: "silent" })
    const options = { agent, method: ready.init.method ?? "GET", headers: headersOf(ready) }
    const asked = request(`${url}${ready.target}`, options, response => {
      const chunks: Array<Buffer> = []
      response.on("data", chunk => chunks.push(chunk))
      response.on("error", silent)
      response.on("aborted", () => resolve({ kind: "silent" }))
      response.on("end", () => {
        const body = JSON.parse(Buffer.concat(chunks).toString())
        const status = response.statusCode ?? 0
        const code = status < 400 ? undefined : String(body.code)
        resolve({ kind: "answered", reply: { status, code, body } })
      })
    })
    asked.on("error", silent)
    asked.end(ready.init.body)
  })
