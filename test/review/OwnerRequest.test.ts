import {
  numberToHex,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
  zeroAddress
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { assert, describe, it } from "vitest"
import type { Call } from "../../src/plans/Plan.ts"
import { signaturesIn } from "../../src/review/OwnerAnswers.ts"
import { answerLink, linkedIn, requestLink } from "../../src/review/OwnerLink.ts"
import {
  actionRequest,
  bindingRequest,
  Misstated,
  ownerRequestText,
  readOwnerRequest
} from "../../src/review/OwnerRequest.ts"
import { executionCalldata } from "../../src/values/WalletExecution.ts"

const AUDIENCE = "http://localhost:8787"
const WALLET = "0x78Cc8715095294fe4770323739760993dbCbA466"
const OTHER = "0x00000000000000000000000000000000000000B1"
const HASH = `0x${"ab".repeat(32)}` as const

const owners = [1, 2, 3].map(index => privateKeyToAccount(`0x${String(index).padStart(64, "0")}`))

const call: Call = {
  chainId: 31_337,
  to: OTHER,
  data: "0xdeadbeef",
  value: "5",
  label: "pay",
  dependsOn: [],
  decoded: { contractId: "a:b:C", abiHash: HASH, function: "pay(uint256)", args: ["2", ["3"]] }
}

const operation = {
  sender: WALLET,
  nonce: "0x7",
  callData: executionCalldata([{ to: OTHER, value: 5n, data: "0xdeadbeef" }]),
  callGasLimit: "0x186a0",
  verificationGasLimit: "0x30d40",
  preVerificationGas: "0xc350",
  maxFeePerGas: "0x77359400",
  maxPriorityFeePerGas: "0x3b9aca00",
  signature: "0x"
} as const

const paid = {
  ...operation,
  paymaster: OTHER,
  paymasterVerificationGasLimit: "0x1",
  paymasterPostOpGasLimit: "0x0",
  paymasterData: "0x1234"
} as const

const place = {
  chainId: 31_337,
  entryPoint: "0x0000000071727De22E5E9d8BAf0edAc6f37da032",
  adapter: "0x27b102239A4082fCC1B4E9Abe2349fa88156f78b",
  validAfter: 1_800_000_000,
  validUntil: 1_800_000_300
} as const

const state = {
  chainId: 31_337,
  address: WALLET,
  manifestId: "safe",
  manifestRevision: HASH,
  singleton: OTHER,
  adapter: place.adapter,
  entryPoint: place.entryPoint,
  fallbackHandler: place.adapter,
  transactionGuard: "0x0000000000000000000000000000000000000000",
  hook: "0x0000000000000000000000000000000000000000",
  owners: owners.map(({ address }) => address),
  threshold: 2,
  safeModules: [place.adapter],
  validators: [],
  executors: []
} as const

const challenge = {
  accountId: `eip155:31337:${OTHER.toLowerCase()}`,
  owner: OTHER,
  stateHash: HASH,
  nonce: HASH,
  expiresAt: 1_800_000_900
} as const

const requests = [
  actionRequest({ ...place, operation }, [call]),
  actionRequest({ ...place, operation: paid }, [call]),
  actionRequest({ ...place, operation: { ...paid, paymasterData: "0x" } }, [call]),
  bindingRequest(AUDIENCE, state, challenge)
]

describe("what an owner is asked to sign", () => {
  it("is the same at the other end of a link, to the digest", async () => {
    for (const request of requests) {
      const link = await requestLink(AUDIENCE, ownerRequestText(request))
      assert.match(link, /^http:\/\/localhost:8787\/console\/sign#request=[A-Za-z0-9_-]+$/)
      const linked = await linkedIn(new URL(link).hash)
      assert.deepStrictEqual(readOwnerRequest(linked.request ?? "", AUDIENCE), request)
    }
  })

  it("is refused where any member is another than those that are shown", () => {
    for (const request of requests) {
      const whole = JSON.parse(ownerRequestText(request))
      const { domain, message, types } = whole.typedData
      const altered = [
        { ...whole.typedData, domain: { ...domain, name: "Other" } },
        { ...whole.typedData, domain: { ...domain, chainId: "31337" } },
        { ...whole.typedData, message: { ...message, more: "0x" } },
        { ...whole.typedData, types: { ...types, EIP712Domain: [] } },
        { ...whole.typedData, primaryType: "Permit" },
        ...Object.keys(message).map(name => ({ ...whole.typedData, message: { ...message, [name]: null } }))
      ]
      for (const typedData of altered)
        assert.throws(() => readOwnerRequest(JSON.stringify({ ...whole, typedData }), AUDIENCE))
    }
  })

  it("is refused where it says other calls than the operation makes", () => {
    const [request = assert.fail("no request")] = requests
    const whole = JSON.parse(ownerRequestText(request))
    const others = [
      [],
      [call, call],
      ...[{ to: WALLET }, { data: "0x" }, { value: "6" }, { chainId: 1 }].map(change => [
        { ...call, ...change }
      ])
    ]
    for (const calls of others)
      assert.throws(() => readOwnerRequest(JSON.stringify({ ...whole, calls }), AUDIENCE), Misstated)
  })

  it("is refused where the operation would never end", () => {
    const endless = actionRequest({ ...place, validAfter: 0, validUntil: 0, operation }, [call])
    assert.throws(() => readOwnerRequest(ownerRequestText(endless), AUDIENCE), Misstated, /it has no end/)
  })

  it.each([
    ["lane", 1n << 64n],
    ["validator", BigInt(OTHER) << 96n]
  ])("is refused where its nonce is of another %s", (_, nonce) => {
    const elsewhere = actionRequest({ ...place, operation: { ...operation, nonce: numberToHex(nonce) } }, [
      call
    ])
    assert.throws(
      () => readOwnerRequest(ownerRequestText(elsewhere), AUDIENCE),
      Misstated,
      /its nonce is not of the wallet's owners/
    )
  })

  it("is refused where it names nobody as paymaster, for the wallet would pay", () => {
    const unpaid = actionRequest({ ...place, operation: { ...paid, paymaster: zeroAddress } }, [call])
    assert.throws(
      () => readOwnerRequest(ownerRequestText(unpaid), AUDIENCE),
      Misstated,
      /it names nobody as paymaster/
    )
  })

  it("is of this service alone", () => {
    const [, , , binding = assert.fail("no request")] = requests
    assert.throws(() => readOwnerRequest(ownerRequestText(binding), "https://elsewhere.example"))
  })

  it("does not unfold into more than any request has", async () => {
    const link = await requestLink(AUDIENCE, "0".repeat(3_000_000))
    assert.isBelow(link.length, 10_000)
    let failure: unknown
    await linkedIn(new URL(link).hash).catch((cause: unknown) => {
      failure = cause
    })
    assert.instanceOf(failure, RangeError)
  })
})

describe("the answers of owners", () => {
  const [request = assert.fail("no request")] = requests
  const { digest } = request
  const signed = () => Promise.all(owners.map(owner => owner.sign({ hash: digest })))
  const found = (text: string) =>
    signaturesIn(
      text,
      digest,
      owners.slice(0, 2).map(({ address }) => address)
    )

  it("are found in any text, one of each owner, and those of others are counted apart", async () => {
    const [first = HASH, second = HASH, third = HASH] = await signed()
    const { parts, strange } = await found(`{"a":"${second}"} and ${first}, ${first}; ${third} ${HASH}`)
    assert.deepStrictEqual(parts, [
      { signer: state.owners[1] ?? OTHER, signature: second },
      { signer: state.owners[0] ?? OTHER, signature: first }
    ])
    assert.strictEqual(strange, 1)
  })

  it("are taken in the forms of hardware wallets, and in no other", async () => {
    const [signature = assert.fail("no signature")] = await signed()
    const v = Number.parseInt(signature.slice(-2), 16)
    const bare: `0x${string}` = `0x${signature.slice(2, -2)}`
    const forms = {
      low: `${bare}0${v - 27}`,
      approved: `${bare}01`.replace(/..$/, "1f"),
      ethSign: `${bare}20`
    }
    const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))
    for (const form of [forms.low, compact])
      assert.deepStrictEqual((await found(form)).parts, [{ signer: state.owners[0] ?? OTHER, signature }])
    for (const form of [forms.approved, forms.ethSign, `${signature}00`])
      assert.lengthOf((await found(form)).parts, 0)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const high = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, "0")
    assert.lengthOf((await found(`${signature.slice(0, 66)}${high}${v === 27 ? "1c" : "1b"}`)).parts, 0)
  })

  it("come back by a link", async () => {
    const [signature = assert.fail("no signature")] = await signed()
    const { answer } = await linkedIn(new URL(answerLink(AUDIENCE, digest, signature)).hash)
    assert.deepStrictEqual(answer, { digest, signature })
  })
})
