/** The published values of sponsored calls, computed again by two libraries from what is published beside them. */
import { readFileSync } from "node:fs"
import { Schema } from "effect"
import * as ethers from "ethers"
import * as viem from "viem"
import { privateKeyToAddress, sign } from "viem/accounts"
import { assert, describe, it } from "vitest"

const Text = Schema.String
const Hex = Schema.declare((value): value is viem.Hex => viem.isHex(value))
const Hashed = Schema.Struct({ canonical: Text, hash: Hex })
const Member = Schema.Struct({ name: Text, type: Text })

const Published = Schema.parseJson(
  Schema.Struct({
    keys: Schema.Array(Schema.Struct({ label: Text, privateKey: Hex, address: Hex })),
    forwardRequest: Schema.Struct({
      domainTypeHash: Hex,
      typeHash: Hex,
      types: Schema.Struct({ ForwardRequest: Schema.Array(Member) }),
      executeSelector: Hex,
      executedTopic: Hex,
      vectors: Schema.Array(
        Schema.Struct({
          name: Text,
          domain: Schema.Struct({
            name: Text,
            version: Text,
            chainId: Schema.Number,
            verifyingContract: Hex
          }),
          message: Schema.Struct({
            from: Hex,
            to: Hex,
            value: Text,
            gas: Text,
            nonce: Text,
            deadline: Text,
            data: Hex
          }),
          domainSeparator: Hex,
          structHash: Hex,
          digest: Hex,
          signer: Hex,
          signature: Hex,
          executeCalldata: Hex,
          outerCallHash: Hex,
          outerGas: Text
        })
      )
    }),
    sponsorship: Schema.Struct({
      paymentSelector: Hex,
      prepaymentTopic: Hex,
      vectors: Schema.Array(
        Schema.Struct({
          name: Text,
          requests: Schema.Array(Text),
          commitment: Hashed,
          submissionHash: Hashed,
          payments: Schema.Array(
            Schema.Struct({
              chainId: Schema.Number,
              to: Hex,
              data: Hex,
              value: Text,
              deadline: Schema.Number
            })
          ),
          quoteCommitment: Hashed
        })
      )
    })
  })
)

const { keys, forwardRequest, sponsorship } = Schema.decodeSync(Published)(
  readFileSync("schema/vectors/execution.json", "utf8")
)

type Request = (typeof forwardRequest.vectors)[number]

const DOMAIN_TYPE = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
const REQUEST_TYPE =
  "ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data)"
const EXECUTE =
  "execute((address from,address to,uint256 value,uint256 gas,uint48 deadline,bytes data,bytes signature) request)"
const EXECUTED = "ExecutedForwardRequest(address indexed signer, uint256 nonce, bool success)"
const PREPAYMENT = "prepayment(bytes16 bundle, uint40 deadline)"
const PREPAID = "Prepayment(bytes16 indexed bundle, uint256 amount, uint40 deadline)"

const contract = new ethers.Interface([
  `function ${EXECUTE} payable`,
  `event ${EXECUTED}`,
  `function ${PREPAYMENT} payable`,
  `event ${PREPAID}`
])

const types = { ForwardRequest: [...forwardRequest.types.ForwardRequest] }

/** By viem's encoder of values alone. */
const hashOf = (form: string, values: ReadonlyArray<unknown>): viem.Hex =>
  viem.keccak256(viem.encodeAbiParameters(viem.parseAbiParameters(form), values))

const inner = (text: string): viem.Hex => viem.keccak256(viem.toBytes(text))

const structByViem = ({ message }: Request): viem.Hex =>
  hashOf("bytes32, address, address, uint256, uint256, uint256, uint48, bytes32", [
    inner(REQUEST_TYPE),
    message.from,
    message.to,
    BigInt(message.value),
    BigInt(message.gas),
    BigInt(message.nonce),
    BigInt(message.deadline),
    viem.keccak256(message.data)
  ])

const domainByViem = ({ domain }: Request): viem.Hex =>
  hashOf("bytes32, bytes32, bytes32, uint256, address", [
    inner(DOMAIN_TYPE),
    inner(domain.name),
    inner(domain.version),
    BigInt(domain.chainId),
    domain.verifyingContract
  ])

const keyOf = (address: string) => keys.find(key => key.address === address) ?? assert.fail(address)

const lower = (text: string) => text.toLowerCase()

it("has the types' hashes, selectors and topics", () => {
  assert.equal(forwardRequest.domainTypeHash, inner(DOMAIN_TYPE))
  assert.equal(forwardRequest.typeHash, inner(REQUEST_TYPE))
  assert.equal(
    ethers.id(ethers.TypedDataEncoder.from(types).encodeType("ForwardRequest")),
    inner(REQUEST_TYPE)
  )
  const pairs = [
    [forwardRequest.executeSelector, "execute", viem.toFunctionSelector(`function ${EXECUTE}`)],
    [sponsorship.paymentSelector, "prepayment", viem.toFunctionSelector(`function ${PREPAYMENT}`)]
  ]
  for (const [published, name = "", byViem] of pairs) {
    assert.equal(published, byViem)
    assert.equal(published, contract.getFunction(name)?.selector)
  }
  assert.equal(forwardRequest.executedTopic, viem.toEventSelector(`event ${EXECUTED}`))
  assert.equal(forwardRequest.executedTopic, contract.getEvent("ExecutedForwardRequest")?.topicHash)
  assert.equal(sponsorship.prepaymentTopic, viem.toEventSelector(`event ${PREPAID}`))
  assert.equal(sponsorship.prepaymentTopic, contract.getEvent("Prepayment")?.topicHash)
})

