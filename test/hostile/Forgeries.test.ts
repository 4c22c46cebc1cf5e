/** S2: signatures forged from a true one, cheaply by the ten thousand and over HTTP by the hundred; none is the signer's. */
import fc from "fast-check"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { recover } from "../../src/signatures/Recover.ts"
import { keccak256Utf8 } from "../../src/values/Keccak.ts"
import type { ServiceTransactionApproval } from "../../src/values/TypedData.ts"
import {
  botProofDigest,
  requestDigest,
  sponsorshipApprovalDigest,
  transactionApprovalDigest
} from "../../src/values/TypedDataHash.ts"
import { join, sign, signParts, type TestKey, testKey } from "../signatures/TestKeys.ts"
import { enroll } from "../support/Bots.ts"
import { fastHeaders, namedOwner, type Signer } from "../support/FastSign.ts"
import { problemIn } from "../support/Problem.ts"
import { type RunningService, startService } from "../support/Service.ts"

const SEED = Number(process.env.HOSTILE_SEED ?? Date.now() % 2 ** 31)
const AUDIENCE = "https://api.example"
const CHAIN = 8453
const OVER_HTTP = 400

const key = testKey("forgeries")

const approval: ServiceTransactionApproval = {
  audience: AUDIENCE,
  accountId: `eip155:${CHAIN}:${key.address}`,
  principalId: "bot:3f2c1b0a-4d5e-4f60-8a7b-9c0d1e2f3a4b",
  planId: "8b7c5f0a-3a54-4a1e-9a0d-2f6f5d7c1e42",
  commitment: keccak256Utf8("commitment"),
  stepIndex: 3,
  transactionHash: keccak256Utf8("transaction"),
  issuedAt: 1_900_000_000,
  expiresAt: 1_900_000_120,
  nonce: keccak256Utf8("nonce")
}

const digestOf = (changed: ServiceTransactionApproval, chainId = CHAIN) =>
  transactionApprovalDigest(changed.audience, chainId, changed)

const signature = sign(key, digestOf(approval))

const flippedText = (text: string, bit: number): string => {
  const at = Math.floor(bit / 7)
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << (bit % 7))) + text.slice(at + 1)
}

const flippedHex = (hex: `0x${string}`, bit: number): `0x${string}` => {
  const at = 2 + (bit >> 2)
  const digit = Number.parseInt(hex.charAt(at), 16) ^ (1 << (bit & 3))
  return `0x${hex.slice(2, at)}${digit.toString(16)}${hex.slice(at + 1)}`
}

const flippedNumber = (value: number, bit: number) => Number(BigInt(value) ^ (1n << BigInt(bit)))

const bits = (count: number) => Array.from({ length: count }, (_, bit) => bit)

/** Every approval that differs from the true one in one bit. */
const neighbours = (): ReadonlyArray<ServiceTransactionApproval> => [
  ...(["audience", "accountId", "principalId", "planId"] as const).flatMap(name =>
    bits(approval[name].length * 7).map(bit => ({ ...approval, [name]: flippedText(approval[name], bit) }))
  ),
  ...(["commitment", "transactionHash", "nonce"] as const).flatMap(name =>
    bits(256).map(bit => ({ ...approval, [name]: flippedHex(approval[name], bit) }))
  ),
  ...bits(32).map(bit => ({
    ...approval,
    stepIndex: Number(BigInt.asUintN(32, BigInt(flippedNumber(3, bit))))
  })),
  ...(["issuedAt", "expiresAt"] as const).flatMap(name =>
    bits(53).map(bit => ({ ...approval, [name]: flippedNumber(approval[name], bit) }))
  )
]

