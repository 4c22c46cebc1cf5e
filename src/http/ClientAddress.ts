/** Which client's address a request counts against. */
import { BlockList, isIP, Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { Exchange } from "./Exchange.ts"

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4")

const WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}|\[([0-9a-f:.]+)\](?::\d{1,5})?)$/i

/** Some proxies write a hop's port behind it. */
const withoutPort = (hop: string): string => {
  const [, ipv4, ipv6] = WITH_PORT.exec(hop) ?? []
  return ipv4 ?? ipv6 ?? hop
}

const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, "")

/** Absent where no proxy is trusted. */
export type Proxies = BlockList | undefined

export const proxyList = (ranges: ReadonlyArray<string>): Proxies => {
  if (ranges.length === 0) return undefined
  const list = new BlockList()
  for (const range of ranges) {
    const [address = "", bits] = range.split("/")
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

const isTrusted = (proxies: Proxies, address: string): boolean =>
  proxies !== undefined && isIP(address) !== 0 && proxies.check(address, familyOf(address))

/** So many proxies stand before nobody. */
const MOST_HOPS = 32

const GROUPS = 8
const NETWORK_GROUPS = 4

const groupsOf = (part: string | undefined): ReadonlyArray<string> =>
  part === undefined || part === "" ? [] : part.split(":")

/** Who has one IPv6 address has the 2^64 of its network. */
const network = (address: string): string => {
  if (isIP(address) !== 6) return address
  const [unscoped = ""] = address.split("%")
  const [head, tail] = new URL(`http://[${unscoped}]`).hostname.slice(1, -1).split("::")
  const [first, last] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array.from({ length: GROUPS - first.length - last.length }, () => "0")
  return `${[...first, ...zeros, ...last].slice(0, NETWORK_GROUPS).join(":")}::/64`
}

const plainPeer = (socket: Socket): string => plain(socket.remoteAddress ?? "")

const peerOf = (exchange: Exchange): string => plainPeer(exchange.request.socket)

/** Of a connection on which no request could be read. */
export const peerAddress = (socket: Duplex): string =>
  network(socket instanceof Socket ? plainPeer(socket) : "")

/** Whether the client's own connection is the one that the request came by. */
export const isDirect = (exchange: Exchange, proxies: Proxies): boolean =>
  !isTrusted(proxies, peerOf(exchange))

/** Reads X-Forwarded-For from the right and stops at the first hop that no trusted proxy owns. */
const reported = (exchange: Exchange, proxies: Proxies): string => {
  const hops = (exchange.headers.get("x-forwarded-for") ?? []).join(",")
  let end = hops.length
  for (let count = 0; count < MOST_HOPS && end >= 0; count++) {
    const comma = hops.lastIndexOf(",", end - 1)
    const hop = plain(withoutPort(hops.slice(comma + 1, end).trim()))
    if (!isTrusted(proxies, hop)) return hop
    end = comma
  }
  return ""
}

const addressOf = (exchange: Exchange, proxies: Proxies): string => {
  const peer = peerOf(exchange)
  if (!isTrusted(proxies, peer)) return network(peer)
  const client = reported(exchange, proxies)
  /** What was cut out of the header would hold all of that. */
  return structuredClone(network(isIP(client) === 0 ? peer : client))
}

/** Which address or network a request counts against: the peer's, or the one a trusted proxy reports; a report that is no address proves nothing. */
export const clientAddress = (exchange: Exchange, proxies: Proxies): string => {
  exchange.address ??= addressOf(exchange, proxies)
  return exchange.address
}
