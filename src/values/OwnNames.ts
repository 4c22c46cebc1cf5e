/** By which Host a listener of this machine may be asked: a page whose name was bound to this machine's address brings its own. */
import { isIP } from "node:net"

const HOST = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d{1,5})?$/

const nameOf = (host: string): string | undefined => {
  const [, bracketed, plain] = HOST.exec(host) ?? []
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed : undefined
  return plain?.toLowerCase().replace(/\.$/, "")
}

/** Addresses are nobody's to bind; who sends no Host at all is no browser. */
export const ownNames = (names: ReadonlyArray<string>): ((host: string | undefined) => boolean) => {
  const known = new Set(["localhost", ...names.map(name => name.toLowerCase())])
  return host => {
    if (host === undefined) return true
    const name = nameOf(host)
    return name !== undefined && (isIP(name) !== 0 || known.has(name))
  }
}
