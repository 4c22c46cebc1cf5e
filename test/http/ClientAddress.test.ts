import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { assert, describe, it } from "vitest"
import { clientAddress, proxyList } from "../../src/http/ClientAddress.ts"
import { makeExchange } from "../../src/http/Exchange.ts"

const exchangeFrom = (peer: string, ...forwarded: ReadonlyArray<string>) => {
  const socket = new Socket()
  Object.defineProperty(socket, "remoteAddress", { value: peer, configurable: true })
  const request = new IncomingMessage(socket)
  request.rawHeaders = forwarded.flatMap(value => ["X-Forwarded-For", value])
  return makeExchange(request, new ServerResponse(request), "id", 0)
}

const direct = (peer: string) => clientAddress(exchangeFrom(peer), proxyList([]))
const proxied = (...forwarded: ReadonlyArray<string>) =>
  clientAddress(exchangeFrom("10.0.0.1", ...forwarded), proxyList(["10.0.0.0/8", "fd00::/8"]))

describe("the address that a request counts against", () => {
  it("is a whole IPv4 address, in either notation", () => {
    assert.strictEqual(direct("192.0.2.7"), "192.0.2.7")
    assert.strictEqual(direct("::ffff:192.0.2.7"), "192.0.2.7")
    assert.notStrictEqual(direct("192.0.2.7"), direct("192.0.2.8"))
  })

  const networks: ReadonlyArray<readonly [string, string]> = [
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8:0:0:1::", "2001:db8:0:0::/64"],
    ["2001:db8:0:1::1", "2001:db8:0:1::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["1::", "1:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"]
  ]
  it.each(networks)("%s is one of %s", (address, network) => {
    assert.strictEqual(direct(address), network)
    assert.strictEqual(proxied(address), network)
  })

  it("is another network's one bit further", () => {
    assert.notStrictEqual(direct("2001:db8:1:2::1"), direct("2001:db8:1:3::1"))
  })

  it("is what the nearest proxy that is not trusted was seen as", () => {
    assert.strictEqual(proxied("2001:db8:9::1, 2001:db8:1:2::1, fd00::5"), "2001:db8:1:2::/64")
    assert.strictEqual(proxied("2001:db8:9::1", "192.0.2.7"), "192.0.2.7")
    assert.strictEqual(proxied("2001:db8:1:2::1, unknown"), "10.0.0.1")
  })

  it("is the peer's where more proxies are reported than stand before anybody", () => {
    const behind = (proxies: number) => ["192.0.2.7", ...Array(proxies).fill("10.0.0.2")].join(", ")
    assert.strictEqual(proxied(behind(31)), "192.0.2.7")
    assert.strictEqual(proxied(behind(32)), "10.0.0.1")
    assert.strictEqual(proxied(",".repeat(32_000)), "10.0.0.1")
  })

  it("is read once for a request", () => {
    const exchange = exchangeFrom("10.0.0.1", "192.0.2.7")
    const proxies = proxyList(["10.0.0.0/8"])
    assert.strictEqual(clientAddress(exchange, proxies), "192.0.2.7")
    Object.defineProperty(exchange.request.socket, "remoteAddress", { value: undefined })
    assert.strictEqual(clientAddress(exchange, proxies), "192.0.2.7")
  })

  it("is without the port that some proxies write behind it", () => {
    assert.strictEqual(proxied("192.0.2.7:4711"), "192.0.2.7")
    assert.strictEqual(proxied("[2001:db8:1:2::1]:4711"), "2001:db8:1:2::/64")
    assert.strictEqual(proxied("[2001:db8:1:2::1], [fd00::5]:80, 10.0.0.9:1"), "2001:db8:1:2::/64")
    assert.strictEqual(proxied("::ffff:192.0.2.7"), "192.0.2.7")
    for (const odd of ["192.0.2.7:", "192.0.2.7:4711:1", "[192.0.2.7", "1.2.3.4.5:6", "unknown:1"])
      assert.strictEqual(proxied(odd), "10.0.0.1")
  })
})
