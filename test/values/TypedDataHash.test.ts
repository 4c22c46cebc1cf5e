import { describe, expect, it } from "@effect/vitest"
import { TypedDataEncoder } from "ethers"
import fc from "fast-check"
import { hashTypedData } from "viem"
import { keccak256Utf8 } from "../../src/values/Keccak.ts"
import {
  domainMembers,
  encodeType,
  type MessageType,
  messageTypes,
  walletPayload
} from "../../src/values/TypedData.ts"
import {
  botProofDigest,
  domainOf,
  requestDigest,
  sponsorshipApprovalDigest,
  toHex,
  traceDigest,
  transactionApprovalDigest
} from "../../src/values/TypedDataHash.ts"
import { chainIds, messages, text } from "./TypedDataArbitraries.ts"

const typeHashes: Record<MessageType, string> = {
  ServiceRequest: "0x19c21b2e6892de1d48bef580085d942c3a359800e18adc3666b710615294e132",
  ServiceBotProof: "0x9dd2eab1e8d5578e45ffbbf85285b6ce73d66839f451ac505b1e8e29f7ee9395",
  ServiceTransactionApproval: "0x0e480a7f563816bfe4bd37ee2be3306d2a754794fa6871ebd93fa5b504b3d72f",
  ServiceSponsorshipApproval: "0x250d1ea1715ff1e49b4e43e11bb898de0491d1d6e991e2bc755a7f6ca2183be2"
}

const types: ReadonlyArray<MessageType> = [
  "ServiceRequest",
  "ServiceBotProof",
  "ServiceTransactionApproval",
  "ServiceSponsorshipApproval"
]

/** Ours, viem's and ethers' digest of the same thing. */
const digests = (
  type: MessageType,
  audience: string,
  chainId: number,
  digest: Uint8Array,
  message: object
) => {
  const domain = domainOf(audience, chainId)
  const addressed = { ...message, audience }
  return {
    ours: toHex(digest),
    viem: hashTypedData({
      domain,
      types: { EIP712Domain: [...domainMembers], [type]: [...messageTypes[type]] },
      primaryType: type,
      message: addressed
    }),
    ethers: TypedDataEncoder.hash(domain, { [type]: [...messageTypes[type]] }, addressed)
  }
}

const agree = ({ ours, viem, ethers }: ReturnType<typeof digests>) => {
  expect(ours).toBe(viem)
  expect(ours).toBe(ethers)
}

describe("type hashes", () => {
  it.each(types)("%s is the published one", type => {
    expect(keccak256Utf8(encodeType(type, messageTypes[type]))).toBe(typeHashes[type])
  })
  it("the domain's is the published one", () => {
    expect(keccak256Utf8(encodeType("EIP712Domain", domainMembers))).toBe(
      "0xa604fff5a27d5951f334ccda7abff3286a8af29caeeb196a6f2b40a1dce7612b"
    )
  })
})

describe("digests equal those of two other encoders", () => {
  it("requests", () =>
    fc.assert(
      fc.property(text, chainIds, messages.ServiceRequest, (audience, chainId, m) =>
        agree(digests("ServiceRequest", audience, chainId, requestDigest(audience, chainId, m), m))
      ),
      { numRuns: 300 }
    ))
  it("bot proofs", () =>
    fc.assert(
      fc.property(text, chainIds, messages.ServiceBotProof, (audience, chainId, m) =>
        agree(digests("ServiceBotProof", audience, chainId, botProofDigest(audience, chainId, m), m))
      ),
      { numRuns: 200 }
    ))
  it("transaction approvals", () =>
    fc.assert(
      fc.property(text, chainIds, messages.ServiceTransactionApproval, (audience, chainId, m) =>
        agree(
          digests(
            "ServiceTransactionApproval",
            audience,
            chainId,
            transactionApprovalDigest(audience, chainId, m),
            m
          )
        )
      ),
      { numRuns: 200 }
    ))
  it("sponsorship approvals", () =>
    fc.assert(
      fc.property(text, chainIds, messages.ServiceSponsorshipApproval, (audience, chainId, m) =>
        agree(
          digests(
            "ServiceSponsorshipApproval",
            audience,
            chainId,
            sponsorshipApprovalDigest(audience, chainId, m),
            m
          )
        )
      ),
      { numRuns: 200 }
    ))
})

