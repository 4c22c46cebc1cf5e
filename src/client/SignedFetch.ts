/** A `fetch` that signs each request, for clients that others generate from the API's description. */
import { parsedUrl } from "../values/ParsedUrl.ts"
import { Conversation } from "./Conversation.ts"
import { ClientMisuse } from "./Errors.ts"
import { type ClientOptions, credentialsFrom, transportOf } from "./Options.ts"
import type { Signer } from "./Signer.ts"

export type SignedFetchOptions = Omit<ClientOptions, "signer" | "retries" | "timeoutMillis">

const foreign = (url: string, baseUrl: string) =>
  new ClientMisuse(`${url} is not below ${baseUrl}; a signature is only given to the service it is for.`)

/** What is signed of a URL: all that comes after the service's own address. */
const targetBelow = (baseUrl: string, url: string): string => {
  const base = (parsedUrl(baseUrl)?.href ?? baseUrl).replace(/\/+$/, "")
  const [whole = ""] = url.split("#")
  if (!whole.startsWith(`${base}/`)) throw foreign(url, baseUrl)
  return whole.slice(base.length)
}

/**
 * Signs each request for `account` and sends it once; the answer is the service's, refusals too. A path alone is one of
 * the service's. Its audience is learned from `/api/v1/capabilities` unless it is given. Rejects with `ClientMisuse` for
 * another place than the service's, with `UnexpectedAnswer` for a redirect, which is not followed, and as `fetch` does where
 * no answer arrives.
 */
export const signedFetch = (
  signer: Signer,
  options: SignedFetchOptions
): ((input: string | URL | Request, init?: RequestInit) => Promise<Response>) => {
  const transport = transportOf(options)
  const conversation = new Conversation({
    ...transport,
    credentials: credentialsFrom({ ...options, signer })
  })
  return async (input, init) => {
    const place = typeof input === "string" && input.startsWith("/") ? `${transport.baseUrl}${input}` : input
    const request = new Request(place, init)
    const target = targetBelow(transport.baseUrl, request.url)
    const text = await request.text()
    const outgoing = {
      method: request.method,
      target,
      body: text === "" ? undefined : text,
      contentType: request.headers.get("content-type") ?? undefined,
      idempotencyKey: request.headers.get("idempotency-key") ?? undefined
    }
    return conversation.fetch(outgoing, request.headers, request.signal)
  }
}
