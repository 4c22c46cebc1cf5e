/** The Host header as RFC 9112 asks for it: HTTP/1.1 has exactly one, and it names an authority or nothing. */
import type { IncomingMessage } from "node:http"
import { InvalidRequestTarget } from "./RequestTarget.ts"

const AUTHORITY = /^[\w.~!$&'()*+,;=%:[\]-]*$/

const fault = ({ rawHeaders, httpVersion }: IncomingMessage): string | undefined => {
  let hosts = 0
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== "host") continue
    hosts += 1
    if (!AUTHORITY.test(rawHeaders[index + 1] ?? "")) return "the Host header must name a host"
  }
  if (hosts > 1) return "the Host header must be given once"
  return hosts === 1 || httpVersion === "1.0" ? undefined : "HTTP/1.1 needs a Host header"
}

export const hostRefusal = (request: IncomingMessage): InvalidRequestTarget | undefined => {
  const detail = fault(request)
  return detail === undefined ? undefined : new InvalidRequestTarget({ detail })
}