describe(`forged signatures, seed ${SEED}`, () => {
  it("the true one is the signer's", () => {
    assert.strictEqual(recover(digestOf(approval), signature), key.address)
  })

  it("is good for no approval that differs in a bit, on no other chain", () => {
    const changed = neighbours()
    assert.isAtLeast(changed.length, 1900)
    for (const other of changed) assert.notStrictEqual(recover(digestOf(other), signature), key.address)
    for (const bit of bits(53))
      assert.notStrictEqual(recover(digestOf(approval, flippedNumber(CHAIN, bit)), signature), key.address)
  })

  it("is good for no other type with the same values", () => {
    const { planId: sponsorshipId, transactionHash: submissionHash } = approval
    const { accountId, expiresAt, nonce } = approval
    const others = [
      sponsorshipApprovalDigest(AUDIENCE, CHAIN, { ...approval, sponsorshipId, submissionHash }),
      botProofDigest(AUDIENCE, CHAIN, {
        accountId,
        botAddress: key.address,
        scopes: ["read", "plan", "relay"],
        expiresAt,
        label: "",
        ownerRequestNonce: nonce
      }),
      requestDigest(AUDIENCE, CHAIN, {
        ...approval,
        signer: key.address,
        grantId: "",
        method: "POST",
        requestTarget: `/api/v1/plans/${approval.planId}/steps/3/submissions`,
        contentType: "application/json",
        bodyHash: submissionHash,
        idempotencyKey: ""
      })
    ]
    for (const digest of others) {
      assert.notStrictEqual(recover(digest, signature), key.address)
      assert.notStrictEqual(recover(digestOf(approval), sign(key, digest)), key.address)
    }
  })

  it("cannot be made from others: ten thousand mixtures of true halves, bits and lengths", () => {
    const labels = ["forgeries", "a", "b"]
    const messages = bits(8).map(index => digestOf({ ...approval, stepIndex: index }))
    const digest = digestOf(approval)
    const parts = labels.flatMap(label => messages.map(message => signParts(testKey(label), message)))
    const half = fc.nat(parts.length - 1)
    const mixture = fc.record({
      r: half,
      s: half,
      v: fc.oneof(fc.constantFrom(27, 28), fc.nat(255)),
      flips: fc.array(fc.nat(511), { maxLength: 3 }),
      cut: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.integer({ min: -65, max: 65 }))
    })
    const truth = parts.findIndex(({ compact }) =>
      signature.startsWith(`0x${Buffer.from(compact).toString("hex")}`)
    )
    fc.assert(
      fc.property(mixture, ({ r, s, v, flips, cut }) => {
        const compact = Uint8Array.of(
          ...(parts[r]?.compact.subarray(0, 32) ?? []),
          ...(parts[s]?.compact.subarray(32) ?? [])
        )
        for (const bit of flips) compact[bit >> 3] = (compact[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        const whole = join({ compact, recoveryId: 0 }, v)
        const made = cut < 0 ? whole.slice(0, 2 * cut) : whole + "ab".repeat(cut)
        const isTrue = r === truth && s === truth && made === signature
        assert.strictEqual(recover(digest, made) === key.address, isTrue)
      }),
      { numRuns: 10_000, seed: SEED }
    )
  })
})

describe(`forged requests over HTTP, seed ${SEED}`, () => {
  let service: RunningService
  let owner: Signer
  let other: Signer

  const partyOf = (signer: Signer & { readonly key: TestKey }) => ({
    ...signer,
    key: privateKeyToAccount(signer.key.privateKey)
  })

  beforeAll(async () => {
    const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }
    service = await startService({ settings: { quotas } })
    owner = namedOwner("forged owner")
    other = namedOwner("forging owner")
    for (const signer of [owner, other]) await enroll(service, partyOf(signer))
  })

  afterAll(() => service.stop())

  const NAMES = ["Account", "Signer", "Issued-At", "Expires-At", "Nonce", "Signature"].map(
    name => `X-Service-${name}`
  )

  const forgery = fc.record({
    name: fc.constantFrom(...NAMES),
    how: fc.constantFrom("digit", "cut", "double", "upper", "other", "empty", "unicode", "grant"),
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    digit: fc.integer({ min: 1, max: 9 })
  })
  type Forgery = typeof forgery extends fc.Arbitrary<infer Made> ? Made : never

  const forged = (value: string, theirs: string, { how, at, digit }: Forgery): string => {
    const where = Math.floor(at * value.length)
    const old = value.charAt(where)
    switch (how) {
      case "digit":
        return (
          value.slice(0, where) +
          String((Number.parseInt(old, 10) + digit) % 10 || digit) +
          value.slice(where + 1)
        )
      case "cut":
        return value.slice(0, where)
      case "double":
        return value + value.slice(where)
      case "upper":
        return value.slice(0, 2) + value.slice(2).toUpperCase()
      case "other":
        return theirs
      case "empty":
        return ""
      default:
        return `${value.slice(0, where)}\u00e9${value.slice(where + 1)}`
    }
  }

  const target = "/api/v1/accounts/me"
  const signed = (signer: Signer) =>
    fastHeaders(signer, { audience: service.audience, method: "GET", target })

  /** The same bytes, or the same address and signature in other letters, are no forgery. */
  const isSame = (name: string, value: string, made: string) =>
    name === "X-Service-Signer" || name === "X-Service-Signature"
      ? value.toLowerCase() === made.toLowerCase()
      : value === made

  it(`${OVER_HTTP} of them`, { timeout: 120_000 }, async () => {
    const refused = new Set([
      "AUTH_REQUIRED",
      "INVALID_AUTH",
      "AUTH_EXPIRED",
      "INVALID_SIGNATURE",
      "FORBIDDEN"
    ])
    await fc.assert(
      fc.asyncProperty(forgery, async made => {
        const headers = { ...signed(owner) }
        const { name } = made
        const value = headers[name] ?? ""
        const change: Readonly<Record<string, string>> =
          made.how === "grant"
            ? { "X-Service-Grant": "01234567-89ab-4def-8123-456789abcdef" }
            : { [name]: forged(value, signed(other)[name] ?? "", made) }
        if (isSame(name, value, change[name] ?? "")) return
        const answer = await fetch(`${service.url}${target}`, { headers: { ...headers, ...change } })
        const { code } = await problemIn(answer)
        assert.isTrue(refused.has(code), `${JSON.stringify(change)}: ${code}`)
      }),
      { numRuns: OVER_HTTP, seed: SEED }
    )
    assert.strictEqual((await fetch(`${service.url}${target}`, { headers: signed(owner) })).status, 200)
  })
})
