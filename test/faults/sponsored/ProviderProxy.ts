/** The only way to a provider in runs that count what left: keeps every publication before passing it on, and breaks on request. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import type { PublicationAnswer } from "../../../sandbox/provider/Answers.ts"
import type { ProviderTransaction } from "../../../src/sponsorship/PrepaidProvider.ts"
import { keptOpen } from "../../support/KeptOpen.ts"
import { close, listen } from "../../support/Listening.ts"

export interface Publication {
  readonly transactions: ReadonlyArray<ProviderTransaction>
  readonly at: number
  /** What the provider said, whoever heard it; absent while it has not, or where it refused. */
  answer?: PublicationAnswer
}

/** What happens to the next publication; `before`: the provider never sees it where it is reset. */
export interface PublicationFault {
  readonly phase: "before" | "after"
  readonly act:
    | { readonly kind: "delay"; readonly millis: number }
    | { readonly kind: "reset" }
    | { readonly kind: "meanwhile"; readonly happens: () => Promise<void> }
}

export interface ProviderProxy {
  readonly url: string
  /** Every POST, in order. */
  readonly publications: () => ReadonlyArray<Publication>
  /** Requests that read, of all bundles. */
  readonly looks: () => number
  readonly fault: (fault: PublicationFault) => void
  readonly clearFaults: () => void
  /** Where the provider is from now on. */
  readonly follow: (upstream: string) => void
  readonly stop: () => Promise<void>
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

interface Reply {
  readonly status: number
  readonly text: string
}

const forward = async (to: string, method: string, body: string): Promise<Reply> => {
  const headers = { "content-type": "application/json" }
  const answer = await fetch(to, {
    method,
    redirect: "manual",
    ...(method === "POST" ? { headers, body } : {})
  })
  return { status: answer.status, text: await answer.text() }
}

const put = (response: ServerResponse, { status, text }: Reply) =>
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text)

const parsedAnswer = ({ status, text }: Reply): PublicationAnswer | undefined => {
  if (status !== 201) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const pass = async (act: PublicationFault["act"] | undefined): Promise<void> => {
  if (act?.kind === "delay") await sleep(act.millis)
  if (act?.kind === "meanwhile") await act.happens()
}

export const startProviderProxy = async (first: string): Promise<ProviderProxy> => {
  const publications: Array<Publication> = []
  const pending: Array<PublicationFault> = []
  let upstream = first
  let looks = 0
  const publish = async (url: string, text: string, response: ServerResponse) => {
    const publication: Publication = { transactions: JSON.parse(text).transactions, at: Date.now() }
    publications.push(publication)
    const { phase, act } = pending.shift() ?? {}
    if (phase === "before") await pass(act)
    if (act?.kind === "reset" && phase === "before") return response.destroy()
    const reply = await forward(`${upstream}${url}`, "POST", text)
    const answer = parsedAnswer(reply)
    if (answer !== undefined) publication.answer = answer
    if (phase === "after") await pass(act)
    return act?.kind === "reset" ? response.destroy() : put(response, reply)
  }
  const server = createServer(keptOpen, async (request, response) => {
    const { method = "GET", url = "" } = request
    const text = await textOf(request)
    const passing =
      method === "POST"
        ? publish(url, text, response)
        : forward(`${upstream}${url}`, method, "").then(reply => put(response, reply))
    if (method === "GET") looks++
    await passing.catch(() => response.destroy())
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    publications: () => publications,
    looks: () => looks,
    fault: wanted => {
      pending.push(wanted)
    },
    clearFaults: () => {
      pending.length = 0
    },
    follow: to => {
      upstream = to
    },
    stop: () => close(server)
  }
}
