import { describe, expect, it } from "@effect/vitest"
import { TypedDataEncoder } from "ethers"
import fc from "fast-check"
import { diagnose, type RefusedRequest } from "../../src/signatures/Diagnosis.ts"
import type { LikelyCause } from "../../src/signatures/LikelyCause.ts"
import { mistakes } from "../../src/signatures/Mistakes.ts"
import { checksummed } from "../../src/values/Checksum.ts"
import { keccak256, keccak256Utf8 } from "../../src/values/Keccak.ts"
import { messageTypes, type ServiceRequest } from "../../src/values/TypedData.ts"
import { domainOf, fromHex, requestDigest, toHex } from "../../src/values/TypedDataHash.ts"
import { chainIds, messages } from "../values/TypedDataArbitraries.ts"
import { join, sign, signCompact, signParts, testKey } from "./TestKeys.ts"

const key = testKey("diagnosis")
const stranger = testKey("stranger")
const NOW = 1_900_000_000

const body = new TextEncoder().encode('{"b": 1, "a": [true, null]}')

const signed: ServiceRequest = {
  audience: "https://api.example",
  accountId: `eip155:10:${key.address}`,
  signer: checksummed(key.address),
  grantId: "",
  method: "POST",
  requestTarget: "/api/v1/accounts/x/plans?limit=1",
  contentType: "application/json",
  bodyHash: keccak256(body),
  issuedAt: NOW,
  expiresAt: NOW + 60,
  nonce: `0x${"01".repeat(32)}`,
  idempotencyKey: "k"
}

const refused: RefusedRequest = {
  signed,
  chainId: 10,
  body,
  otherChainIds: [10, 8453],
  signature: "0x",
  serverTime: NOW
}

const signedAs = (change: Partial<ServiceRequest>, chainId = 10) => {
  const message = { ...signed, ...change }
  return sign(key, requestDigest(message.audience, chainId, message))
}

const saltless = TypedDataEncoder.hash(
  { name: "Service REST", version: "1", chainId: 10 },
  { ServiceRequest: [...messageTypes.ServiceRequest] },
  signed
)

const digest = requestDigest(signed.audience, 10, signed)
const parts = signParts(key, digest)

const causes: ReadonlyArray<readonly [string, LikelyCause | undefined, Partial<RefusedRequest>]> = [
  [
    "the query left out",
    "query-dropped",
    { signature: signedAs({ requestTarget: "/api/v1/accounts/x/plans" }) }
  ],
  [
    "the body compact",
    "body-reserialised",
    { signature: signedAs({ bodyHash: keccak256Utf8('{"b":1,"a":[true,null]}') }) }
  ],
  ["no content type", "content-type", { signature: signedAs({ contentType: "" }) }],
  ["a trailing slash", "wrong-audience", { signature: signedAs({ audience: "https://api.example/" }) }],
  ["plain http", "wrong-audience", { signature: signedAs({ audience: "http://api.example" }) }],
  ["mainnet", "wrong-chain", { signature: signedAs({}, 1) }],
  ["another configured chain", "wrong-chain", { signature: signedAs({}, 8453) }],
  ["no salt", "salt-missing", { signature: sign(key, fromHex(saltless)) }],
  ["v 0 or 1", "recovery-id-0-1", { signature: join(parts, parts.recoveryId) }],
  ["EIP-2098", "recovery-id-0-1", { signature: signCompact(key, digest) }],
  ["a late request", "clock", { signature: sign(key, digest), serverTime: NOW + 60 }],
  ["a request from the future", "clock", { signature: sign(key, digest), serverTime: NOW - 31 }],
  ["a good request", undefined, { signature: sign(key, digest), serverTime: NOW - 30 }],
  ["a good request in its last second", undefined, { signature: sign(key, digest), serverTime: NOW + 59 }],
  ["a stranger", undefined, { signature: sign(stranger, digest) }],
  [
    "a stranger's mistake",
    undefined,
    { signature: sign(stranger, requestDigest(signed.audience, 1, signed)) }
  ],
  ["two mistakes", undefined, { signature: signedAs({ contentType: "", requestTarget: "/x" }) }],
  ["no signature", undefined, { signature: "0x00" }]
]

describe("diagnose", () => {
  it.each(causes)("%s: %s", (_, cause, change) => {
    const diagnosis = diagnose({ ...refused, ...change })
    expect(diagnosis.likelyCause).toBe(cause)
    expect("likelyCause" in diagnosis).toBe(cause !== undefined)
  })

  const local = (audience: string, claimed: string) => {
    const here = { ...signed, audience }
    const signature = sign(key, requestDigest(claimed, 10, here))
    return diagnose({ ...refused, signed: here, signature }).likelyCause
  }
  it("local audiences are told from their twins", () => {
    expect(local("http://localhost:8080", "http://127.0.0.1:8080")).toBe("wrong-audience")
    expect(local("http://127.0.0.1:8080", "http://localhost:8080")).toBe("wrong-audience")
    expect(local("http://[::1]:8080", "http://localhost:8080")).toBe("wrong-audience")
    expect(local("http://localhost:8080", "http://localhost:8081")).toBeUndefined()
  })

  it("a content type with parameters is told from the bare one", () => {
    const sent = { ...signed, contentType: "application/json; charset=utf-8" }
    const signature = sign(key, requestDigest(signed.audience, 10, signed))
    expect(diagnose({ ...refused, signed: sent, signature }).likelyCause).toBe("content-type")
  })

  it("shows the service's view: twelve fields, domain, digest, signer found, time", () => {
    const diagnosis = diagnose({ ...refused, signature: sign(stranger, digest) })
    expect(diagnosis).toEqual({
      signed,
      domain: domainOf(signed.audience, 10),
      digest: toHex(digest),
      recovered: checksummed(stranger.address),
      serverTime: NOW
    })
    expect(diagnose({ ...refused, signature: "0x00" }).recovered).toBeNull()
  })
})

describe("mistakes", () => {
  const bodies = fc.oneof(
    fc.json().map(json => new TextEncoder().encode(json)),
    fc.uint8Array({ maxLength: 100 })
  )
  it("are never more than eight, never the right digest, and never throw", () =>
    fc.assert(
      fc.property(
        messages.ServiceRequest,
        fc.webUrl(),
        chainIds,
        bodies,
        (message, audience, chainId, bytes) => {
          const view = {
            signed: { ...message, audience, bodyHash: keccak256(bytes) },
            chainId,
            body: bytes,
            otherChainIds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
          }
          const digests = mistakes(view).map(mistake => toHex(mistake.digest()))
          expect(digests.length).toBeLessThanOrEqual(8)
          expect(digests).not.toContain(toHex(requestDigest(audience, chainId, view.signed)))
        }
      ),
      { numRuns: 100 }
    ))

  it("a body nested too deep to be written again is left as it is", () => {
    const deep = new TextEncoder().encode("[".repeat(30_000) + "]".repeat(30_000))
    const kinds = mistakes({ ...refused, body: deep }).map(({ cause }) => cause)
    expect(kinds).not.toContain("body-reserialised")
    expect(kinds).toContain("content-type")
  })

  it("try every kind before a second try of any", () => {
    const kinds = mistakes({ ...refused, otherChainIds: [1, 2, 3, 4] }).map(({ cause }) => cause)
    expect(new Set(kinds.slice(0, 6)).size).toBe(6)
    expect(kinds).toHaveLength(8)
  })
})