it("names each vector once, and its keys' addresses", () => {
  for (const { vectors } of [forwardRequest, sponsorship])
    assert.equal(new Set(vectors.map(({ name }) => name)).size, vectors.length)
  assert.isAbove(forwardRequest.vectors.length, 4)
  for (const { label, privateKey, address } of keys) {
    assert.equal(privateKey, ethers.id(label))
    assert.equal(address, lower(privateKeyToAddress(privateKey)))
    assert.equal(address, lower(ethers.computeAddress(privateKey)))
  }
})

describe.each(forwardRequest.vectors)("the request $name", request => {
  const { domain, message, digest, signature, signer } = request

  it("has its domain, struct and digest", () => {
    assert.equal(request.domainSeparator, domainByViem(request))
    assert.equal(request.domainSeparator, ethers.TypedDataEncoder.hashDomain(domain))
    assert.equal(request.structHash, structByViem(request))
    assert.equal(request.structHash, ethers.TypedDataEncoder.from(types).hash(message))
    const preimage = viem.concatHex(["0x1901", request.domainSeparator, request.structHash])
    assert.equal(digest, viem.keccak256(preimage))
    assert.equal(digest, ethers.TypedDataEncoder.hash(domain, types, message))
  })

  it("is signed by whom it names", async () => {
    assert.equal(lower(message.from), signer)
    assert.equal(lower(await viem.recoverAddress({ hash: digest, signature })), signer)
    assert.equal(lower(ethers.verifyTypedData(domain, types, message, signature)), signer)
    const { privateKey } = keyOf(signer)
    assert.equal(await sign({ hash: digest, privateKey, to: "hex" }), signature)
    assert.equal(new ethers.SigningKey(privateKey).sign(digest).serialized, signature)
  })

  it("is carried by its call", () => {
    const { from, to, value, gas, deadline, data } = message
    const words = [from, to, BigInt(value), BigInt(gas), Number(deadline), data, signature] as const
    const byViem = viem.encodeAbiParameters(
      viem.parseAbiParameters("(address, address, uint256, uint256, uint48, bytes, bytes)"),
      [words]
    )
    assert.equal(request.executeCalldata, viem.concatHex([forwardRequest.executeSelector, byViem]))
    assert.equal(request.executeCalldata, contract.encodeFunctionData("execute", [words]))
    assert.equal(request.outerCallHash, viem.keccak256(request.executeCalldata))
    assert.equal(request.outerCallHash, ethers.keccak256(request.executeCalldata))
    assert.equal(BigInt(request.outerGas), BigInt(gas) + BigInt(gas) / 63n + 100_000n)
  })
})

/** Of what JSON can hold: members by name, without spaces. */
const isCanonical = (text: string): boolean => {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([name, member]) => [name, sorted(member)])
          )
        : value
  return JSON.stringify(sorted(JSON.parse(text))) === text
}

describe.each(sponsorship.vectors)("the sponsorship $name", vector => {
  const { commitment, submissionHash, quoteCommitment, payments } = vector
  const requests = vector.requests.map(
    name => forwardRequest.vectors.find(each => each.name === name) ?? assert.fail(name)
  )

  it("has the hashes of its canonical contents", () => {
    for (const { canonical, hash } of [commitment, submissionHash, quoteCommitment]) {
      assert.isTrue(isCanonical(canonical))
      assert.equal(hash, viem.sha256(viem.toBytes(canonical)))
      assert.equal(hash, ethers.sha256(ethers.toUtf8Bytes(canonical)))
    }
  })

  it("commits to its requests in their order", () => {
    const content = JSON.parse(commitment.canonical)
    assert.deepEqual(
      content.authorizations.map(
        ({ stepIndex, chainId, forwarder, domain, message }: Request & Expected) => ({
          stepIndex,
          chainId,
          forwarder,
          domain,
          message
        })
      ),
      requests.map(({ domain, message }, stepIndex) => ({
        stepIndex,
        chainId: domain.chainId,
        forwarder: domain.verifyingContract,
        domain,
        message
      }))
    )
    assert.deepEqual(JSON.parse(submissionHash.canonical), {
      commitment: commitment.hash,
      signatures: requests.map(({ signature }) => signature)
    })
  })

  it("is quoted for this submission, each payment for this bundle", () => {
    const content = JSON.parse(quoteCommitment.canonical)
    assert.equal(content.submissionHash, submissionHash.hash)
    assert.deepEqual(content.payments, payments)
    assert.deepEqual(
      content.transactions.map(({ chainId, stepIndex, outerCallHash }: Expected) => ({
        chainId,
        stepIndex,
        outerCallHash
      })),
      requests.map(({ domain, outerCallHash }, stepIndex) => ({
        chainId: domain.chainId,
        stepIndex,
        outerCallHash
      }))
    )
    const bundle: viem.Hex = `0x${content.bundleId.replaceAll("-", "")}`
    for (const { data, deadline } of payments) {
      const words = viem.encodeAbiParameters(viem.parseAbiParameters("bytes16, uint40"), [bundle, deadline])
      assert.equal(data, viem.concatHex([sponsorship.paymentSelector, words]))
      assert.equal(data, contract.encodeFunctionData("prepayment", [bundle, deadline]))
      assert.equal(viem.size(data), 68)
    }
  })
})

interface Expected {
  readonly stepIndex: number
  readonly chainId: number
  readonly forwarder: string
  readonly outerCallHash: string
}
