/** Forward requests against the published vectors and two libraries. */
import { createHash } from "node:crypto"
import { Option } from "effect"
import { TypedDataEncoder } from "ethers"
import fc from "fast-check"
import { encodeFunctionData, hashTypedData, keccak256, parseAbi } from "viem"
import { assert, describe, it } from "vitest"
import vectors from "../../schema/vectors/execution.json" with { type: "json" }
import { committedSponsorshipText } from "../../src/sponsorship/CommittedSponsorship.ts"
import { checksummed } from "../../src/values/Checksum.ts"
import {
  executeCalldata,
  forwardRequestDigest,
  forwardRequestMembers,
  outerCallHash,
  outerGas
} from "../../src/values/ForwardRequest.ts"
import type { ForwarderDomain, ForwardRequest } from "../../src/values/ForwardRequestShape.ts"
import { submissionHash } from "../../src/values/TypedDataSubmission.ts"
import { FORWARD_REQUEST } from "../support/ForwardRequest.ts"

const EXECUTE = parseAbi([
  "function execute((address from,address to,uint256 value,uint256 gas,uint48 deadline,bytes data,bytes signature))"
])

const hex = (length: { readonly minLength: number; readonly maxLength: number }) =>
  fc.uint8Array(length).map((bytes): `0x${string}` => `0x${Buffer.from(bytes).toString("hex")}`)

const address = hex({ minLength: 20, maxLength: 20 }).map(checksummed)
const uint = (bits: number) => fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n }).map(String)

const domains = fc.record({
  name: fc.string({ unit: "grapheme", maxLength: 40 }),
  version: fc.constant("1" as const),
  chainId: fc.integer({ min: 1 }),
  verifyingContract: address
})

const requests = fc.record({
  from: address,
  to: address,
  value: uint(256),
  gas: uint(256),
  nonce: uint(256),
  deadline: uint(48),
  data: hex({ minLength: 0, maxLength: 200 })
})

const asBigInts = ({ from, to, data, ...amounts }: ForwardRequest) => ({
  from,
  to,
  data,
  value: BigInt(amounts.value),
  gas: BigInt(amounts.gas),
  nonce: BigInt(amounts.nonce),
  deadline: Number(amounts.deadline)
})

const [published = assert.fail("no vectors")] = vectors.forwardRequest.vectors
const [sponsored = assert.fail("no vectors")] = vectors.sponsorship.vectors

const asHex = (text: string): `0x${string}` =>
  text.startsWith("0x") ? `0x${text.slice(2)}` : assert.fail(text)

const domain: ForwarderDomain = {
  ...published.domain,
  version: "1",
  verifyingContract: asHex(published.domain.verifyingContract)
}

const request: ForwardRequest = {
  ...published.message,
  from: asHex(published.message.from),
  to: asHex(published.message.to),
  data: asHex(published.message.data),
  deadline: String(published.message.deadline)
}

const sha256 = (text: string) => `0x${createHash("sha256").update(text).digest("hex")}`

describe("the published vectors", () => {
  it("have the digest, the call and the gas that we make of their request", () => {
    const calldata = executeCalldata(request, published.signature)
    assert.deepStrictEqual(
      {
        types: forwardRequestMembers,
        digest: forwardRequestDigest(domain, request),
        calldata,
        outerCallHash: outerCallHash(calldata),
        outerGas: String(outerGas(request))
      },
      {
        types: vectors.forwardRequest.types.ForwardRequest,
        digest: published.digest,
        calldata: published.executeCalldata,
        outerCallHash: published.outerCallHash,
        outerGas: published.outerGas
      }
    )
  })

  it("have the commitment and the hash of the submission that we make of their sponsorship", () => {
    const { commitment, submissionHash: submission } = sponsored
    const { accountId, principalId, ...terms } = JSON.parse(commitment.canonical)
    const text = committedSponsorshipText(terms, { accountId, principalId })
    assert.strictEqual(text, commitment.canonical)
    assert.strictEqual(sha256(text), commitment.hash)
    const { signatures } = JSON.parse(submission.canonical)
    const hashed: string | null = Option.getOrNull(submissionHash(asHex(commitment.hash), signatures))
    assert.strictEqual(hashed, submission.hash)
  })
})

it("a request's digest is that of viem and of ethers", () => {
  fc.assert(
    fc.property(domains, requests, (asked, message) => {
      const ours = forwardRequestDigest(asked, message)
      const { ForwardRequest: members } = FORWARD_REQUEST
      assert.strictEqual(
        ours,
        hashTypedData({
          domain: asked,
          types: FORWARD_REQUEST,
          primaryType: "ForwardRequest",
          message: asBigInts(message)
        })
      )
      assert.strictEqual(ours, TypedDataEncoder.hash(asked, { ForwardRequest: [...members] }, message))
    })
  )
})

it("the call that executes a request is that of viem", () => {
  const signatures = hex({ minLength: 65, maxLength: 65 })
  fc.assert(
    fc.property(requests, signatures, (message, signature) => {
      const { nonce: _, ...given } = asBigInts(message)
      const theirs = encodeFunctionData({
        abi: EXECUTE,
        functionName: "execute",
        args: [{ ...given, signature }]
      })
      assert.strictEqual(executeCalldata(message, signature), theirs)
      assert.strictEqual(outerCallHash(theirs), keccak256(theirs))
    })
  )
})