describe("every signed member is bound", () => {
  it("changing one of the twelve changes the digest", () =>
    fc.assert(
      fc.property(
        text,
        chainIds,
        messages.ServiceRequest,
        messages.ServiceRequest,
        (audience, chainId, a, b) => {
          const before = toHex(requestDigest(audience, chainId, a))
          for (const { name } of messageTypes.ServiceRequest) {
            if (name === "audience" || a[name] === b[name]) continue
            expect(toHex(requestDigest(audience, chainId, { ...a, [name]: b[name] })), name).not.toBe(before)
          }
          expect(toHex(requestDigest(`${audience}/`, chainId, a)), "audience").not.toBe(before)
          expect(toHex(requestDigest(audience, chainId + 1, a)), "chain").not.toBe(before)
        }
      ),
      { numRuns: 200 }
    ))

  it("the audience is bound as a member and as the salt", () => {
    const [message] = fc.sample(messages.ServiceRequest, { numRuns: 1, seed: 1 })
    if (message === undefined) throw new Error("no sample")
    const here = traceDigest("ServiceRequest", "https://a.example", 1, message)
    const there = traceDigest("ServiceRequest", "https://b.example", 1, message)
    expect(here.message.hash).not.toBe(there.message.hash)
    expect(here.domain.hash).not.toBe(there.domain.hash)
  })

  it("the order of scopes is bound", () =>
    fc.assert(
      fc.property(messages.ServiceBotProof, m => {
        const digest = (scopes: ReadonlyArray<string>) =>
          toHex(botProofDigest("https://a", 1, { ...m, scopes }))
        const distinct = [
          digest(["read", "plan"]),
          digest(["plan", "read"]),
          digest(["readplan"]),
          digest([])
        ]
        expect(new Set(distinct).size).toBe(4)
      }),
      { numRuns: 20 }
    ))
})

describe("the trace", () => {
  it("ends in the same digest and lists every member", () =>
    fc.assert(
      fc.property(text, chainIds, messages.ServiceRequest, (audience, chainId, m) => {
        const trace = traceDigest("ServiceRequest", audience, chainId, m)
        const domain = domainOf(audience, chainId)
        expect(trace.digest).toBe(toHex(requestDigest(audience, chainId, m)))
        expect(trace.domain.hash).toBe(TypedDataEncoder.hashDomain(domain))
        expect(trace.message.members.map(({ name }) => name)).toEqual(
          messageTypes.ServiceRequest.map(({ name }) => name)
        )
        expect(trace.preimage).toBe(`0x1901${trace.domain.hash.slice(2)}${trace.message.hash.slice(2)}`)
      }),
      { numRuns: 50 }
    ))
})

describe("wallet payloads", () => {
  it("are JSON, list the domain's type and have the same digest", () =>
    fc.assert(
      fc.property(text, chainIds, messages.ServiceBotProof, (audience, chainId, m) => {
        const payload = walletPayload("ServiceBotProof", domainOf(audience, chainId), { ...m, audience })
        const { types, primaryType, domain, message } = JSON.parse(JSON.stringify(payload))
        expect(types.EIP712Domain).toEqual(domainMembers)
        expect(hashTypedData({ types, primaryType, domain, message })).toBe(
          toHex(botProofDigest(audience, chainId, m))
        )
      }),
      { numRuns: 30 }
    ))
})

describe("values that do not fit their type throw", () => {
  const [message] = fc.sample(messages.ServiceTransactionApproval, { numRuns: 1, seed: 2 })
  const wrong = [
    { issuedAt: -1 },
    { issuedAt: 1.5 },
    { expiresAt: Number.MAX_SAFE_INTEGER + 1 },
    { stepIndex: 2 ** 32 },
    { nonce: "0x00" },
    { nonce: `0x${"g".repeat(64)}` },
    { commitment: "00".repeat(33) }
  ] as const
  it.each(wrong)("%o", change => {
    expect(message).toBeDefined()
    const broken = Object.assign({}, message, change)
    expect(() => transactionApprovalDigest("https://a.example", 1, broken)).toThrow(RangeError)
  })
})
