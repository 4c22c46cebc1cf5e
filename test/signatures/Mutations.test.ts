import { describe, expect, it } from "@effect/vitest"
import { recover } from "../../src/signatures/Recover.ts"
import { keccak256Utf8 } from "../../src/values/Keccak.ts"
import type { ServiceRequest } from "../../src/values/TypedData.ts"
import { requestDigest } from "../../src/values/TypedDataHash.ts"
import { sign, testKey } from "./TestKeys.ts"

const key = testKey("mutations")

const request: ServiceRequest = {
  audience: "https://api.example",
  accountId: `eip155:8453:${key.address}`,
  signer: key.address,
  grantId: "3f2c1b0a-4d5e-4f60-8a7b-9c0d1e2f3a4b",
  method: "POST",
  requestTarget: "/api/v1/plans?limit=10&after=%2F",
  contentType: "application/json; charset=utf-8",
  bodyHash: keccak256Utf8("{}"),
  issuedAt: 1_900_000_000,
  expiresAt: 1_900_000_060,
  nonce: keccak256Utf8("nonce"),
  idempotencyKey: "a-key.with:all_kinds"
}

const CHAIN = 8453
const signature = sign(key, requestDigest(request.audience, CHAIN, request))

const signerOf = (changed: ServiceRequest, chainId = CHAIN) =>
  recover(requestDigest(changed.audience, chainId, changed), signature)

const flipped = (text: string, at: number, bit: number): string =>
  text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << bit)) + text.slice(at + 1)

const flippedDigit = (hex: `0x${string}`, at: number, bit: number): `0x${string}` => {
  const digit = Number.parseInt(hex.charAt(at), 16) ^ (1 << bit)
  return `0x${hex.slice(2, at)}${digit.toString(16)}${hex.slice(at + 1)}`
}

const grid = (length: number, bits: number, from = 0) =>
  Array.from({ length: (length - from) * bits }, (_, i) => [from + Math.floor(i / bits), i % bits] as const)

const texts = [
  "audience",
  "accountId",
  "grantId",
  "method",
  "requestTarget",
  "contentType",
  "idempotencyKey"
] as const
const words = ["signer", "bodyHash", "nonce"] as const
const times = ["issuedAt", "expiresAt"] as const

describe("no flipped bit of a signed member leaves the signature valid", () => {
  it("the unchanged request is the signer's", () => {
    expect(signerOf(request)).toBe(key.address)
  })
  it.each(texts)("%s", name => {
    const text = request[name]
    for (const [at, bit] of grid(text.length, 7))
      expect(signerOf({ ...request, [name]: flipped(text, at, bit) })).not.toBe(key.address)
    for (const changed of [`${text} `, ` ${text}`, text.slice(1), text.slice(0, -1), `${text}\u0000`, ""])
      expect(signerOf({ ...request, [name]: changed })).not.toBe(key.address)
  })
  it.each(words)("%s", name => {
    const hex = request[name]
    for (const [at, bit] of grid(hex.length, 4, 2))
      expect(signerOf({ ...request, [name]: flippedDigit(hex, at, bit) })).not.toBe(key.address)
  })
  it.each(times)("%s", name => {
    for (let bit = 0; bit < 53; bit++) {
      const changed = Number(BigInt(request[name]) ^ (1n << BigInt(bit)))
      expect(signerOf({ ...request, [name]: changed })).not.toBe(key.address)
    }
  })
  it("the chain", () => {
    for (let bit = 0; bit < 53; bit++)
      expect(signerOf(request, Number(BigInt(CHAIN) ^ (1n << BigInt(bit))))).not.toBe(key.address)
  })
  it("text moved from one member to the next", () => {
    const moved = { ...request, method: "POS", requestTarget: `T${request.requestTarget}` }
    expect(signerOf(moved)).not.toBe(key.address)
  })
})
