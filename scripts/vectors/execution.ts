/** Requests that somebody else pays the gas of: what their signer signs, and the commitments and payments around them. */
import { Option } from "effect"
import {
  encodeFunctionData,
  keccak256,
  parseAbi,
  sha256,
  toBytes,
  toEventSelector,
  toFunctionSelector
} from "viem"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { submissionHash } from "../../src/values/TypedDataSubmission.ts"
import { FORWARD_REQUEST } from "../../test/support/ForwardRequest.ts"
import { forwarderAbi, forwardRequest, signingOwner } from "./ForwardRequest.ts"
import { accountId, type Hex, word } from "./Vector.ts"

const paymentsAbi = parseAbi([
  "function prepayment(bytes16 bundle, uint40 deadline) payable",
  "event Prepayment(bytes16 indexed bundle, uint256 amount, uint40 deadline)"
])

const plain = await forwardRequest("plain", "One call of the local chain.")
const onBase = await forwardRequest("other-chain", "Another chain, another forwarder, the first nonce.", {
  chainId: 8453,
  verifyingContract: "0x00000000000000000000000000000000000000F2",
  message: { nonce: "0", deadline: "1790169200" }
})

const DOMAIN = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" }
]

const typeHash = (primaryType: string, members: ReadonlyArray<(typeof DOMAIN)[number]>): Hex =>
  keccak256(toBytes(`${primaryType}(${members.map(({ name, type }) => `${type} ${name}`).join(",")})`))

const LARGEST = String(2n ** 256n - 1n)

const requests = [
  plain,
  onBase,
  await forwardRequest("no-data", "A call without data, whose gas is no multiple of 63.", {
    message: { data: "0x", gas: "62" }
  }),
  await forwardRequest("33-bytes", "Data of a word and a byte.", {
    message: { data: `0x${"a5".repeat(33)}` }
  }),
  await forwardRequest("value", "A call that carries value.", { message: { value: "1000000000000000000" } }),
  await forwardRequest("largest", "The largest value, gas, nonce and deadline.", {
    message: { value: LARGEST, gas: LARGEST, nonce: LARGEST, deadline: String(2 ** 48 - 1) }
  })
]

type Request = (typeof requests)[number]

const committed = (content: unknown) => {
  const canonical = canonicalJson(content)
  return { canonical, hash: sha256(toBytes(canonical)) }
}

const BUNDLE = "33333333-3333-4333-8333-333333333333"
const PAYMENT_DEADLINE = 1_790_000_200
const OWNER_ACCOUNT = accountId(31_337, signingOwner.address)

const authorization = ({ domain, message }: Request, stepIndex: number) => ({
  stepIndex,
  chainId: domain.chainId,
  forwarder: domain.verifyingContract,
  forwarderCodeHash: "0xe8325f2a3d2a50c200ca0a793a3acfc6d34d7fa54f0e0aef82f50a5e8ce7b5f2",
  targetCodeHash: word("cc"),
  domain,
  message,
  evidence: {
    source: "onchain",
    chainId: domain.chainId,
    blockNumber: "100",
    blockHash: word("bb"),
    timestamp: "1790000000"
  }
})

const payment = ({ domain }: Request) => ({
  chainId: domain.chainId,
  to: "0x1311a7D9a0e8d2fDE2D955D80f12C65a56D445b2",
  data: encodeFunctionData({
    abi: paymentsAbi,
    functionName: "prepayment",
    args: [`0x${BUNDLE.replaceAll("-", "")}`, PAYMENT_DEADLINE]
  }),
  value: "2500000000000000",
  deadline: PAYMENT_DEADLINE
})

const transaction = ({ domain, outerCallHash }: Request, stepIndex: number) => ({
  transactionId: `${String(stepIndex + 4).repeat(8)}-4444-4444-8444-444444444444`,
  stepIndex,
  chainId: domain.chainId,
  outerCallHash
})

const submitted = (commitment: Hex, signatures: ReadonlyArray<Hex>) => ({
  canonical: canonicalJson({ commitment, signatures }),
  hash: Option.getOrThrow(submissionHash(commitment, signatures))
})

const sponsorship = (name: string, description: string, calls: ReadonlyArray<Request>) => {
  const commitment = committed({
    kind: "forwarder-prepaid-erc2771",
    accountId: OWNER_ACCOUNT,
    principalId: `owner:${OWNER_ACCOUNT}`,
    planId: "11111111-1111-4111-8111-111111111111",
    planCommitment: word("aa"),
    authorizations: calls.map(authorization),
    publicationExpiresAt: 1_790_000_300_000
  })
  const submission = submitted(
    commitment.hash,
    calls.map(({ signature }) => signature)
  )
  const payments = calls.map(payment)
  const quoteCommitment = committed({
    sponsorshipId: "22222222-2222-4222-8222-222222222222",
    submissionHash: submission.hash,
    bundleId: BUNDLE,
    payments,
    transactions: calls.map(transaction)
  })
  const requests = calls.map(call => call.name)
  return { name, description, requests, commitment, submissionHash: submission, payments, quoteCommitment }
}

export const execution = {
  keys: [signingOwner],
  forwardRequest: {
    domainTypeHash: typeHash("EIP712Domain", DOMAIN),
    typeHash: typeHash("ForwardRequest", FORWARD_REQUEST.ForwardRequest),
    types: FORWARD_REQUEST,
    executeSelector: toFunctionSelector(forwarderAbi[0]),
    executedTopic: toEventSelector(forwarderAbi[1]),
    vectors: requests
  },
  sponsorship: {
    paymentSelector: toFunctionSelector(paymentsAbi[0]),
    prepaymentTopic: toEventSelector(paymentsAbi[1]),
    vectors: [
      sponsorship("one-call", "One call and its payment.", [plain]),
      sponsorship("two-chains", "Two calls, each paid on its own chain.", [plain, onBase])
    ]
  }
}
