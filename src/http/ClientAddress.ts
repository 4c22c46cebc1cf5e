/** Which address a request counts against: the peer's, or the one a trusted proxy reports. */
import { BlockList, isIP } from "node:net"
import type { Exchange } from "./Exchange.ts"

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4")

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

/** Reads X-Forwarded-For from the right and stops at the first hop that no trusted proxy owns; one that is no address proves nothing. */
export const clientAddress = (exchange: Exchange, proxies: Proxies): string => {
  const peer = plain(exchange.request.socket.remoteAddress ?? "")
  if (!isTrusted(proxies, peer)) return peer
  const hops = (exchange.headers.get("x-forwarded-for") ?? []).join(",").split(",").map(plain)
  const client = [...hops, peer].findLast(hop => !isTrusted(proxies, hop))
  return client === undefined || isIP(client) === 0 ? peer : client
}
